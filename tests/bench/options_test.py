#!/usr/bin/env python3
"""Options that many commands of bench have."""

import sys
import unittest

import common

WITH_JSON = ("apps/run", "clusters/run", "language/run", "libraries/run", "peers/programs", "peers/run", "python/run",
             "techniques/run", "threads/run")
# Runs a command that is interrupted while it reads its options
INTERRUPTED = """
import argparse, runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
argparse.ArgumentParser.parse_args = lambda *_: signal.raise_signal(signal.SIGINT)
sys.argv = sys.argv[1:]
sys.path[0] = sys.argv[0].rpartition("/")[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


class Options(common.Test):
    def test_nothing_is_measured_for_a_file_that_cannot_be_written(self):
        for command in WITH_JSON:
            with self.subTest(command=command):
                result = self.run_command(common.BENCH / command, "--json", "missing/file", status=2)
                self.assertRegex(result.err, "json: cannot write missing/file: No such file or directory")
                self.assertEqual(result.out, "")

    def test_an_interruption_is_told_in_one_line(self):
        for command in (*WITH_JSON, "fmm/run"):
            with self.subTest(command=command):
                result = self.run_command(sys.executable, "-B", "-c", INTERRUPTED, common.BENCH / command, status=130)
                self.assertRegex(result.err, "^stopped(; the same command goes on from here)?\n$")

    def test_help(self):
        for command in ("language/run", "libraries/run"):
            for word in ("-help", "--help", "-h"):
                self.assertRegex(self.run_command(common.BENCH / command, word).out, "^usage: run .*-quick")

    def test_missing_modules_are_named(self):
        """In Python without the folder of its packages"""
        for command in ("python/run --quick", "fmm/peer.py fmm3d 100 uniform 1e-3 1"):
            name, *words = command.split()
            result = self.run_command(sys.executable, "-I", "-S", common.BENCH / name, *words, status=1)
            self.assertRegex(result.err, "(?i)^[^\n]*numpy[^\n]*$")
        usage = self.run_command(sys.executable, "-I", "-S", common.BENCH / "fmm" / "peer.py", "--help").out
        self.assertIn("usage: ", usage)

    def test_usage_of_a_shell_script(self):
        self.assertEqual(self.run_command(common.BENCH / "fmm" / "kifmm" / "build", "--help").out,
                         "usage: build FOLDER\n")


if __name__ == "__main__":
    unittest.main()
