"""Runs jobs of the victim, and finds what they leave behind.

Each test process copies the victim under a name of its own, so that leftovers of its jobs can be distinguished from
others.
"""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, TESTS)
import harness  # noqa: E402  (found only with the path above)

BUILD = os.environ.get("TESTED_BUILD") or os.path.join(TESTS, "..", "build")
BIN = os.path.join(os.path.abspath(BUILD), "bin")
UPCRUN = os.path.join(BIN, "upcrun")
LIMIT = harness.HANGS

FOLDER = tempfile.mkdtemp(prefix="banyan-run-")
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)  # also if a test has its own main
VICTIM = os.path.join(FOLDER, "victim")


# In a build with AddressSanitizer, the runtime's own handlers must be tested, not the sanitizer's.
NO_HANDLERS = ":".join("handle_%s=0" % name for name in ("segv", "sigbus", "abort", "sigill", "sigfpe", "sigtrap"))


def environment(**more):
    ours = ("BANYAN_", "UPC", "GASNET_", "ASAN_")
    env = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    env.update(LC_ALL="C", ASAN_OPTIONS=NO_HANDLERS)
    env.update(more)
    return env


def starts_two_programs(launcher, env):
    """Open MPI 5.0.10 of Ubuntu 26.04 crashes where a ':' separates two programs."""
    done = subprocess.run([launcher, "-n", "1", "true", ":", "-n", "1", "true"], capture_output=True, env=env,
                          timeout=LIMIT, check=False)
    return done.returncode != -signal.SIGSEGV


class Ended:
    """How a job ended: status is negative for a signal, as in subprocess."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err
        self.lines = out.splitlines()
        self.errors = err.splitlines()

    @property
    def shell_status(self):
        return self.status if self.status >= 0 else 128 - self.status


def start(count, *arguments, before=(), options=(), launcher=True, program=VICTIM, **popen):
    """Starts a job, by the command `before` if there is one; its standard files are pipes unless popen says otherwise.
    """
    number = [] if count is None else ["-n", str(count)]
    command = [UPCRUN, *number, *options, program] if launcher else [program, *number]
    popen = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment(),
             "cwd": FOLDER, "preexec_fn": harness.default_signals, **popen}
    return subprocess.Popen([*before, *command, *map(str, arguments)], **popen)


def finish(job, data=None):
    try:
        out, err = job.communicate(data, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        job.kill()
        job.communicate()
        raise
    text = [part.decode("latin-1") if part is not None else "" for part in (out, err)]
    return Ended(job.returncode, *text)


def run(count, *arguments, data=None, **more):
    if data is not None:
        more["stdin"] = subprocess.PIPE
    return finish(start(count, *arguments, **more), data)


def state_of(process):
    with open("/proc/%d/stat" % process) as file:
        return file.read().rsplit(")", 1)[1].split()[0]


def processes(program=VICTIM):
    """Processes that run this test's victim, or another program."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                if os.readlink("/proc/%s/exe" % entry).startswith(program):
                    found.append(int(entry))
            except OSError:
                pass
    return found


def wait_until(condition, limit=LIMIT):
    """Waits until the condition is true; returns whether it became true within the limit, which is far longer than it
    should take."""
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def read_until(stream, text):
    """Reads from a pipe until text has come; returns everything read, which lacks text if the pipe ended first."""
    got = b""
    while text not in got:
        now = os.read(stream.fileno(), 65536)
        if not now:
            break
        got += now
    return got


class JobTest(unittest.TestCase):
    """After each test none of its jobs' processes may be left."""

    def tearDown(self):
        gone = wait_until(lambda: not processes())
        left = processes()
        for process in left:
            os.kill(process, 9)
        self.assertTrue(gone, "left behind: %s" % left)

    def assert_one_line(self, ended, *parts):
        """Exactly one line on standard error, with these parts."""
        self.assertEqual(len(ended.errors), 1, ended.err)
        for part in parts:
            self.assertIn(part, ended.errors[0])


def main():
    shutil.copy(os.path.join(BIN, "victim"), VICTIM)
    for extra in ("victim_static", "victim_mixed"):
        shutil.copy(os.path.join(BIN, extra), FOLDER)
    unittest.main(verbosity=1)


if not os.access(os.path.join(BIN, "victim"), os.X_OK):
    sys.exit("%s: build the target `tests` first" % sys.argv[0])
