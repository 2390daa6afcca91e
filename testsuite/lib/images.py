# SPDX-License-Identifier: GPL-2.0-or-later
"""Whole kernels, built once for each arm of a comparison, and what their symbols tell.

	plain	kbuild's own flags
	flags	the five params of the arm64 RFC as plain KCFLAGS
	kiln	Kiln with its default policy: the same params, and the keep lists
	cpu	the same, and made for a CPU: CPU_POLICIES
	calls	the same as kiln, and a hundred calls inlined that GCC would not inline
	record	what plain is, made with the plugin, and with records
	rfc	what flags is, made with the plugin, and with records

All are configured with CONFIG_WERROR. The RFC's params make GCC warn of things
that cannot happen (kbuild/policies/werror.policy), so the second arm could not be
built: there alone a warning is no error.
"""

import bisect
import functools
import os
import re
import struct

import arms
import elf
import kernels

BOOT_ARMS = ("plain", "flags", "kiln", "cpu", "calls")
KILN_ARMS = ("kiln", "cpu", "calls")
RECORDS_OF = {"plain": "record", "flags": "rfc"}
CPU_POLICIES = {"x86_64": kernels.policy("cpu-x86_64"), "arm64": "graviton2"}
FRAGMENT = "selftest"

# Symbols of type FUNC that are no functions of the source: a function's padding.
PADDING = re.compile(r"__(pfx|cfi)_")
# The parts of a compile that another text size moves.
OFFSET = re.compile(r"\+0x[0-9a-f]+(/0x[0-9a-f]+)?")
MESSAGE = re.compile(r"warning|error:|WARNING|ERROR|objtool|modpost", re.ASCII)
# kbuild's own lines: "  MODPOST Module.symvers", "  CC      lib/error.o".
STEP = re.compile(r"^  [A-Z][A-Z0-9_]+ +\S|^make")

INIT_TEXT = ".init.text"
MCOUNT_BEFORE = 16	# bytes; arm64's -fpatchable-function-entry=4,2 puts sites 8 before
R_AARCH64_RELATIVE = 1027


def arm_flags(arch, arm):
    """KCFLAGS of an arm."""
    if arm == "flags":
        return arms.param_flags(arms.RFC_PARAMS) + ["-Wno-error"]
    if arm == "calls":
        return kernels.plugin_flags(arch, "policy=" + kernels.policy("calls"))
    if arm == "cpu":
        return kernels.plugin_flags(arch, "policy=" + CPU_POLICIES[arch])
    if arm == "record":
        return kernels.plugin_flags(arch, "policy=" + kernels.policy("empty"), "record")
    if arm == "rfc":
        return kernels.plugin_flags(arch, "policy=rfc", "record") + ["-Wno-error"]
    return kernels.plugin_flags(arch) if arm == "kiln" else []


def base_name(name):
    """The name in the source of a clone or a part."""
    return elf.CLONE.sub("", name.removesuffix(".cold"))


class Vmlinux:
    """The functions of a linked kernel."""

    def __init__(self, path):
        self.path, self.elf = path, elf.Object(path, relocations=False)
        self.symbols = [symbol for symbol in self.elf.symbols
                        if symbol.is_function and not PADDING.match(symbol.name)]
        # Of static functions with one name, one.
        self.functions = {symbol.name: symbol for symbol in self.symbols}

    @property
    def text_bytes(self):
        """Sum of the sizes: the text section is padded. Names of one code count once, as the largest."""
        sizes = {}
        for symbol in self.symbols:
            sizes[symbol.value] = max(symbol.size, sizes.get(symbol.value, 0))
        return sum(sizes.values())

    @functools.cached_property
    def names(self):
        """Names of the source that have code, be it a clone's."""
        return {base_name(name) for name in self.functions}

    @functools.cached_property
    def clones(self):
        """Clones without their .cold parts."""
        return {name for name in self.functions
                if elf.CLONE.search(name) and not name.endswith(".cold")}

    def _table(self, start, stop):
        """The 64-bit words between two symbols, relocated."""
        bounds = {symbol.name: symbol.value for symbol in self.elf.symbols
                  if symbol.name in (start, stop)}
        first, last = bounds[start], bounds[stop]
        content = self.elf.at(first, last - first)
        words = [word for word, in struct.iter_unpack("<Q", content)]
        relative = self.elf.section(".rela.dyn")
        if relative:	# a position-independent kernel: the words may be zero
            for offset, info, addend in struct.iter_unpack("<QQq", relative.content):
                if first <= offset < last and info & 0xffffffff == R_AARCH64_RELATIVE:
                    words[(offset - first) // 8] = addend % (1 << 64)
        return words

    @functools.cached_property
    def traceable(self):
        """Names of the functions that have an mcount site, without those that are freed after boot."""
        sites = sorted(self._table("__start_mcount_loc", "__stop_mcount_loc"))
        return sites_functions(sites, [symbol for symbol in self.symbols
                                       if self.elf.sections[symbol.section].name != INIT_TEXT])


def sites_functions(sites, functions):
    """
    Names of the functions that the addresses belong to: the one that covers an
    address, or the next one where -fpatchable-function-entry=N,M puts the site
    before the function's own address.
    """
    at = {}
    for symbol in functions:
        at.setdefault(symbol.value, []).append(symbol)
    starts, found = sorted(at), set()
    for site in sites:
        index = bisect.bisect_right(starts, site)
        near = [at[start] for start in starts[max(index - 1, 0):index + 1]]
        covering = [symbol for symbols in near for symbol in symbols
                    if symbol.value <= site < symbol.value + symbol.size]
        before = [symbol for symbols in near for symbol in symbols
                  if site < symbol.value <= site + MCOUNT_BEFORE]
        found.update(symbol.name for symbol in covering or before)
    return found


class Image:
    """A kernel of one arm; built when it is made."""

    def __init__(self, version, arch, arm, jobs):
        self.version, self.arch, self.arm = version, arch, arm
        self.title = f"{version} {arch} {arm}"
        self.build = kernels.made_directory(
            [kernels.TREE, f"-j{jobs}", "--with", FRAGMENT, "--arm", arm,
             "--kcflags", " ".join(arm_flags(arch, arm)), "image", version, arch],
            f"{self.title}: the kernel does not build")
        self.source = kernels.source(version)
        self.modules = os.path.join(self.build, ".kiln-root", "lib", "modules")

    @functools.cached_property
    def vmlinux(self):
        """Read when it is first asked for."""
        return Vmlinux(os.path.join(self.build, "vmlinux"))

    def unconfigured(self, symbols):
        """Those of the CONFIG_ symbols that are neither built in nor modules."""
        with open(os.path.join(self.build, ".config"), encoding="utf-8") as stream:
            lines = set(stream.read().splitlines())
        return [symbol for symbol in symbols if not {f"{symbol}=y", f"{symbol}=m"} & lines]

    def messages(self):
        """What the compiler, objtool, modpost and the linker had to say, sorted."""
        with open(os.path.join(self.build, ".kiln-image.log"), encoding="utf-8",
                  errors="replace") as stream:
            return sorted({OFFSET.sub("", line.strip()) for line in stream
                           if MESSAGE.search(line) and not STEP.match(line)})
