"""What the test runners share: finding the tools, running commands with a time limit, a pool of jobs, progress and
summary."""

import collections
import concurrent.futures
import importlib.machinery
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SKIP = 77  # exit status of a runner that could not test anything
# More processes than cores, for Open MPI 4 and 5
OVERSUBSCRIBE = {"OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
HANGS = 300  # seconds: whatever takes longer hangs, however busy the machine is


class Result:
    """How one command ended. status is negative for a signal, None if it timed out."""

    def __init__(self, status, out, err, seconds):
        self.status = status
        self.out = out
        self.err = err
        self.seconds = seconds


def run(command, timeout=HANGS, cwd=None, env=None, stdin=None, at_timeout=None):
    """Runs a command in a process group of its own; after the time limit, calls at_timeout and kills the group."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, cwd=cwd, env=env, stdout=out, stderr=err, start_new_session=True,
                                   stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL)
        try:
            if stdin is not None:
                try:
                    process.stdin.write(stdin.encode())
                    process.stdin.close()
                except BrokenPipeError:
                    pass
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            status = None
            if at_timeout:
                at_timeout()
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        out.seek(0)
        err.seek(0)
        return Result(status, out.read().decode(errors="replace"), err.read().decode(errors="replace"),
                      time.monotonic() - start)


def comma_locale(folder):
    """Variables for a locale with decimal commas (0,5), which is made in the folder; None if that is not possible here.
    """
    name = "de_DE.ISO-8859-1"   # whose files are made in a quarter of the time of UTF-8
    try:
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "ISO-8859-1", os.path.join(folder, name)],
                              capture_output=True, timeout=HANGS, check=False)
    except FileNotFoundError:
        return None
    return {"LC_ALL": name, "LOCPATH": folder} if made.returncode == 0 else None


def default_signals():
    """For preexec_fn in tests about signals: processes in the background, or under nohup, inherit that some signals are
    ignored."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def is_alive(number):
    """Whether a process has not ended. A zombie has: in a container the first process may not collect it before its
    own end."""
    try:
        with open(f"/proc/{number}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def end_at_sigterm():
    """For runners that take long: SIGTERM, as from timeout(1), ends them like an exception, so that run() kills what it
    has started."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))


def load(*path):
    """Loads a command of the project, whose name has no suffix, as a module.  path: from the root"""
    name = "_".join(path).replace("-", "_")
    loader = importlib.machinery.SourceFileLoader(name, os.path.join(ROOT, *path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def find_tool(given, name):
    """Path of upcc or upcrun: from the command line, from the build in place, or from the PATH."""
    candidates = [given] if given else [os.path.join(ROOT, "build", "bin", name), shutil.which(name)]
    for candidate in candidates:
        if candidate and os.access(candidate, os.X_OK):
            return os.path.abspath(candidate)
    sys.exit("%s: no usable %s; build it first, or give its path" % (sys.argv[0], given or name))


def environment(**more):
    """The caller's environment without variables that would affect the tests."""
    env = {key: value for key, value in os.environ.items()
           if not key.startswith(("BANYAN_", "UPC_", "UPCC_", "UPCRUN_", "GCC_COLORS"))}
    env["LC_ALL"] = "C"
    env.update(more)
    return env


def lines_of_skipped(skipped):
    """How many tests did not run for each reason, in lines that scripts/check reads.  skipped: pairs of a test and its
    reason"""
    counts = collections.Counter(" ".join(reason.split()) for _, reason in skipped)
    return ["skipped %d: %s" % (count, reason) for reason, count in sorted(counts.items())]


def line_of_counts(passed, failed, skipped):
    """For scripts/check, too"""
    return "%d passed, %d failed, %d skipped" % (passed, failed, skipped)


class Report:
    """Counts outcomes, prints progress and failures as they occur, and the summary."""

    def __init__(self, total, verbose=False):
        self.total = total
        self.passed = 0
        self.failed = []
        self.skipped = []
        self.verbose = verbose
        self.terminal = sys.stdout.isatty()
        self.start = time.monotonic()
        self.last_line = self.start

    def add(self, name, outcome, detail=""):
        """outcome is "pass", "fail" or "skip"."""
        if outcome == "pass":
            self.passed += 1
        elif outcome == "skip":
            self.skipped.append((name, detail))
        else:
            self.failed.append(name)
            self._clear()
            print("FAIL: %s\n%s" % (name, "".join("    %s\n" % line for line in detail.splitlines()[:60])), flush=True)
        if self.verbose:
            print("%s: %s" % (outcome, name), flush=True)
        self._progress(name)

    def done(self):
        return self.passed + len(self.failed) + len(self.skipped)

    def _clear(self):
        if self.terminal:
            print("\r\033[K", end="")

    def _progress(self, name):
        now = time.monotonic()
        if self.terminal:
            print("\r\033[K[%d/%d] %s" % (self.done(), self.total, name[:90]), end="", flush=True)
        elif now - self.last_line >= 10:
            self.last_line = now
            print("[%d/%d] %d failed, %.0f s" % (self.done(), self.total, len(self.failed), now - self.start),
                  flush=True)

    def finish(self):
        """Prints the summary and returns the exit status."""
        self._clear()
        for line in lines_of_skipped(self.skipped):
            print(line)
        for name in self.failed:
            print("failed: %s" % name)
        print("%s in %.0f s" % (line_of_counts(self.passed, len(self.failed), len(self.skipped)),
                                time.monotonic() - self.start), flush=True)
        if self.failed:
            return 1
        return 0 if self.passed or not self.skipped else SKIP


def run_jobs(jobs, work, report, workers):
    """Calls work(job), which yields (name, outcome, detail) tuples, for all jobs, several at a time."""
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        pending = {pool.submit(lambda job=job: list(work(job))) for job in jobs}
        try:
            for future in concurrent.futures.as_completed(pending):
                for outcome in future.result():
                    report.add(*outcome)
        except KeyboardInterrupt:
            for future in pending:
                future.cancel()
            raise
    return report.finish()
