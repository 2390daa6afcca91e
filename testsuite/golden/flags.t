#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""`all FLAG` in a policy is FLAG on the command line, for every flag that GCC has.

The flags are GCC's own lists: each --param with another value of its range, each
-f and -m flag of --help=optimizers, common and target switched or with another value,
each CPU. Compared is the assembly of a file that keeps the optimizers busy, with -g,
so that DW_AT_producer is compared too.

By default a sample of the flags is tested; its seed is printed, and
GOLDEN_SEED repeats it. --full tests all of them. Arguments that are flags test
these alone.

A flag that the plugin refuses, with a reason, is a skip. A flag of KNOWN means more to
the driver than to cc1, where the plugin is.
"""

import concurrent.futures
import os
import random
import re
import shutil
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
# pylint: disable=wrong-import-position
from compilers import (ROOT, Tap, command_line, compilers, crashed, run,  # noqa: E402
                       scratch_directory)

SOURCE = os.path.join(ROOT, "testsuite", "golden", "busy-part.c")
SAMPLE = 40

KNOWN = {
    "-fverbose-asm": "GCC names the plugins that are loaded",
    "-fno-asynchronous-unwind-tables":
        "the driver adds -fasynchronous-unwind-tables, which shows in DW_AT_producer",
    "-mandroid": "the driver adds -fPIC",
}


def listed(compiler, kind):
    """(flag, rest of the line) of each line of GCC's --help=KIND."""
    text = run(compiler.command + ["-O2", "-Q", f"--help={kind}"]).stdout
    return re.findall(r"^  (-\S+)[ \t]*(.*?)\s*$", text, re.MULTILINE)


def other_number(low, high, value):
    """A value of the range other than VALUE, and not far from it; None: there is none."""
    for candidate in (value * 2 + 1, value + 1, value - 1, value // 2, low, high):
        if low <= candidate <= high and candidate != value:
            return candidate
    return None


def other_value(flag, rest):
    """The flag with a value that it does not have; None: nothing to choose from.

    GCC lists "--param=NAME=<0,9>", "--param=NAME=", "-fNAME=[one|other]", "-fNAME=".
    """
    bare, span, words = re.match(r"(.*?)(?:<(-?\d+),(-?\d+)>.*|\[(.*)\].*)?$",
                                 flag).group(1, 2, 4)
    if words:
        others = [word for word in words.split("|") if word != rest and "<" not in word]
        return bare + others[0] if others else None
    if not bare.endswith("=") or not re.fullmatch(r"-?\d+", rest):
        return None
    low, high = map(int, re.search(r"<(-?\d+),(-?\d+)>", flag).groups()) if span else (0, 1 << 30)
    number = other_number(low, high, int(rest))
    return None if number is None else f"{bare}{number}"


def other_setting(flag, rest):
    """What sets a listed flag otherwise than it is; None: nothing does."""
    if not re.fullmatch(r"-[fm][\w+.-]+", flag):
        return other_value(flag, rest)
    return flag[:2] + "no-" + flag[2:] if rest == "[enabled]" else flag


def target_values(compiler):
    """-mNAME=VALUE of each line of values that --help=target ends with, and each CPU."""
    text = run(compiler.command + ["-Q", "--help=target"]).stdout
    blocks = re.findall(r"(-m[\w-]+=).*:\n    (.*)", text)
    flags = [name + value for name, values in blocks for value in values.split()]
    table = run(compiler.command + compiler.with_plugin(["cpus"]) +
                ["-S", "-x", "c", "/dev/null", "-o", "/dev/null"]).stdout
    for name, arch in re.findall(r"^cpu\t(\S+)\t(\S+)", table, re.MULTILINE):
        flags += ["-mcpu=" + name, "-mtune=" + name, "-march=" + arch]
    return flags


def all_flags(compiler):
    """One flag for each that GCC has: another value, or the other way around."""
    lines = (listed(compiler, "params") + listed(compiler, "optimizers") +
             listed(compiler, "common") + listed(compiler, "target"))
    settings = (other_setting(flag, rest) for flag, rest in lines
                if flag.startswith(("--param", "-f", "-m")))
    return sorted({setting for setting in settings if setting} | set(target_values(compiler)))


class Comparison:
    """One flag with one compiler: given twice, as a flag and in a policy."""

    def __init__(self, compiler, flag):
        self.compiler = compiler
        self.flag = flag
        self.name = f"{flag} ({compiler.name})"
        self.refused = None
        self.commands = []

    def _compile(self, directory, output, options):
        """(process, assembly); the output's name is the same each time, some flags write it."""
        command = self.compiler.command + ["-O2", "-g", "-w", "-frandom-seed=1"] + options + [
            "-S", SOURCE, "-o", "out.s"]
        self.commands.append(command_line(command, directory))
        process = run(command, cwd=directory)
        if not os.path.exists(os.path.join(directory, "out.s")):
            return process, None	# an error, or a flag such as -fhelp
        os.rename(os.path.join(directory, "out.s"), os.path.join(directory, output))
        with open(os.path.join(directory, output), "rb") as stream:
            return process, stream.read()

    def problems(self):
        """What differs."""
        directory = scratch_directory()
        with open(os.path.join(directory, "one.policy"), "w", encoding="utf-8") as stream:
            stream.write(f"all {self.flag}\n")
        problems = self._judge(
            *self._compile(directory, "flag.s", [self.flag]),
            *self._compile(directory, "policy.s",
                           self.compiler.with_plugin(["policy=one.policy", "noguard"])))
        if problems:
            return problems + ["repeat:"] + self.commands
        shutil.rmtree(directory)
        return []

    def _judge(self, one, flag_assembly, other, policy_assembly):
        if crashed(other):
            return ["the compiler crashed", other.stderr]
        refusal = re.search(r"^one.policy:1:5: error: (.*)", other.stderr, re.MULTILINE)
        if other.returncode and refusal:
            self.refused = None if one.returncode else refusal.group(1)
            return []
        if one.returncode != other.returncode:
            return [f"as a flag: exit status {one.returncode}", one.stderr,
                    f"in a policy: exit status {other.returncode}", other.stderr]
        return [] if flag_assembly == policy_assembly else ["the assembly differs"]


def chosen(compiler, words):
    """The flags to test with a compiler."""
    wanted = [word for word in words if word != "--full"]
    if compiler.missing or wanted:
        return wanted or ["all flags"]
    flags = all_flags(compiler)
    if "--full" in words:
        return flags
    seed = os.environ.get("GOLDEN_SEED", str(int(time.time())))
    print(f"# {SAMPLE} of {len(flags)} flags of {compiler.name}, GOLDEN_SEED={seed}")
    return sorted(random.Random(seed).sample(flags, SAMPLE))


def main():
    """The command."""
    if "--help" in sys.argv:
        print(__doc__)
        return 0
    comparisons = [Comparison(compiler, flag) for compiler in compilers()
                   for flag in chosen(compiler, sys.argv[1:])]
    tap = Tap(len(comparisons))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = [None if c.compiler.missing else pool.submit(c.problems) for c in comparisons]
        for one, result in zip(comparisons, results):
            problems = result.result() if result else ()
            tap.result(one.name, problems, KNOWN.get(one.flag) if problems else None,
                       one.compiler.missing or one.refused)
    return 1 if tap.failures else 0


if __name__ == "__main__":
    sys.exit(main())
