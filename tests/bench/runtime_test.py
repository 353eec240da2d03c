#!/usr/bin/env python3
"""bench/runtime: each part compiles without a warning and prints its table; wrong command lines get the usage."""

import unittest

import common

FOLDER = common.BENCH / "runtime"


class Run(common.Test):
    def table(self, *words):
        result = self.run_command(FOLDER / "run", *words, ROUNDS="1", CC="cc -Werror")
        self.assertEqual(result.err, "")
        return result.out

    def test_parts(self):
        for name, way in (("barrier", "two flags"), ("lock", "mutex"), ("heap", "upc_global_alloc")):
            self.assertRegex(self.table(name), rf"\b{way} +[0-9]")

    def test_copy(self):
        self.assertRegex(self.table("copy"), "streaming")

    def test_reach_takes_options(self):
        rows = self.table("reach", "-n", "2", "-bytes", "8", "-rounds", "1", "-operation", "broadcast")
        self.assertIn("broadcast", rows)
        self.assertNotIn("exchange", rows)

    def test_wrong_command_line(self):
        for result in (self.run_command(FOLDER / "run", "nosuch", status=2).err,
                       self.run_command(FOLDER / "run", "--help").out):
            self.assertRegex(result, r"^usage: .*\bbarrier\b")
        self.assertRegex(self.run_command(FOLDER / "start", "x", status=2).err, "invalid int value: 'x'")
        self.assertRegex(self.run_command(FOLDER / "start", "--help").out, "^usage: ")


if __name__ == "__main__":
    unittest.main()
