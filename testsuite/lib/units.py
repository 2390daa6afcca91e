#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The compiler command of each C unit of a kernel, as kbuild recorded it.

kbuild keeps the command that made X.o in .X.o.cmd, as a make assignment
(cmd_X.o until 6.4, savedcmd_X.o since):

	savedcmd_fs/open.o := gcc -Wp,-MMD,fs/.open.o.d ... -c -o fs/open.o .../fs/open.c ; objtool ... fs/open.o

The first command compiles; what follows (objtool, recordmcount, modversions)
works on the object and is kept apart, in `after`. The tree command builds with
KCFLAGS=-DKILN_KCFLAGS_GO_HERE, so MARKER stands where KCFLAGS stand.

`record` reads these files once, right after a plain make, into one JSON file in
the build directory. Tests read that file and never the .cmd files: anyone may
run make with other flags in the same directory later.

	{"source": DIR, "targets": [...],
	 "units": {"fs/open.o": {"source": "fs/open.c", "command": [...], "after": [...]}}}
"""

import json
import os
import re
import shlex
import sys

FILE = ".kiln-commands.json"
MARKER = "-DKILN_KCFLAGS_GO_HERE"

# The directories over which objects are compared.
DIRECTORIES = ("fs", "mm", "kernel/sched", "net/ipv4", "lib")

ASSIGNMENT = re.compile(r"^(?:saved)?cmd_(\S+) := (.*)$")


class UnitsError(Exception):
    """Nothing recorded, or a recorded file that cannot be read."""


def unescape(text):
    """The shell's text of a command that make reads from a .cmd file."""
    return text.replace("$(pound)", "#").replace("$$", "$")


def split_commands(words):
    """[first command, second command...] of a shell line without other operators."""
    commands = [[]]
    for word in words:
        if word in (";", "&&"):
            commands.append([])
        else:
            commands[-1].append(word)
    return [command for command in commands if command]


def parse_cmd_file(path, source_tree):
    """(object, unit) for a .cmd file of a C unit, None for anything else."""
    with open(path, encoding="utf-8") as stream:
        match = ASSIGNMENT.match(stream.readline())
    if not match:
        return None
    target, line = match.group(1), unescape(match.group(2))
    lexer = shlex.shlex(line, posix=True, punctuation_chars=";&")
    lexer.whitespace_split = True
    commands = split_commands(list(lexer))
    if not commands or "-c" not in commands[0] or not commands[0][-1].endswith(".c"):
        return None
    command = commands[0]
    if "__KERNEL__" not in line:
        return None
    source = os.path.normpath(command[-1])
    if os.path.isabs(source):
        source = os.path.relpath(source, source_tree)
    return target, {"source": source, "command": command, "after": commands[1:]}


def cmd_files(build, target):
    """The .cmd files below a directory ("fs/") or of one object ("fs/open.o")."""
    if not target.endswith("/"):
        directory, name = os.path.split(target)
        path = os.path.join(build, directory, "." + name + ".cmd")
        return [path] if os.path.exists(path) else []
    found = []
    for directory, _, names in os.walk(os.path.join(build, target)):
        found += [os.path.join(directory, name) for name in names if name.endswith(".o.cmd")]
    return found


def record(source_tree, build, targets):
    """Adds the units of the targets, all just made by make, to the recorded ones."""
    data = {"source": source_tree, "targets": [], "units": {}}
    if os.path.exists(os.path.join(build, FILE)):
        data = load(build)
    for target in targets:
        for path in cmd_files(build, target):
            parsed = parse_cmd_file(path, source_tree)
            if parsed:
                data["units"][parsed[0]] = parsed[1]
    data["targets"] = sorted(set(data["targets"]) | set(targets))
    data["units"] = dict(sorted(data["units"].items()))
    temporary = os.path.join(build, FILE + ".new")
    with open(temporary, "w", encoding="utf-8") as stream:
        json.dump(data, stream, indent=0)
    os.replace(temporary, os.path.join(build, FILE))


def load(build):
    """What record() wrote."""
    try:
        with open(os.path.join(build, FILE), encoding="utf-8") as stream:
            return json.load(stream)
    except (OSError, ValueError) as error:
        raise UnitsError(f"{build}: no recorded units, run testsuite/kernel/tree record ({error})") from error


def covers(data, target):
    """Was the target, or a directory that holds it, recorded?"""
    return any(target == have or (have.endswith("/") and target.startswith(have))
               for have in data["targets"])


def directory_of(unit):
    """Which of DIRECTORIES a unit belongs to, or its own directory."""
    for directory in DIRECTORIES:
        if unit.startswith(directory + "/"):
            return directory
    return os.path.dirname(unit)


def count(data):
    """{directory: number of units}"""
    numbers = dict.fromkeys(DIRECTORIES, 0)
    for unit in data["units"]:
        directory = directory_of(unit)
        numbers[directory] = numbers.get(directory, 0) + 1
    return numbers


def main(arguments):
    """record SOURCE BUILD TARGET... | has BUILD TARGET... | count BUILD"""
    command, rest = arguments[0], arguments[1:]
    if command == "record":
        record(rest[0], rest[1], rest[2:])
        return 0
    if command == "has":
        try:
            data = load(rest[0])
        except UnitsError:
            return 1
        return 0 if all(covers(data, target) for target in rest[1:]) else 1
    if command == "count":
        for directory, number in count(load(rest[0])).items():
            print(f"{number:5} {directory}/")
        return 0
    print(f"usage: units.py {main.__doc__}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:] or [""]))
    except UnitsError as problem:
        sys.exit(f"units.py: {problem}")
