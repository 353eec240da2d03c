#!/usr/bin/env python3
"""How systems.py treats folders that contain MPI libraries."""

import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import systems   # noqa: E402


class Names(unittest.TestCase):
    def test_each_has_its_own(self):
        with tempfile.TemporaryDirectory() as home:
            prefixes = [pathlib.Path(home) / place / "openmpi" for place in ("first", "second")]
            for prefix in prefixes:
                (prefix / "bin").mkdir(parents=True)
                (prefix / "bin" / "mpicc").touch()
            found = systems.find(map(str, prefixes))
        self.assertEqual([system.mpicc for system in found[-2:]], [str(prefix / "bin/mpicc") for prefix in prefixes])
        self.assertEqual(len({system.name for system in found}), len(found))


if __name__ == "__main__":
    unittest.main()
