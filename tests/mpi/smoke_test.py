#!/usr/bin/env python3
"""libbanyan-mpi under an MPI program, and in processes that have nothing to do with MPI.

    smoke_test.py MPICC LIBRARY [TEST...]
"""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 120
MPICC, LIBRARY = sys.argv[1:3]


def launcher():
    """mpirun of the same library: mpicc.openmpi has mpirun.openmpi beside it, mpicc_abi mpirun."""
    folder, name = os.path.split(MPICC)
    for candidate in (name.replace("mpicc", "mpirun"), "mpirun"):
        if os.path.exists(os.path.join(folder, candidate)):
            return os.path.join(folder, candidate)
    print(f"there is no mpirun beside {MPICC}")
    sys.exit(77)


def environment(preload=LIBRARY, **variables):
    """Open MPI runs as root, and with more processes than cores, if it is told so; others do not care."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BANYAN_")}
    return {**kept, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
            **({"LD_PRELOAD": preload} if preload else {}), **variables}


class Smoke(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.program = os.path.join(cls.folder.name, "smoke")
        subprocess.run([MPICC, "-O1", os.path.join(HERE, "smoke.c"), "-o", cls.program], check=True)

    def run_program(self, count, **variables):
        return subprocess.run([launcher(), "-n", str(count), self.program], env=environment(**variables),
                              capture_output=True, text=True, timeout=LIMIT, check=False)

    def check(self, done, stderr=""):
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1:], done.stderr), (0, ["ok"], stderr))

    def test_results_are_right(self):
        for count in (1, 2, 3, 4, 6):
            with self.subTest(processes=count):
                self.check(self.run_program(count))

    def test_it_can_be_switched_off(self):
        self.check(self.run_program(3, BANYAN_MPI="off"))
        self.check(self.run_program(3, BANYAN_MPI_BCAST="off"))

    def test_a_wrong_option_is_said_once_and_harms_nobody(self):
        done = self.run_program(2, BANYAN_COLL_BROADCAST="teleport")
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1:]), (0, ["ok"]))
        self.assertEqual(done.stderr.count('"teleport" is no way to carry out this operation'), 1)
        done = self.run_program(2, BANYAN_MPI="maybe")
        self.assertEqual(done.stderr.splitlines(), [
            'banyan: BANYAN_MPI: "maybe" is not one of on|off',
            "banyan: libbanyan-mpi stays out of this job, since an option is wrong"])

    def test_other_processes_do_not_notice_it(self):
        for command in (["/bin/true"], ["/bin/sh", "-c", "exit 0"], [sys.executable, "-c", "pass"]):
            for bind in ("", "1"):
                done = subprocess.run(command, env=environment(LD_BIND_NOW=bind), capture_output=True, text=True,
                                      timeout=LIMIT, check=False)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_a_library_of_another_abi_says_so(self):
        folder, name = os.path.split(LIBRARY)
        others = [other for other in os.listdir(folder) if other.startswith("libbanyan-mpi-") and other != name]
        for other in others:
            done = self.run_program(1, preload=os.path.join(folder, other))
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("the MPI library in this process has another ABI", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
