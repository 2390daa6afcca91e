# SPDX-License-Identifier: GPL-2.0-or-later
"""The compilers under test, the plugin built for each, and test output as TAP.

The environment says what is tested:

	GOLDEN_CC	compilers, separated by commas (gcc,aarch64-linux-gnu-gcc)
	GOLDEN_BUILD	the directory with TARGET-VERSION/kiln.so in it (build)
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

DEFAULT_COMPILERS = "gcc,aarch64-linux-gnu-gcc"

# What a kernel is compiled with, so far as it changes code; by target.
KERNEL_FLAGS = {
    "common": "-O2 -std=gnu11 -fshort-wchar -funsigned-char -fno-common -fno-PIE"
              " -fno-strict-aliasing -fno-asynchronous-unwind-tables -fno-unwind-tables"
              " -fno-delete-null-pointer-checks -fno-allow-store-data-races"
              " -fstack-protector-strong -fno-omit-frame-pointer -fno-optimize-sibling-calls"
              " -fno-stack-clash-protection -fno-strict-overflow -fstack-check=no"
              " -fconserve-stack",
    "x86_64": "-m64 -mno-sse -mno-mmx -mno-sse2 -mno-3dnow -mno-avx -mno-80387"
              " -mno-fp-ret-in-387 -mpreferred-stack-boundary=3 -mskip-rax-setup"
              " -mtune=generic -mno-red-zone -mcmodel=kernel -fcf-protection=branch"
              " -mindirect-branch=thunk-extern -mindirect-branch-register"
              " -mfunction-return=thunk-extern -fno-jump-tables -falign-jumps=1"
              " -falign-loops=1 -pg -mfentry -mrecord-mcount",
    "aarch64": "-mlittle-endian -mgeneral-regs-only -mabi=lp64"
               " -mbranch-protection=pac-ret+leaf+bti -mstack-protector-guard=sysreg"
               " -mstack-protector-guard-reg=sp_el0 -mstack-protector-guard-offset=1264"
               " -fpatchable-function-entry=2",
}

ENVIRONMENT = dict(os.environ, LC_ALL="C", TZ="UTC")


def run(command, cwd=None, text=True):
    """A finished process; a compiler that hangs is killed and counts as crashed."""
    try:
        return subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True,
                              text=text, errors="replace" if text else None,
                              env=ENVIRONMENT, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -14, "", "timed out after 120 s")


def crashed(process):
    """Did the compiler die, as opposed to refuse?"""
    return process.returncode < 0 or any(
        words in process.stderr for words in
        ("internal compiler error", "confused by earlier errors", "signal terminated program"))


def command_line(command, cwd=None):
    """The command as one types it."""
    line = shlex.join(command)
    return f"cd {shlex.quote(cwd)} && {line}" if cwd else line


class Compiler:
    """One GCC: its command, target ("x86_64") and plugin; `missing` says why it is not there."""

    def __init__(self, command):
        self.name = command
        self.command = shlex.split(command)
        self.missing = None
        self.target = self.plugin = None
        if not shutil.which(self.command[0]):
            self.missing = f"there is no {self.command[0]}"
            return
        machine = self._ask("-dumpmachine")
        version = self._ask("-dumpversion")
        self.target = machine.split("-")[0]
        build = os.environ.get("GOLDEN_BUILD", os.path.join(ROOT, "build"))
        self.plugin = os.path.abspath(os.path.join(build, f"{machine}-{version}", "kiln.so"))
        self.objdump = self._ask("-print-prog-name=objdump")

    def _ask(self, question):
        return run(self.command + [question]).stdout.strip()

    def kernel_flags(self):
        """The words that KERNEL stands for."""
        return (KERNEL_FLAGS["common"] + " " + KERNEL_FLAGS.get(self.target, "")).split()

    def with_plugin(self, arguments=()):
        """The options that load the plugin with these arguments."""
        return [f"-fplugin={self.plugin}"] + [f"-fplugin-arg-kiln-{a}" for a in arguments]


def compilers(names=None):
    """Every compiler under test; stops when a plugin was not built."""
    wanted = names or os.environ.get("GOLDEN_CC", DEFAULT_COMPILERS).split(",")
    found = [Compiler(name) for name in wanted]
    for compiler in found:
        if not compiler.missing and not os.path.exists(compiler.plugin):
            print(f"Bail out! {compiler.plugin} is not built:"
                  f" make plugin PLUGIN_CC={compiler.name}")
            sys.exit(1)
    return found


class Tap:
    """Test Anything Protocol on stdout."""

    def __init__(self, plan):
        self.number = 0
        self.failures = 0
        print(f"1..{plan}", flush=True)

    def result(self, name, problems=(), xfail=None, skip=None):
        """One test: passed if there are no problems, each a text of one or more lines."""
        self.number += 1
        suffix = f" # TODO {xfail}" if xfail else f" # skip {skip}" if skip else ""
        if problems and not xfail:
            self.failures += 1
        print(f"{'not ok' if problems else 'ok'} {self.number} - {name}{suffix}", flush=True)
        # prove shows what stands on stderr, and stdout's comments only with -v.
        stream = sys.stdout if xfail else sys.stderr
        if problems:
            text = "\n".join([name] + [problem.rstrip() for problem in problems])
            print("# " + text.replace("\n", "\n#   "), file=stream, flush=True)


def scratch_directory():
    """A new directory for one test's files; the test removes it when it passes."""
    return tempfile.mkdtemp(prefix="kiln-golden-")
