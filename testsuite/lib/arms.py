# SPDX-License-Identifier: GPL-2.0-or-later
"""Compiles units of a kernel again with other flags, and remembers the results.

An arm is a label and the flags that its compiles have more than kbuild's. They
stand where KCFLAGS stand in kbuild's command line, or after all its options. Only the compiler is run, in
the build directory: no dependency file, no objtool, in all arms alike.

Everything lies in OBJECTS/BUILD/LABEL/, mirroring the kernel's paths:

	fs/open.o	  the object; absent when the compiler failed
	fs/open.o.stderr  what the compiler said; absent when it said nothing
	fs/open.o.result  {"key": ..., "status": ..., "sha256": ...}, written last
	manifest	  SHA256 STATUS UNIT of the units asked for last

A result whose key is the wanted one is not compiled again, so an interrupted
run goes on where it stopped. The key covers the compiler's programs, the
plugin's and the policies' contents (files that a policy includes are not looked
at), the flags, the command and what the build directory was configured from.
"""

import concurrent.futures
import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import units

KEY_FORMAT = "1"
COMPILE_TIMEOUT_S = 600

# The five params of the arm64 RFC of January 2024, and GCC's values at -O2.
RFC_PARAMS = {
    "early-inlining-insns": 14,
    "inline-heuristics-hint-percent": 600,
    "inline-min-speedup": 15,
    "max-inline-insns-auto": 30,
    "max-inline-insns-single": 200,
}
CURRENT_PARAMS = {
    "early-inlining-insns": 6,
    "inline-heuristics-hint-percent": 200,
    "inline-min-speedup": 30,
    "max-inline-insns-auto": 15,
    "max-inline-insns-single": 70,
}


def param_flags(params):
    """["--param=NAME=VALUE"...]"""
    return [f"--param={name}={value}" for name, value in params.items()]


def cache_directory():
    """Where the tree command keeps its trees too."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.environ.get("KILN_CACHE") or os.path.join(base, "kiln")


def file_hash(path):
    """SHA-256 of a file's content, in hexadecimal."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class Build:
    """A prepared build directory and the units recorded there."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)
        data = units.load(path)
        self.source = data["source"]
        self.units = data["units"]
        with open(os.path.join(path, ".kiln-config"), encoding="ascii") as stream:
            self.config = stream.read().strip()
        self._compilers = {}

    def compiler_identity(self, compiler):
        """Hash over the driver and the programs it runs."""
        if compiler not in self._compilers:
            found = shutil.which(compiler)
            if not found:
                raise units.UnitsError(f"{compiler} is not installed")
            programs = [found]
            for name in ("cc1", "as"):
                output = subprocess.run([found, "-print-prog-name=" + name], check=True,
                                        capture_output=True, text=True).stdout.strip()
                programs.append(shutil.which(output) or output)
            text = " ".join(file_hash(os.path.realpath(program)) for program in programs)
            self._compilers[compiler] = text
        return self._compilers[compiler]

    def select(self, directories=None, names=None):
        """Unit names in the directories (default: those compared), or those named."""
        if names:
            missing = [name for name in names if name not in self.units]
            if missing:
                raise units.UnitsError(f"{self.name}: not recorded: {' '.join(missing)}")
            return sorted(names)
        wanted = directories or units.DIRECTORIES
        return [name for name, unit in self.units.items()
                if units.directory_of(name) in wanted and units.MARKER in unit["command"]]


class Arm:
    """A label and flags; the identity of the files that the flags name. LAST: after kbuild's options."""

    def __init__(self, label, flags, last=()):
        self.label = label
        self.flags = list(flags)
        self.last = list(last)
        self.identity = [self._identity(flag) for flag in self.flags]

    @staticmethod
    def _identity(flag):
        """The flag, with the content's hash in place of a file's name."""
        option, _, value = flag.partition("=")
        is_file = option == "-fplugin" or (option == "-fplugin-arg-kiln-policy" and
                                           ("/" in value or "." in value))
        return f"{option}={file_hash(value)}" if is_file else flag


class Result:
    """What came of one compile. object is None when there is no object."""

    def __init__(self, base, data):
        self.status = data["status"]
        self.sha256 = data["sha256"]
        self.key = data["key"]
        self.object = base if self.sha256 else None
        self.stderr_path = base + ".stderr"

    @property
    def ok(self):
        """An object was made and the compiler was content."""
        return self.status == 0 and self.sha256 is not None

    def stderr(self):
        """What the compiler said."""
        try:
            with open(self.stderr_path, encoding="utf-8", errors="replace") as stream:
                return stream.read()
        except FileNotFoundError:
            return ""


def compile_command(unit, flags, output, last=()):
    """kbuild's command with these KCFLAGS, with LAST after its options, and the object elsewhere."""
    words = []
    for word in unit["command"]:
        if word == units.MARKER:
            words += flags
        elif not word.startswith("-Wp,-M"):
            words.append(word)
    words[words.index("-o") + 1] = output
    end = words.index("-c")
    return words[:end] + list(last) + words[end:]


def unit_key(build, arm, unit):
    """What a result depends on, as a hash."""
    command = compile_command(unit, arm.identity, "OBJECT", arm.last)
    facts = [KEY_FORMAT, build.config, build.compiler_identity(command[0]), command]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def read_result(base, key):
    """The stored result, or None when there is none of that key."""
    try:
        with open(base + ".result", encoding="ascii") as stream:
            data = json.load(stream)
    except (OSError, ValueError):
        return None
    if data.get("key") != key:
        return None
    result = Result(base, data)
    return None if result.object and not os.path.exists(result.object) else result


def write_result(base, data):
    """Stores a result, after everything that it speaks of is in place."""
    with open(base + ".result.new", "w", encoding="ascii") as stream:
        json.dump(data, stream)
    os.replace(base + ".result.new", base + ".result")
    return Result(base, data)


def remove(path):
    """Deletes a file that may not exist."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def write_whole(path, write):
    """Makes the file PATH by WRITE (name) of another one; nobody sees a part of it."""
    new = f"{path}.new-{os.getpid()}"
    try:
        write(new)
        os.replace(new, path)
    finally:
        remove(new)


def run_compiler(command, cwd):
    """(status, stderr text); a compiler that does not end is killed."""
    environment = dict(os.environ, LC_ALL="C")
    for name in ("GCC_COLORS", "DEPENDENCIES_OUTPUT", "CPATH", "C_INCLUDE_PATH", "GCC_EXEC_PREFIX"):
        environment.pop(name, None)
    try:
        done = subprocess.run(command, cwd=cwd, env=environment, timeout=COMPILE_TIMEOUT_S,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, check=False)
    except subprocess.TimeoutExpired:
        return -1, f"no end after {COMPILE_TIMEOUT_S} s\n"
    return done.returncode, done.stderr.decode("utf-8", "replace")


def compile_unit(build, arm, name, directory, scratch):
    """Compiles one unit into DIRECTORY unless the stored result is the wanted one."""
    unit = build.units[name]
    base = os.path.join(directory, name)
    key = unit_key(build, arm, unit)
    stored = read_result(base, key)
    if stored:
        return stored
    for suffix in (".result", ".stderr", ""):
        remove(base + suffix)
    # The object's path ends like kbuild's while it is made: the plugin reads it.
    output = os.path.join(scratch, name)
    os.makedirs(os.path.dirname(output), exist_ok=True)
    os.makedirs(os.path.dirname(base), exist_ok=True)
    status, text = run_compiler(compile_command(unit, arm.flags, output, arm.last), build.path)
    if text:
        with open(base + ".stderr", "w", encoding="utf-8") as stream:
            stream.write(text.replace(scratch + "/", ""))
    sha256 = None
    if os.path.exists(output):
        sha256 = file_hash(output)
        os.replace(output, base)
    return write_result(base, {"key": key, "status": status, "sha256": sha256})


def write_manifest(directory, arm, results):
    """SHA256 STATUS UNIT, one line for each unit."""
    path = os.path.join(directory, "manifest")
    with open(path + ".new", "w", encoding="utf-8") as stream:
        stream.write(f"# {arm.label}: {' '.join(arm.flags + arm.last)}\n")
        for name, result in sorted(results.items()):
            stream.write(f"{result.sha256 or '-'} {result.status} {name}\n")
    os.replace(path + ".new", path)


@contextlib.contextmanager
def locked(path, operation):
    """Holds a lock of the file PATH; waits for it, and says so."""
    with open(path, "a", encoding="ascii") as stream:
        try:
            fcntl.flock(stream, operation | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"# waiting for another run: {path}", file=sys.stderr)
            fcntl.flock(stream, operation)
        yield


class Progress:
    """A line on standard error every few seconds."""

    def __init__(self, what, total, every_s=15):
        self.what, self.total, self.every = what, total, every_s
        self.start = self.last = time.monotonic()

    def step(self, done):
        """Called after each unit."""
        now = time.monotonic()
        if now - self.last >= self.every and done < self.total:
            self.last = now
            print(f"# {self.what}: {done} of {self.total} units, {now - self.start:.0f} s",
                  file=sys.stderr, flush=True)


def arm_directory(build, label):
    """Where an arm's objects lie."""
    return os.path.join(cache_directory(), "objects", build.name, label)


def compile_arm(build, arm, names, jobs):
    """{unit: Result} for the named units."""
    directory = arm_directory(build, arm.label)
    os.makedirs(directory, exist_ok=True)
    progress = Progress(f"{build.name} {arm.label}", len(names))
    results = {}
    with locked(build.path + ".lock", fcntl.LOCK_SH), locked(directory + ".lock", fcntl.LOCK_EX), \
            tempfile.TemporaryDirectory(dir=directory, prefix=".scratch-") as scratch, \
            concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(compile_unit, build, arm, name, directory, scratch): name
                   for name in names}
        try:
            for future in concurrent.futures.as_completed(futures):
                results[futures[future]] = future.result()
                progress.step(len(results))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
        write_manifest(directory, arm, results)
    return results


def failures(results):
    """Lines about the compiles of an arm that failed."""
    lines = []
    for name, result in sorted(results.items()):
        if not result.ok:
            said = result.stderr().strip().splitlines()[:3]
            lines.append(f"{name}: compiler's exit status {result.status}: {' / '.join(said)}")
    return lines


def differing_files(one, two):
    """Names, sorted, whose hashes differ or that one of two {name: hash} lacks."""
    return sorted(name for name in one.keys() | two.keys() if one.get(name) != two.get(name))


def different(one, two):
    """Units of the results ONE whose objects differ from TWO's, or are missing, as lines."""
    lines = failures(one) + failures({name: two[name] for name in one})
    for name in sorted(one):
        if one[name].ok and two[name].ok and one[name].sha256 != two[name].sha256:
            lines += [f"differs: {name}", f"  {one[name].object}", f"  {two[name].object}"]
    return lines


def adopt(build, targets):
    """
    Takes kbuild's own objects as the plain arm's, where kbuild ran nothing but
    the compiler. Called right after make, under the build directory's lock.
    """
    plain = Arm("plain", [])
    directory = arm_directory(build, plain.label)
    os.makedirs(directory, exist_ok=True)
    with locked(directory + ".lock", fcntl.LOCK_EX):
        for name, unit in build.units.items():
            if unit["after"] or not units.covers({"targets": targets}, name):
                continue
            base = os.path.join(directory, name)
            key = unit_key(build, plain, unit)
            if read_result(base, key):
                continue
            remove(base + ".result")
            remove(base + ".stderr")
            os.makedirs(os.path.dirname(base), exist_ok=True)
            shutil.copyfile(os.path.join(build.path, name), base + ".new")
            os.replace(base + ".new", base)
            write_result(base, {"key": key, "status": 0, "sha256": file_hash(base)})


def repeat_command(build, arm, name):
    """A shell line that compiles the unit again, into a file in the current directory."""
    output = os.path.join("/tmp", os.path.basename(name))
    words = compile_command(build.units[name], arm.flags, output, arm.last)
    return f"cd {build.path} && " + " ".join(quote(word) for word in words)


def quote(word):
    """The word for a shell."""
    plain = all(char.isalnum() or char in "-_./=,+:%@" for char in word)
    return word if plain else "'" + word.replace("'", "'\\''") + "'"
