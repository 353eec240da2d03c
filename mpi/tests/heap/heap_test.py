"""Programs whose large blocks are in memory that all processes map (banyan-mpi --shared-heap).

malloc() and related functions, threads, forks and collectives behave as they do without it.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent))

import systems  # noqa: E402  (found only with the path above)

BIN = pathlib.Path(os.environ.get("BANYAN_BIN", ROOT / "build" / "bin"))


@unittest.skipUnless(systems.find(), "no MPI; install libopenmpi-dev openmpi-bin, or mpich libmpich-dev")
class SharedHeap(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="banyan-heap-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, system, words, count):
        program = system.build(self.folder, "heap", [HERE / "heap.c"], "-rdynamic")
        # Where the memory of a node begins, if nothing else is mapped there
        environment = {**os.environ, **system.environment, "HEAP_BEGINS": "0x100000000000", "BANYAN_MPI": "on"}
        done = subprocess.run([str(BIN / "banyan-mpi"), *words, *system.start(count), str(program)], env=environment,
                              capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_programs_allocate_fork_and_communicate(self):
        for system in systems.find():
            for count in (1, 3):
                with self.subTest(mpi=system.name, processes=count):
                    self.assertIn("0 failures", self.run_program(system, ["--shared-heap"], count))

    def test_large_blocks_are_shared_if_asked_for(self):
        for system in systems.find():
            with self.subTest(mpi=system.name):
                lies = self.run_program(system, ["--shared-heap", "--verbose"], 2)
                self.assertIn("blocks shared", lies)


if __name__ == "__main__":
    unittest.main()
