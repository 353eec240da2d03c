#!/usr/bin/env python3
"""Fortran: every collective of mpif.h, the module mpi and the module mpi_f08 reaches Banyan and gives correct results.

With each MPI that is installed together with gfortran.
"""

import json
import os
import re
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

BANYAN_MPI = os.path.join(jobs.BIN, "banyan-mpi")
LIBRARIES = os.path.join(os.path.dirname(jobs.BIN), "lib", "banyan")
PROGRAMS = {"mpif.h": ["mpif.f"], "module mpi": ["use_mpi.f90"], "module mpi_f08": ["use_f08.f90"],
            "module mpi_f08 with a last argument": ["-DWITH_LAST", "use_f08.f90"]}
# C functions that MPI's Fortran interface calls, except those that bypass the arbiter by docs/design/016-mpi-threads.md
FORTRAN_LIBRARIES = {"openmpi": ["libmpi_mpifh", "libmpi_usempif08"], "mpich": ["libmpichfort"]}
PAST_THE_ARBITER = (r"P?MPI_Get_(library_)?version|P?MPIX_\w+|P?MPI_Pcontrol|MPII_(Comm|Type|Win)_[gs]et_attr|"
                    r"MPII_Keyval_set_proxy|MPII_Grequest_set_lang_f77|MPI_[A-Z0-9_]+")   # the last are not functions
# The same source is used for all, so arguments for mpif.h are not checked, and lines may be of any length.
FLAGS = ["-cpp", "-O0", "-fallow-argument-mismatch", "-ffixed-line-length-none", "-ffree-line-length-none"]
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
            cls.compile(mpicc.replace("mpicc", "mpifort"), *FLAGS, "-fopenmp", "threads.f90", "-o",
                        cls.program(abi, "threads"))

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

    def test_programs_are_right_and_every_operation_is_carried_out_by_banyan(self):
        with open(os.path.join(SOURCES, "mpi", "front", "collectives.def")) as file:
            names = re.findall(r"^COLLECTIVE(?:_WITHOUT_COUNTS)?\((\w+)", file.read(), re.M)
        path = os.path.join(self.folder, "report.json")
        for _, mpirun, abi in SYSTEMS:
            for name in PROGRAMS:
                for count, words in (("1", []), ("2", []), ("3", ["--report=json:" + path])):
                    out = self.run_job(BANYAN_MPI, "--on", *words, mpirun, "-n", count, self.program(abi, name))
                    self.assertEqual(out, "ok\n", (abi, name, count))
                with open(path) as file:
                    rows = [row for part in json.load(file)["communicators"] for row in part["operations"]]
                carried = {row["operation"] for row in rows if row["banyan"]["calls"] > 0}
                self.assertEqual(carried, set(map(str.upper, names)), (abi, name))
                os.unlink(path)

    def test_threads_are_arbitrated(self):
        report = os.path.join(self.folder, "report.json")
        for _, mpirun, abi in SYSTEMS:
            for mode in ("--off", "--on"):
                out = self.run_job(BANYAN_MPI, mode, "--threads=arbitrate", "--report=json:" + report, mpirun,
                                   "-n", "2", self.program(abi, "threads"))
                self.assertEqual(out, "ok\n", (abi, mode))
                with open(report + ".threads") as file:
                    facts = json.load(file)
                self.assertIn(facts["policy"], ("driven", "mutex"), abi)   # depends on the number of cores per process
                self.assertEqual(facts["processes"], 2, abi)
                # At least MPI_Irecv, MPI_Isend and two for MPI_Sendrecv, with 2 processes, 3 threads and 20 rounds
                self.assertGreaterEqual(facts["main"]["acquisitions"], 2 * 3 * 20 * 3, (abi, mode))

    def test_every_c_function_of_mpi_s_fortran_is_arbitrated(self):
        for mpicc, _, abi in SYSTEMS:
            ours = symbols("--defined-only", os.path.join(LIBRARIES, "libbanyan-mpi-threads-%s.so" % abi))
            for name in FORTRAN_LIBRARIES[abi]:
                path = subprocess.run([mpicc, "-print-file-name=%s.so" % name], capture_output=True, text=True,
                                      check=True, env=mpi_test.environment()).stdout.strip()
                called = {name for name in symbols("--undefined-only", path) if re.match("P?MPI", name)}
                self.assertEqual({name for name in called - ours if not re.fullmatch(PAST_THE_ARBITER, name)}, set(),
                                 path)


def symbols(which, path):
    """The symbols of a library, without versions"""
    done = subprocess.run(["nm", "-D", which, path], capture_output=True, text=True, check=True)
    return {line.split()[-1].split("@")[0] for line in done.stdout.splitlines()}


if __name__ == "__main__":
    if not SYSTEMS:
        print("no MPI is installed that has Fortran (mpifort.openmpi, mpifort.mpich), or gfortran is missing")
        sys.exit(jobs.harness.SKIP)
    unittest.main()
