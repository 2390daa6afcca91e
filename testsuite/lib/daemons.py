# SPDX-License-Identifier: GPL-2.0-or-later
"""Compile farms of one machine: real distccd, icecc-scheduler and iceccd on the loopback."""

import contextlib
import os
import shutil
import socket
import subprocess
import time

START_TIMEOUT_S = 30


class DaemonError(Exception):
    """A daemon does not come up; the text has the end of its log."""


def missing(*programs):
    """Why the programs cannot be run; None when they can."""
    absent = [name for name in programs if not program(name)]
    if absent:
        return f"no {' '.join(absent)}: make setup"
    if os.geteuid() and any(name.endswith("d") for name in programs):
        return "the daemons change to users of their own: root only"
    return None


def program(name):
    """Its path: daemons need not be in PATH."""
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")


def is_hidden(path, user):
    """Can the user not get to the directory, as below a home of mode 700?"""
    command = ["setpriv", "--reuid", user, "--clear-groups", "test", "-r", path]
    return subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode != 0


def free_port():
    """A TCP port that nobody listens on now."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def read(path):
    """What a log has so far."""
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read()
    except FileNotFoundError:
        return ""


def wait_for(text, log):
    """Until the log has the text."""
    end = time.monotonic() + START_TIMEOUT_S
    while text not in read(log):
        if time.monotonic() > end:
            raise DaemonError(f"no '{text}' in {log} after {START_TIMEOUT_S} s:\n{read(log)[-2000:]}")
        time.sleep(0.2)


def start(stack, command, **environment):
    """Runs a daemon until the stack is left."""
    # pylint: disable=consider-using-with
    child = subprocess.Popen([program(command[0]), *command[1:]], env=dict(os.environ, **environment),
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)

    def stop():
        child.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(10)

    stack.callback(stop)


class Distcc:
    """One distccd. environment: for its client."""

    def __init__(self, stack, directory):
        os.makedirs(directory)
        os.chmod(directory, 0o777)
        port = free_port()
        self.log = os.path.join(directory, "distccd.log")
        client = os.path.join(directory, "client")
        os.mkdir(client)
        self.environment = {"DISTCC_HOSTS": f"127.0.0.1:{port}/2", "DISTCC_DIR": client}
        start(stack, ["distccd", "--no-detach", "--daemon", "--allow", "127.0.0.1", "--listen",
                      "127.0.0.1", "--port", str(port), "--jobs", "2", "--log-file", self.log,
                      "--verbose", "--enable-tcp-insecure"])
        wait_for("listening", self.log)

    def compiled(self):
        """How many units the server compiled, and how many it was asked for."""
        text = read(self.log)
        return text.count("COMPILE_OK"), text.count("(dcc_job_summary)")


class Icecream:
    """A scheduler and two nodes, of which one takes jobs of others. environment: for a client of the other."""

    def __init__(self, stack, directory):
        os.makedirs(directory)
        shutil.chown(directory, "icecc")
        port = free_port()
        name = f"kiln{port}"
        self.directory = directory
        self.client_log = os.path.join(directory, "client.log")
        tests = {"ICECC_TESTS": "1", "ICECC_TEST_SCHEDULER_PORTS": f"{port}:{port + 2}"}
        log = self.log("scheduler")
        start(stack, ["icecc-scheduler", "-p", str(port), "-l", log, "-n", name, "-vvv"], **tests)
        wait_for("announcement", log)
        for node, options in (("local", ["--no-remote"]), ("remote", ["-p", str(free_port())])):
            environments = os.path.join(directory, "environments-" + node)
            os.mkdir(environments)
            shutil.chown(environments, "icecc", "icecc")
            start(stack, ["iceccd", *options, "-m", "2", "-b", environments, "-l", self.log(node), "-n", name,
                          "-N", node + "ice", "-vvv", "-u", "icecc"],
                  ICECC_TEST_SOCKET=os.path.join(directory, "socket-" + node),
                  ICECC_SCHEDULER=f":{port}", **tests)
        for node in ("local", "remote"):
            wait_for(f"login {node}ice", log)
        self.environment = {
            "ICECC_TEST_SOCKET": os.path.join(directory, "socket-local"), "ICECC_TEST_REMOTEBUILD": "1",
            "ICECC_PREFERRED_HOST": "remoteice", "ICECC_ENV_COMPRESSION": "none",
            "ICECC_DEBUG": "info", "ICECC_LOGFILE": self.client_log}

    def log(self, node):
        """The log of a daemon."""
        return os.path.join(self.directory, node + ".log")

    def compiled(self):
        """How many compiles the other node has finished without an error."""
        return read(self.log("remote")).count("Remote compilation completed with exit code 0")
