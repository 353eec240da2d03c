#!/usr/bin/env python3
"""What the tester of random collectives refuses."""

import os
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(ROOT / "tests")]
import harness   # noqa: E402
import systems   # noqa: E402

FOLDER = pathlib.Path(os.environ.get("TESTED_BUILD", str(ROOT / "build"))).absolute() / "mpi" / "tests"
SYSTEM = next(iter(systems.find([])), None)   # what it notices does not depend on the MPI library
if SYSTEM is None:
    print("no MPI is installed (openmpi-bin and libopenmpi-dev, or mpich and libmpich-dev)")
    sys.exit(harness.SKIP)


class Tester(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = SYSTEM.build(FOLDER, "tester", sorted([*(HERE / "tester").glob("*.[ch]")]))
        systems.let_give_way([SYSTEM], FOLDER)

    def run_tester(self, *options, processes=None, words=()):
        start = [*SYSTEM.start(processes), "env", *words] if processes else []
        return harness.run([*start, str(self.program), *options], cwd=tempfile.gettempdir(),
                           env=harness.environment(**SYSTEM.environment))

    def test_what_it_refuses(self):
        for options, said in ((["--operations", "bcast,reduec"], "there is no operation 'reduec'"),
                              (["--operations", ""], "there is no operation ''"),
                              (["--cases", "abc"], "'abc' is not a number from 1 to "),
                              (["--cases", "0"], "'0' is not a number from 1 to "),
                              (["--large", "5%"], "'5%' is not a number from 0 to 100"),
                              (["--threads", "9"], "'9' is not a number from 0 to 8"),
                              (["bcast"], "'bcast' is no option")):
            with self.subTest(options=options):
                ended = self.run_tester(*options)
                self.assertEqual((ended.status, ended.out), (2, ""))
                self.assertIn("tester: %s" % said, ended.err)
                self.assertIn("\nOperations: barrier bcast ", ended.err)


if __name__ == "__main__":
    unittest.main()
