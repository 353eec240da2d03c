"""What the tests of uoms share: paths, and how to run programs."""

import contextlib
import io
import json
import os
import pathlib
import runpy
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "bench" / "report")]

import harness  # noqa: E402  (found only with the path above)
from uoms import environment as libraries  # noqa: E402

BUILD = pathlib.Path(os.environ.get("TESTED_BUILD", ROOT / "build"))
UOMS = BUILD / "bin" / "uoms"
UPCC = BUILD / "bin" / "upcc"
OBJECTS = BUILD / "bench" / "uoms"
SKIP = 77


def environment(**more):
    return harness.environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", **more)


def run(command, timeout=harness.HANGS, **more):
    return harness.run([str(word) for word in command], timeout=timeout, env=environment(**more))


def interrupted(command):
    """The exit status of a command of bench that is interrupted as soon as it has read its options, and what it says"""
    with unittest.mock.patch.object(libraries, "provide", side_effect=KeyboardInterrupt), \
            unittest.mock.patch.object(sys, "argv", [str(command)]), \
            contextlib.redirect_stderr(io.StringIO()) as errors:
        try:
            runpy.run_path(str(command), run_name="__main__")
        except SystemExit as end:
            return end.code, errors.getvalue()
    return None


class Test(unittest.TestCase):
    """A test with a temporary folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="uoms-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    @staticmethod
    def uoms(threads, *arguments, status=0, program=UOMS):
        """Runs uoms; returns its result."""
        result = run([program, "-n", threads, *arguments])
        if result.status != status:
            raise AssertionError(f"{result.status}: {arguments}\n{result.out[-2000:]}\n{result.err[-2000:]}")
        return result

    def not_optimising(self):
        """Variables with which upcc, make and the compilers of MPI do not optimise, whatever flags they get: for tests
        that are not about speed"""
        path = self.folder / "quick-cc"
        path.write_text('#!/bin/sh\nexec cc "$@" -O0\n')
        path.chmod(0o755)
        return {name: str(path) for name in ("CC", "OMPI_CC", "MPICH_CC")}

    def results(self, threads, *arguments, program=UOMS, status=0):
        """Runs uoms; returns the document that it wrote."""
        path = self.folder / "result.json"
        self.uoms(threads, *arguments, "-quiet", "-json", path, program=program, status=status)
        return json.loads(path.read_text())


def main(reason=None, load=None):
    """Runs the module's tests with the interpreter in which load finds its imports; with a reason, prints it and skips
    all of them."""
    if reason is None and not UOMS.exists():
        reason = "uoms is not built"
    try:
        if load and not reason:
            libraries.provide(load)
    except libraries.SetUpError as error:
        reason = str(error)
    if reason:
        print(reason)
        sys.exit(SKIP)
    unittest.main(verbosity=1)


def has(*names):
    """Which of the commands cannot be found"""
    import shutil

    return [name for name in names if shutil.which(name) is None]


__all__ = [
    "BUILD",
    "OBJECTS",
    "ROOT",
    "SKIP",
    "Test",
    "UOMS",
    "UPCC",
    "environment",
    "has",
    "interrupted",
    "main",
    "run",
    "subprocess",
]
