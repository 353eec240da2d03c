#!/usr/bin/env python3
"""Fortran: every collective of mpif.h, the module mpi and the module mpi_f08 reaches Banyan, and does what it should.

With each MPI that is installed together with gfortran.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.dirname(os.path.dirname(os.path.dirname(FOLDER)))
sys.path.insert(0, os.path.join(SOURCES, "tests", "run"))
import jobs  # noqa: E402  (found only with the path above)
import mpi_test  # noqa: E402

PROGRAMS = {"mpif.h": ["mpif.f"], "module mpi": ["use_mpi.f90"], "module mpi_f08": ["use_f08.f90"],
            "module mpi_f08 with a last argument": ["-DWITH_LAST", "use_f08.f90"]}
# The source is the same for all: what may be passed to mpif.h is not checked, lines are as long as they are.
FLAGS = ["-cpp", "-O1", "-g", "-fallow-argument-mismatch", "-ffixed-line-length-none", "-ffree-line-length-none"]
SYSTEMS = [(mpicc, mpirun, abi) for mpicc, mpirun in mpi_test.SYSTEMS for abi in ("openmpi", "mpich")
           if mpicc.endswith(abi) and shutil.which(mpicc.replace("mpicc", "mpifort"))]


class Fortran(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="banyan-fortran-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        for mpicc, _, abi in SYSTEMS:
            for name, words in PROGRAMS.items():
                cls.compile(mpicc.replace("mpicc", "mpifort"), *FLAGS, "-J", cls.folder, *words, "-o",
                            cls.program(abi, name))

    @classmethod
    def program(cls, abi, name):
        return os.path.join(cls.folder, "%s %s" % (abi, name))

    @classmethod
    def compile(cls, *command):
        done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, env=mpi_test.environment())
        if done.returncode != 0:
            raise AssertionError("%s\n%s" % (" ".join(command), done.stderr))

    def run_job(self, *command, **more):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=jobs.LIMIT,
                              env=mpi_test.environment(**more))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def test_programs_are_right_without_banyan(self):
        for _, mpirun, abi in SYSTEMS:
            for name in PROGRAMS:
                self.assertEqual(self.run_job(mpirun, "-n", "2", self.program(abi, name)), "ok\n", (abi, name))

    def test_programs_are_right_with_banyan(self):
        banyan_mpi = os.path.join(jobs.BIN, "banyan-mpi")
        for _, mpirun, abi in SYSTEMS:
            for name in PROGRAMS:
                for count in ("1", "2", "5"):
                    out = self.run_job(banyan_mpi, "--on", mpirun, "-n", count, self.program(abi, name))
                    self.assertEqual(out, "ok\n", (abi, name, count))

    def test_every_call_reaches_the_entry_points_of_c(self):
        for mpicc, mpirun, abi in SYSTEMS:
            library = os.path.join(self.folder, "counts-%s.so" % abi)
            parts = ["mpi/tests/fortran/counts.c", "mpi/front/below.c", "mpi/fortran/%s.c" % abi]
            self.compile(mpicc, "-D_GNU_SOURCE", '-DBN_MPI_ABI="%s"' % abi, "-shared", "-fPIC",
                         "-Wl,-Bsymbolic-functions", "-I" + os.path.join(SOURCES, "mpi"),
                         "-I" + os.path.join(SOURCES, "runtime"), *[os.path.join(SOURCES, part) for part in parts],
                         "-o", library)
            for name in PROGRAMS:
                out = self.run_job(mpirun, "-n", "3", "env", "LD_PRELOAD=" + library, self.program(abi, name))
                calls = dict(line.split() for line in out.splitlines() if line != "ok")
                self.assertIn("ok\n", out)
                self.assertIn("Bcast", calls)
                self.assertEqual([call for call, count in calls.items() if count == "0"], [], (abi, name))


if __name__ == "__main__":
    if not SYSTEMS:
        print("no MPI is installed that has Fortran (mpifort.openmpi, mpifort.mpich), or gfortran is missing")
        sys.exit(jobs.harness.SKIP)
    unittest.main()
