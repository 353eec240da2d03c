#!/usr/bin/env python3
"""bench/runtime: each part compiles without a warning and prints its table."""

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


if __name__ == "__main__":
    unittest.main()
