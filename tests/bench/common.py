"""What the tests of bench share: paths, and how to run its commands."""

import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests")]

import harness  # noqa: E402  (found only with the path above)

BENCH = ROOT / "bench"
BUILD = pathlib.Path(os.environ.get("TESTED_BUILD", ROOT / "build"))


class Test(unittest.TestCase):
    """A test with a temporary folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bench-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_command(self, *command, status=0, **variables):
        """Runs a command, which must end with this status; returns its result."""
        result = harness.run([str(word) for word in command], cwd=self.folder,
                             env=harness.environment(BUILD=str(BUILD), **variables))
        self.assertEqual(result.status, status, f"{command}\n{result.out[-2000:]}\n{result.err[-2000:]}")
        self.assertNotIn("Traceback", result.err)
        return result
