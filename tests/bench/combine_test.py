#!/usr/bin/env python3
"""bench/combine: measures the sizes that it is given, and prints its usage for anything else."""

import unittest

import common

RUN = common.BENCH / "combine" / "run"


class Combine(common.Test):
    def test_sizes(self):
        result = self.run_command(RUN, "combine", "2", "64,8K", CC="cc -Werror")
        self.assertEqual(result.err, "")
        rows = [line.split() for line in result.out.splitlines()]
        self.assertEqual({row[2] for row in rows}, {"64", "8192"})

    def test_wrong_command_line(self):
        for words in (["combine", "2", "8x"], ["combine", "2", "64,"], ["combine", "0", "64"], ["nosuch", "2", "64"]):
            self.assertRegex(self.run_command(RUN, *words, status=2).err, "^usage: combine OPERATION MEMBERS BYTES")


if __name__ == "__main__":
    unittest.main()
