# SPDX-License-Identifier: GPL-2.0-or-later
"""Boots a kernel of the tests under QEMU and reads what its tests said.

The guest is an initramfs: programs of Debian for its architecture
(testsuite/kernel/userland), the tree's own ftrace selftests, the kernel's
modules and testsuite/kernel/guest/init, which runs the tests and powers off.
Nothing but the serial console connects it with the host.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

import arms
import kernels

HERE = os.path.dirname(os.path.abspath(__file__))
KERNEL_TESTS = os.path.join(os.path.dirname(HERE), "kernel")
INIT = os.path.join(KERNEL_TESTS, "guest", "init")

KILLED_STATUS = "137"	# of timeout -s KILL
UP_TIMEOUT_S = 180	# until the first line of init; some 10 s on an idle machine
SILENCE_TIMEOUT_S = 300	# init kills a test after 240 s

# Tested on the machines that QEMU emulates; there is no KVM where CI runs.
QEMU = {"x86_64": ["qemu-system-x86_64"], "arm64": ["qemu-system-aarch64", "-M", "virt"]}
# Without pauth-impdef the emulated pointer authentication takes half the time.
CPU = {"x86_64": "max", "arm64": "max,pauth-impdef=on"}
QEMU_COMMON = ["-accel", "tcg,thread=multi", "-m", "1024", "-smp", "2", "-nodefaults", "-no-reboot",
               "-display", "none", "-serial", "stdio"]
CONSOLE = {"x86_64": "ttyS0", "arm64": "ttyAMA0"}
IMAGE = {"x86_64": "arch/x86/boot/bzImage", "arm64": "arch/arm64/boot/Image"}
LOADER = {"x86_64": "lib64/ld-linux-x86-64.so.2", "arm64": "lib/ld-linux-aarch64.so.1"}
LIBRARIES = {"x86_64": "lib/x86_64-linux-gnu", "arm64": "lib/aarch64-linux-gnu"}

RESULT = re.compile(r"^\[(\d+)\]( \(instance\) )?.*\[([A-Z]+)\]$")
# Of a kernel's complaint, what differs from boot to boot.
COMPLAINT_DETAIL = re.compile(r"^\[ *[0-9.]+\] |\b(CPU|PID): \d+ |\+0x[0-9a-f]+/0x[0-9a-f]+")


class BootError(Exception):
    """A guest cannot be made or started; the text says what to do."""


class Boot:
    """What a boot said. results: {"kprobe/x.tc": "PASS"...}, with " (instance)" for the second."""

    def __init__(self):
        self.release = None	# "6.1.192 x86_64" once init has run
        self.cpu = None		# "QEMU TCG CPU version 2.5+"; on arm64 a part number, "0xd0c"
        self.finished = False
        self.traceable = None	# number of functions
        self.untraceable = []	# functions that the host expected to be
        self.unexpected = []	# that it did not
        self.complaints = []
        self.results = {}
        self.logs = {}		# what a test that did not pass said last
        self.seconds = {}	# of each test file's run, on the host's clock


class Parser:
    """Reads console lines into a Boot."""

    def __init__(self):
        self.boot = Boot()
        self._test, self._began, self._lines = None, 0.0, []

    @property
    def test(self):
        """The test that is running, or None."""
        return self._test

    def line(self, text, now):
        """Takes one line; NOW in seconds."""
        word, _, rest = text.partition(" ")
        if word == "kiln:":
            what, _, value = rest.partition(" ")
            handler = getattr(self, "_on_" + what, None)
            if handler:
                handler(value, now)
        elif self._test:
            self._on_output(text)

    def _on_up(self, value, _):
        self.boot.release = " ".join(value.split()[:2])

    def _on_cpu(self, value, _):
        self.boot.cpu = value

    def _on_traceable(self, value, _):
        self.boot.traceable = int(value)

    def _on_untraceable(self, value, _):
        self.boot.untraceable.append(value)

    def _on_unexpected(self, value, _):
        self.boot.unexpected.append(value)

    def _on_complaint(self, value, _):
        self.boot.complaints.append(COMPLAINT_DETAIL.sub("", value))

    def _on_done(self, _, __):
        self.boot.finished = True

    def _on_begin(self, value, now):
        self._test, self._began, self._lines = value, now, []

    def _on_output(self, text):
        match = RESULT.match(text)
        if match:
            name = self._test + (" (instance)" if match[2] else "")
            self.boot.results[name] = match[3]
        elif text.startswith("log: "):
            self._lines.append(text[5:])

    def _on_end(self, value, now):
        name, _, status = value.rpartition(" ")
        if name != self._test:
            return
        self.boot.seconds[name] = now - self._began
        if status == KILLED_STATUS:	# in the first of its two runs, or in the second
            name += " (instance)" if name in self.boot.results else ""
            self.boot.results[name] = "KILLED"
        self.boot.results.setdefault(self._test, "NONE")
        if self._lines:
            self.boot.logs[self._test] = self._lines
        self._test = None


def console_boot(path):
    """The Boot that a console log tells of; its lines begin with the time."""
    parser = Parser()
    with open(path, encoding="utf-8", errors="replace") as stream:
        for line in stream:
            stamp, _, text = line.strip("\n").lstrip().partition("  ")
            with contextlib.suppress(ValueError):
                parser.line(text, float(stamp))
    return parser.boot


# ---- the initramfs -----------------------------------------------------------

def userland(arch):
    """The directory of the guest's programs."""
    return kernels.made_directory([os.path.join(KERNEL_TESTS, "userland"), arch],
                                  f"userland {arch} failed")


def copy_file(source, directory, name):
    """The file itself, where SOURCE is a link."""
    target = os.path.join(directory, name)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy(os.path.realpath(source), target)


def fill_root(root, arch, source, modules, files):
    """Everything of the initramfs, below ROOT. FILES: {name: text}."""
    programs = userland(arch)
    for name in ("bin/busybox", "usr/bin/nice", "usr/bin/chrt",
                 os.path.join(LIBRARIES[arch], "libc.so.6")):
        copy_file(os.path.join(programs, name), root, name)
    copy_file(os.path.join(programs, "bin/dash"), root, "bin/sh")
    # Found by its name below the library directory: at the top lib may be a link.
    loader = os.path.join(programs, LIBRARIES[arch], os.path.basename(LOADER[arch]))
    copy_file(loader, root, LOADER[arch])
    copy_file(INIT, root, "init")
    shutil.copytree(os.path.join(source, "tools/testing/selftests/ftrace"),
                    os.path.join(root, "ftrace"))
    if not os.path.isdir(modules):
        raise BootError(f"there are no modules in {modules}")
    shutil.copytree(modules, os.path.join(root, "lib/modules"), dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("build", "source"))
    for name, text in files.items():
        path = os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
    os.makedirs(os.path.join(root, "dev"), exist_ok=True)


def make_initramfs(path, arch, source, modules, files):
    """Writes the initramfs PATH."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path), prefix=".root-") as root:
        fill_root(root, arch, source, modules, files)
        names = sorted(os.path.relpath(os.path.join(place, name), root)
                       for place, directories, found in os.walk(root)
                       for name in directories + found)
        for name in names:	# the same files, the same bytes
            os.utime(os.path.join(root, name), (0, 0), follow_symlinks=False)
        with open(path + ".new", "wb") as stream:
            archive = subprocess.run(["cpio", "-o", "-H", "newc", "--quiet", "-R", "0:0", "--reproducible"],
                                     input="\n".join(names).encode(), cwd=root, check=True,
                                     stdout=subprocess.PIPE).stdout
            subprocess.run(["gzip", "-1n"], input=archive, stdout=stream, check=True)
    os.replace(path + ".new", path)


# ---- the boot ------------------------------------------------------------------

def qemu_command(arch, image, initramfs, cpu=None):
    """The words that boot IMAGE, on a CPU that QEMU knows or on the one that has most."""
    return (QEMU[arch] + ["-cpu", cpu or CPU[arch]] + QEMU_COMMON +
            ["-kernel", image, "-initrd", initramfs,
             "-append", f"console={CONSOLE[arch]} oops=panic panic=-1"])


def missing(arch):
    """Why guests of the architecture cannot be booted here; None when they can."""
    program = QEMU[arch][0]
    return None if shutil.which(program) else f"{program} is not installed"


def qemu_version(arch):
    """What the program says of itself."""
    return subprocess.run([QEMU[arch][0], "--version"], check=True, capture_output=True,
                          text=True).stdout


RUNNING = set()


def kill_all():
    """Ends the guests of all threads: nobody is left to read what they say."""
    for console in list(RUNNING):
        console.kill()


class Console:
    """A running QEMU: copies its console to a log with times, and to a Parser."""

    def __init__(self, command, log):
        self.parser, self.reason = Parser(), None
        self._log, self._start = log, time.monotonic()
        # A session of its own, so that whatever it started can be killed with it.
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, start_new_session=True)
        RUNNING.add(self)

    def kill(self):
        """Ends it, if it has not."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        RUNNING.discard(self)

    def run(self, timeout_s, progress):
        """Until it ends or has to be ended; self.reason says why it was."""
        os.set_blocking(self._process.stdout.fileno(), False)
        buffer, heard = b"", self._start
        while True:
            data = self._process.stdout.read()
            now = time.monotonic()
            if data:
                heard = now
                *lines, buffer = (buffer + data).split(b"\n")
                for line in lines:
                    self._take(line, now - self._start)
                progress(self.parser.boot)
            elif data == b"":
                break
            else:
                time.sleep(0.1)
            self.reason = self._overdue(now, heard, timeout_s)
            if self.reason:
                break
        self._take(buffer, time.monotonic() - self._start)

    def _take(self, line, seconds):
        text = line.decode("utf-8", "replace").rstrip("\r")
        self._log.write(f"{seconds:8.2f}  {text}\n")
        self._log.flush()
        self.parser.line(text, seconds)

    def _overdue(self, now, heard, timeout_s):
        if now - self._start > timeout_s:
            return f"not at its end after {timeout_s} s"
        if not self.parser.boot.release and now - self._start > UP_TIMEOUT_S:
            return f"not up after {UP_TIMEOUT_S} s"
        if now - heard > SILENCE_TIMEOUT_S:
            return f"silent for {SILENCE_TIMEOUT_S} s"
        return None


def boot(command, log_path, timeout_s, progress=lambda boot: None):
    """
    Runs QEMU to its end, at most TIMEOUT_S; the console goes to LOG_PATH.
    Returns (Boot, reason): REASON is None when the guest went through to the end.
    """
    os.makedirs(os.path.dirname(log_path), exist_ok=True)
    arms.remove(log_path)
    with open(log_path, "w", encoding="utf-8") as log:
        console = Console(command, log)
        try:
            console.run(timeout_s, progress)
        finally:
            console.kill()
    done = console.parser.boot
    if not done.finished and not console.reason:
        console.reason = "ended before its tests had" if done.release else "ended before it was up"
    if console.reason and console.parser.test:
        console.reason += f", in {console.parser.test}"
    return done, console.reason
