#!/usr/bin/env python3
"""Runs apps/ over MPI, in C, Fortran and Python, with each MPI that is installed: results are right, and the same as in
UPC; alone and with collectives of libbanyan-mpi."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import jobs

APPS = os.path.abspath(os.path.join(jobs.TESTS, "..", "apps"))
SYSTEMS = [name for name in ("openmpi", "mpich") if shutil.which("mpicc." + name) and shutil.which("mpirun." + name)]
VERTICES = "37"
COUNTS = (1, 3)


def environment():
    # Settings that Open MPI needs for more processes than cores, and for root in a container
    return jobs.environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                            **jobs.harness.OVERSUBSCRIBE, OMPI_MCA_mpi_yield_when_idle="1",
                            OMPI_MCA_plm_rsh_agent="false", MPIR_CVAR_POLLS_BEFORE_YIELD="1")


def run(*command):
    return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=jobs.LIMIT, env=environment(), check=False)


def launchers(mpi):
    """The launchers of an MPI, alone and under banyan-mpi, if it was built for that MPI"""
    yield [f"mpirun.{mpi}"]
    if os.path.exists(os.path.join(jobs.BIN, "..", "lib", "banyan", f"libbanyan-mpi-{mpi}.so")):
        yield [os.path.join(jobs.BIN, "banyan-mpi"), "--on", f"mpirun.{mpi}"]


def why_no_mpi4py():
    """Why the program in Python cannot run, or None if it can; and the name of its MPI."""
    told = run(sys.executable, "-c", "import numpy; from mpi4py import MPI; print(MPI.Get_library_version())")
    if told.returncode != 0:
        return "mpi4py or NumPy is missing (Debian: python3-mpi4py, python3-numpy)", None
    return None, "openmpi" if "Open MPI" in told.stdout else "mpich"


class Apps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="banyan-apps-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        made = run("make", "--silent", "-C", APPS, f"BUILD={cls.folder}", f"UPCC={jobs.BIN}/upcc", "CFLAGS=-O0",
                   f"{cls.folder}/asp", "mpi")
        if made.returncode != 0 or made.stderr:
            raise AssertionError(made.stdout + made.stderr)
        cls.sum = cls.sum_of(run(f"{jobs.BIN}/upcrun", "-n", 2, f"{cls.folder}/asp", VERTICES, "--check"))

    @staticmethod
    def sum_of(done):
        found = re.match(rf"asp: {VERTICES} vertices, sum (\d+), [0-9.]+ s, of it [0-9.]+ s in broadcast", done.stdout)
        if done.returncode != 0 or not found or "WRONG" in done.stdout:
            raise AssertionError(f"status {done.returncode}\n{done.stdout}{done.stderr}")
        return int(found[1])

    def run_each(self, program, *arguments):
        """(how a run ended, its description) for each MPI and number of processes, alone and with Banyan"""
        for mpi in SYSTEMS:
            for launcher in launchers(mpi):
                for count in COUNTS:
                    command = [*launcher, "-n", count, os.path.join(self.folder, mpi, program), *arguments]
                    yield run(*command), " ".join(map(str, command))

    def test_shortest_paths(self):
        for done, what in self.run_each("asp_mpi", VERTICES, "--check"):
            self.assertEqual(self.sum_of(done), self.sum, what)
            self.assertIn(": right", done.stdout, what)

    @unittest.skipUnless(shutil.which("gfortran"), "gfortran is not installed (Debian: gfortran)")
    def test_shortest_paths_in_fortran(self):
        for done, what in self.run_each("asp_mpi_f", VERTICES):
            self.assertEqual(self.sum_of(done), self.sum, what)

    def test_shortest_paths_in_python(self):
        reason, mpi = why_no_mpi4py()
        if reason:
            self.skipTest(reason)
        for launcher in launchers(mpi):
            program = [sys.executable, os.path.join(APPS, "asp", "asp_mpi.py")]
            self.assertEqual(self.sum_of(run(*launcher, "-n", 3, *program, VERTICES)), self.sum, launcher)

    def test_plane_waves(self):
        for done, what in self.run_each("planewave_mpi", 5):
            self.assertEqual(done.returncode, 0, what + "\n" + done.stdout + done.stderr)
            self.assertRegex(done.stdout, r"^planewave: .* 5 steps, .* s in exchanges, .*: right\n$", what)

    def test_wrong_arguments_are_told(self):
        for program, words in (("asp_mpi", ("0",)), ("asp_mpi", ("7", "--chekc")), ("planewave_mpi", ("x",))):
            done = run(f"mpirun.{SYSTEMS[0]}", "-n", 1, os.path.join(self.folder, SYSTEMS[0], program), *words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"usage: {program} [", done.stderr)


if __name__ == "__main__":
    if not SYSTEMS:
        print("skipped: there is no mpicc.openmpi or mpicc.mpich (Debian: libopenmpi-dev, or libmpich-dev and mpich)")
        sys.exit(77)
    unittest.main()
