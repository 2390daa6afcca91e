# SPDX-License-Identifier: GPL-2.0-or-later
"""GCC's own gcc.c-torture: where its sources come from, and what one of its files is to be compiled with.

Debian's package gcc-VERSION-source has them in a tarball. The directories execute and compile are
unpacked into CACHE/torture/NAME-OF-THE-TARBALL, where they are only when they are complete.
"""

import collections
import contextlib
import fnmatch
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import arms

SUITES = ("execute", "compile")
TRIPLET = "x86_64-pc-linux-gnu"

# What some of the suite's directories need besides, as their .exp files have it.
DIRECTORY_OPTIONS = {
    "execute/ieee": ["-fno-inline"],
    "execute/builtins": ["-fno-tree-dse", "-fno-tree-loop-distribute-patterns", "-fno-tracer",
                         "-fno-ipa-ra", "-fno-inline-functions"],
}

# GCC's names for what a target can do, as they are of x86_64 Linux; those that options here ask for.
TARGET_IS = {
    "fpic": True, "ia32": False, "ilp32": False, "lp64": True, "newlib_nano_io": False, "pie": True,
    "short_enums": False, "signal": True,
}


class Missing(Exception):
    """The sources are not there, and why."""


class Unsuitable(Exception):
    """A file is not for this target or runner, and why."""


# name: relative to gcc.c-torture; others: sources linked with it
Case = collections.namedtuple("Case", "name path options others")


# ---- the sources -------------------------------------------------------------


def tarball(version):
    """Path of the sources of that GCC."""
    package = f"gcc-{version}-source"
    found = sorted(glob.glob(f"/usr/src/gcc-{version}/gcc-*.tar.*"))
    if not found:
        raise Missing(f"package {package} is not installed")
    return found[0]


def unpack(version):
    """Directory with execute and compile in it; unpacked if it is not there yet."""
    archive = tarball(version)
    base = os.path.join(arms.cache_directory(), "torture")
    directory = os.path.join(base, os.path.basename(archive).split(".tar.")[0])
    if os.path.isdir(directory):
        return directory
    os.makedirs(base, exist_ok=True)
    print(f"# unpacking {archive}", file=sys.stderr, flush=True)
    scratch = tempfile.mkdtemp(dir=base, prefix=".unpack-")
    try:
        subprocess.run(["tar", "-x", "-f", archive, "-C", scratch, "--no-same-owner", "--strip-components=4",
                        "--wildcards", *(f"*/gcc/testsuite/gcc.c-torture/{suite}" for suite in SUITES)],
                       check=True)
        for suite in SUITES:
            if not names(scratch, suite):
                raise Missing(f"{archive} has no gcc.c-torture/{suite}")
        os.chmod(scratch, 0o755)
        with contextlib.suppress(OSError):	# another run may have been first
            os.rename(scratch, directory)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return directory


# ---- dg directives -------------------------------------------------------------


def words_of(text):
    """Tokens of a selector: braces, operators, names."""
    return re.findall(r"[{}!]|&&|\|\||[^\s{}!&|]+", text.replace('"', " "))


def is_target(words):
    """Does the selector hold? Lists of names are alternatives; WORDS is used up."""
    value, operator = None, "||"
    while words and words[0] != "}":
        word = words.pop(0)
        if word in ("&&", "||"):
            operator = word
            continue
        negated = word == "!"
        if negated:
            word = words.pop(0)
        if word == "{":
            found = is_target(words)
            words.pop(0)
        elif "-" in word:
            found = fnmatch.fnmatchcase(TRIPLET, word)
        elif word in TARGET_IS:
            found = TARGET_IS[word]
        else:
            raise Unsuitable(f"options for targets with '{word}'")
        found = found != negated
        value = found if value is None else value and found if operator == "&&" else value or found
        operator = "||"
    return bool(value)


DIRECTIVE = re.compile(r"\{ *dg-(?P<more>additional-)?options +(?:\"(?P<quoted>[^\"]*)\"|\{(?P<braced>[^}]*)\}) *"
                       r"(?P<selector>\{ *target .*\})? *\} *\*/")


def options_of(text):
    """Options that the file's own comments ask for."""
    first, more = [], []
    directives = re.findall(r"dg-(?:additional-)?options", text)
    matches = list(DIRECTIVE.finditer(text))
    if len(matches) != len(directives):
        raise Unsuitable("dg-options of a form that is not read")
    for match in matches:
        selector = match["selector"]
        if selector and not is_target(words_of(selector[1:-1].strip().removeprefix("target"))):
            continue
        words = shlex.split((match["quoted"] or match["braced"] or "").replace('"', " "))
        if match["more"]:
            more += words
        else:
            first = words
    return first + more


def case(root, name):
    """The Case of a file; raises Unsuitable."""
    path = os.path.join(root, name)
    directory = os.path.dirname(name)
    with open(path, encoding="latin-1") as stream:
        options = DIRECTORY_OPTIONS.get(directory, []) + options_of(stream.read())
    others = []
    if directory == "execute/builtins":
        others = [path[:-2] + "-lib.c", os.path.join(root, directory, "lib", "main.c")]
    return Case(name, path, options, others)


def names(root, suite):
    """Names of the suite's files: every one that is a test of its own."""
    found = []
    for directory, directories, files in os.walk(os.path.join(root, suite)):
        directories[:] = [name for name in directories if name != "lib"]
        found += [os.path.relpath(os.path.join(directory, name), root) for name in files
                  if name.endswith(".c") and not name.endswith("-lib.c")]
    return sorted(found)
