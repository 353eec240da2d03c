#!/usr/bin/env python3
"""soak: keeps its results, resumes after any interruption, and stores what fails with the command that repeats it."""

import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))
import harness  # noqa: E402

BIN = pathlib.Path(os.environ.get("TESTED_BUILD", ROOT / "build")) / "bin"


class Soak(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="banyan-soak-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.upcc = self.folder / "bin" / "upcc"
        self.upcc.parent.mkdir()
        (self.folder / "bin" / "upcrun").symlink_to(BIN / "upcrun")
        self.plant("none")

    def plant(self, seed):
        """Makes a compiler that refuses the program with this seed, which is in a folder of that name"""
        self.upcc.write_text(f'#!/bin/sh\ncase "$*" in */{seed}/*) echo "planted" >&2; exit 1 ;; esac\n'
                             f'exec {BIN}/upcc "$@"\n')
        self.upcc.chmod(0o755)

    def words(self, *more):
        return [HERE / "soak", "--folder", self.folder / "state", "--upcc", self.upcc, "--only", "loops", "--seed",
                "70000",
                "--nice", "0", *more]

    def soak(self, *more, status=0):
        result = harness.run(self.words(*more))
        self.assertEqual(result.status, status, result.out + result.err)
        return result.out

    def state(self):
        return json.loads((self.folder / "state" / "state.json").read_text())

    def test_a_failure_is_kept_and_the_next_run_goes_on(self):
        self.plant(70002)
        said = self.soak("--programs", "4", status=1)
        self.assertIn("FAILED: python3 tests/random/loops.py 1 70002", said)
        self.assertIn("4 programs, 1 failed", said)
        kept = self.folder / "state/failures/loops/70002"
        self.assertIn("upc_forall", (kept / "program.upc").read_text())
        self.assertIn("planted", (kept / "said.txt").read_text())
        repeat = shlex.split((kept / "said.txt").read_text().splitlines()[0])
        self.assertEqual(harness.run([*repeat, "--upcc", self.upcc], cwd=ROOT).status, 1)
        self.assertEqual(harness.run([*repeat, "--upcc", BIN / "upcc"], cwd=ROOT).status, 0)

        self.plant(70001)       # which is not run again
        self.assertIn("loops: 6 programs, 1 failed", self.soak("--programs", "6", status=1))
        summary = self.soak("--summary", status=1)
        self.assertIn("6 programs, seeds 70000 to 70005, 1 failed", summary)
        self.assertIn("failed: python3 tests/random/loops.py 1 70002", summary)
        self.assertIn("in 2 sessions", summary)

    def test_it_goes_on_after_it_was_ended(self):
        for number, status in ((signal.SIGTERM, 0), (signal.SIGQUIT, 0), (signal.SIGKILL, -signal.SIGKILL)):
            is_there = (self.folder / "state/state.json").exists()
            before = self.state()["generators"]["loops"]["next"] if is_there else 70000
            process = subprocess.Popen(self.words("--hours", "1"), stdout=subprocess.PIPE, text=True,
                                       env=harness.environment())
            self.addCleanup(process.kill)
            first = process.stdout.readline()
            self.assertRegex(first, r"loops: \d+ programs, 0 failed")
            second = harness.run(self.words("--hours", "0"))
            self.assertEqual((second.status, "another one runs" in second.err), (2, True))
            time.sleep(0.5)      # into the next turn
            process.send_signal(number)
            rest = process.communicate(timeout=harness.HANGS)[0]
            self.assertEqual(process.returncode, status)
            self.assertEqual("stopped" in rest, number != signal.SIGKILL)
            self.assertGreaterEqual(self.state()["generators"]["loops"]["next"], before + 4)
        counted = self.state()["generators"]["loops"]["next"] - 70000
        self.assertIn(f"loops: {counted + 1} programs", self.soak("--programs", str(counted + 1)))

    def test_all_generators_are_covered(self):
        listed = (HERE.parent / "CMakeLists.txt").read_text()
        named = set(re.findall(r"random/(\w+)\.py", listed)) - {"soak_test"}
        self.assertLessEqual({"run", "loops", "far", "fences"}, named)
        said = harness.run([HERE / "soak", "--only", "none"])
        self.assertEqual(said.status, 2)
        self.assertEqual(set(said.err.rsplit("there are ", 1)[1].strip().split(", ")), named)


if __name__ == "__main__":
    unittest.main()
