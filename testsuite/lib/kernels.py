# SPDX-License-Identifier: GPL-2.0-or-later
"""The kernels of the tests, the plugins for their compilers, the sample of units."""

import functools
import hashlib
import os
import random
import shutil
import subprocess

import arms
import elf
import units

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
TREE = os.path.join(TOP, "testsuite", "kernel", "tree")
KILN = os.path.join(TOP, "build", "host", "kiln")
POLICIES = os.path.join(TOP, "testsuite", "kernel", "policies")

PLUGIN_COPIES = 10	# kept in the cache; runs at the same time may use different ones

VERSIONS = ("6.1", "6.12")
ARCHES = ("x86_64", "arm64")

# Units with functions in .noinstr.text or .entry.text.
NOINSTR_UNITS = {
    "x86_64": ("kernel/entry/common.o", "arch/x86/entry/common.o", "kernel/context_tracking.o"),
    "arm64": ("arch/arm64/kernel/entry-common.o", "kernel/context_tracking.o"),
}

# The sample is drawn from these lists, so that it is known before anything is
# compiled; ALWAYS is in each sample. All are units of every kernel above.
ALWAYS = ("fs/open.o", "fs/namei.o", "kernel/sched/build_policy.o")
POOL = {
    "fs": "fs/read_write.o fs/exec.o fs/pipe.o fs/stat.o fs/dcache.o fs/inode.o fs/select.o "
          "fs/file.o fs/eventpoll.o fs/ext4/dir.o fs/ext4/balloc.o fs/ext4/symlink.o "
          "fs/proc/array.o fs/proc/generic.o fs/fat/fatent.o fs/kernfs/dir.o fs/jbd2/commit.o "
          "fs/notify/group.o fs/sysfs/file.o fs/iomap/direct-io.o",
    "mm": "mm/mprotect.o mm/mremap.o mm/madvise.o mm/readahead.o mm/truncate.o mm/vmstat.o "
          "mm/oom_kill.o mm/mincore.o mm/util.o mm/workingset.o mm/rmap.o mm/mlock.o",
    "net/ipv4": "net/ipv4/ping.o net/ipv4/icmp.o net/ipv4/arp.o net/ipv4/tcp_cong.o "
                "net/ipv4/tcp_timer.o net/ipv4/inetpeer.o net/ipv4/raw.o net/ipv4/ip_fragment.o "
                "net/ipv4/datagram.o net/ipv4/tcp_cubic.o net/ipv4/proc.o",
    "lib": "lib/string.o lib/bitmap.o lib/rbtree.o lib/radix-tree.o lib/xarray.o lib/kobject.o "
           "lib/hexdump.o lib/scatterlist.o lib/sort.o lib/idr.o lib/seq_buf.o lib/siphash.o",
}


class KernelError(Exception):
    """A tree or a plugin is not to be had; the text says what to do."""


class CompileError(Exception):
    """A unit that must compile does not."""


class Kernel:
    """A (version, arch) in which a test compiles single units."""

    def __init__(self, version, arch, targets, jobs):
        self.version, self.arch, self.jobs = version, arch, jobs
        self.title = f"{version} {arch}"
        self.build = record(version, arch, targets, jobs)

    def results(self, label, flags, names, last=()):
        """{unit: arms.Result} of an arm."""
        return arms.compile_arm(self.build, arms.Arm(label, flags, last), names, self.jobs)

    def object(self, label, flags, unit):
        """(path, elf.Object) of a unit; the compile must pass."""
        arm = arms.Arm(label, flags)
        result = arms.compile_arm(self.build, arm, [unit], self.jobs)[unit]
        if not result.ok:
            raise CompileError(f"compiler's exit status {result.status}: {result.stderr()[:500]}\n"
                               "repeat: " + arms.repeat_command(self.build, arm, unit))
        return result.object, elf.Object(result.object)


def compiler(arch):
    """The C compiler that kbuild uses for the architecture on this machine."""
    machine = os.uname().machine
    native = {"x86_64": "x86_64", "arm64": "aarch64"}[arch]
    triplet = {"x86_64": "x86_64-linux-gnu-", "arm64": "aarch64-linux-gnu-"}[arch]
    return "gcc" if machine == native else triplet + "gcc"


def missing(arch):
    """Why kernels of the architecture cannot be compiled here; None when they can."""
    cc = compiler(arch)
    return None if shutil.which(cc) else f"{cc} is not installed"


def wanted(tap, options, versions=VERSIONS):
    """
    (version, arch) that the options ask for, or all; one skipped test for each
    whose compiler is not there, unless it was asked for by name.
    """
    for version in options.kernel or versions:
        for arch in options.arch or ARCHES:
            reason = missing(arch)
            if reason and options.arch:
                raise KernelError(reason)
            if reason:
                tap.skip(f"{version} {arch}", reason)
            else:
                yield version, arch


def built_plugin(arch):
    """The plugin for compiler(arch): build/TARGET-VERSION/kiln.so; KILN_BUILD is another build/."""
    cc = compiler(arch)
    words = []
    for option in ("-dumpmachine", "-dumpversion"):
        try:
            words.append(subprocess.run([cc, option], check=True, capture_output=True,
                                        text=True).stdout.strip())
        except OSError as error:
            raise KernelError(f"{cc} is not installed") from error
    builds = os.environ.get("KILN_BUILD") or os.path.join(TOP, "build")
    path = os.path.join(builds, "-".join(words), "kiln.so")
    if not os.path.exists(path):
        raise KernelError(f"there is no {path}: run make PLUGIN_CC={cc}")
    return path


@functools.cache
def plugin(arch):
    """
    A copy of the plugin built for compiler(arch), made once in a run: what is
    built meanwhile does not get into the middle of it.
    """
    built = built_plugin(arch)
    copies = os.path.join(arms.cache_directory(), "plugins")
    identity = arms.file_hash(built)
    path = os.path.join(copies, identity[:16], "kiln.so")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    # Objects of whole kernels depend on it: a new one of the same content would
    # have them compiled again.
    if not os.path.exists(path) or arms.file_hash(path) != identity:
        arms.write_whole(path, lambda new: shutil.copyfile(built, new))
    os.utime(os.path.dirname(path))
    dated = sorted(os.scandir(copies), key=lambda entry: os.stat(entry.path).st_mtime)
    for old in dated[:-PLUGIN_COPIES]:
        shutil.rmtree(old.path, ignore_errors=True)
    return path


def policy(name):
    """A policy file of the kernel tests."""
    return os.path.join(POLICIES, name + ".policy")


def plugin_flags(arch, *arguments):
    """-fplugin and -fplugin-arg-kiln-ARGUMENT..."""
    return [f"-fplugin={plugin(arch)}"] + [f"-fplugin-arg-kiln-{word}" for word in arguments]


def made_directory(command, failure):
    """The directory that one of the programs beside `tree` makes and prints."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise KernelError(failure)
    return done.stdout.strip()


def source(version):
    """The directory of the unpacked kernel."""
    return made_directory([TREE, "source", version], f"tree source {version} failed")


def record(version, arch, targets=(), jobs=None, fragments=()):
    """
    The Build whose targets (default: all) are recorded; makes it if need be.
    FRAGMENTS of the configuration, if any, take the place of `cover`.
    """
    words = [word for fragment in fragments for word in ("--with", fragment)]
    command = [TREE, f"-j{jobs or os.cpu_count()}", *words, "record", version, arch, *targets]
    return arms.Build(made_directory(command, f"tree record {version} {arch} failed"))


def sample(seed, per_directory, always=ALWAYS):
    """ALWAYS and PER_DIRECTORY units of each list (lib's are small: one more); the same for a seed."""
    generator = random.Random(seed)
    names = set(always)
    for directory, pool in POOL.items():
        number = per_directory + (directory == "lib")
        names.update(generator.sample(pool.split(), number))
    return sorted(names)


def in_directory(names, directory):
    """Those of the units that count as the directory's."""
    return [name for name in names if units.directory_of(name) == directory]


def write_policy(text):
    """A file with the text, in the cache under its content's name; returns its path."""
    directory = os.path.join(arms.cache_directory(), "policies")
    os.makedirs(directory, exist_ok=True)
    name = hashlib.sha256(text.encode()).hexdigest()[:16] + ".policy"
    path = os.path.join(directory, name)

    def write(new):
        with open(new, "w", encoding="utf-8") as stream:
            stream.write(text)

    if not os.path.exists(path):
        arms.write_whole(path, write)
    return path
