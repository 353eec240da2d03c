#!/usr/bin/env python3
"""Options that many commands of bench have."""

import unittest

import common

WITH_JSON = ("apps/run", "clusters/run", "language/run", "libraries/run", "peers/programs", "peers/run", "python/run",
             "techniques/run", "threads/run")


class Options(common.Test):
    def test_nothing_is_measured_for_a_file_that_cannot_be_written(self):
        for command in WITH_JSON:
            with self.subTest(command=command):
                result = self.run_command(common.BENCH / command, "--json", "missing/file", status=2)
                self.assertRegex(result.err, "json: cannot write missing/file: No such file or directory")
                self.assertEqual(result.out, "")

    def test_help(self):
        for command in ("language/run", "libraries/run"):
            for word in ("-help", "--help", "-h"):
                self.assertRegex(self.run_command(common.BENCH / command, word).out, "^usage: run .*-quick")


if __name__ == "__main__":
    unittest.main()
