#!/usr/bin/env python3
"""Runs apps/ under AddressSanitizer and UndefinedBehaviorSanitizer, at the smallest sizes: programs in C, with OpenMP
and over MPI, and the kernels of NPB in every form, including UPC over OpenSHMEM.  The other programs in UPC are covered
by run_programs.py --all."""

import os
import shutil
import subprocess
import tempfile
import unittest

import forms_test
import jobs
import npb_test

MPI = forms_test.MPI
FLAGS = "-O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined"
UPC_FORMS = tuple("_" + form for form in npb_test.UPC_FORMS)
# Program: its arguments
RUNS = {**{f"{kernel}{form}": ["S"] for kernel in npb_test.KERNELS for form in ("_seq", "_omp", "_mpi", *UPC_FORMS)},
        **{program: sizes[0] for program, sizes in forms_test.RUNS.items() if sizes[0]},
        "asp_mpi": ["37", "--check"], "planewave_mpi": ["5"]}


def has_sanitizers():
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "main.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write("int main(void) { return 0; }\n")
        return subprocess.run(["cc", *FLAGS.split(), source, "-o", source[:-2]], capture_output=True,
                              check=False).returncode == 0


@unittest.skipUnless(has_sanitizers(), "cc has no sanitizers")
class Sanitized(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="banyan-sanitized-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def made(self, program, network=""):
        folder = os.path.join(self.folder, network)
        path = os.path.join(folder, MPI if forms_test.is_over_mpi(program) else "", program)
        flags = FLAGS + (f" -network={network}" if network else "")
        make = forms_test.run(["make", "--silent", "-C", forms_test.APPS, f"BUILD={folder}",
                               f"UPCC={jobs.BIN}/upcc", f"CFLAGS={flags}", path])
        self.assertEqual((make.returncode, make.stderr), (0, ""), make.stdout)
        return path

    def assert_silent(self, done):
        what = f"status {done.returncode}\n{done.stdout}{done.stderr}"
        self.assertEqual((done.returncode, done.stderr), (0, ""), what)
        self.assertNotIn("WRONG", done.stdout, what)

    def test_nothing_is_reported(self):
        for program in RUNS:
            if forms_test.is_over_mpi(program) and not MPI:
                continue
            before, more = [], {"OMP_NUM_THREADS": "3"}
            if forms_test.is_over_mpi(program):
                before = [f"mpirun.{MPI}", "-n", 2]  # whose libraries do not free all memory that they allocate
                more = {"OMP_NUM_THREADS": "2", "ASAN_OPTIONS": jobs.NO_HANDLERS + ":detect_leaks=0"}
            elif program.endswith(UPC_FORMS):
                before = [jobs.UPCRUN, "-n", 3]
            with self.subTest(program=program):
                self.assert_silent(forms_test.run([*before, self.made(program), *RUNS[program]], **more))

    @unittest.skipUnless(os.path.exists(os.path.join(jobs.BIN, "..", "lib", "libbanyan-shmem.a")) and
                         shutil.which("oshrun"), "there is no OpenSHMEM")
    def test_nothing_is_reported_over_openshmem(self):
        for program in RUNS:
            if program.endswith(UPC_FORMS):
                with self.subTest(program=program):
                    made = self.made(program, "shmem")
                    self.assert_silent(forms_test.run([jobs.UPCRUN, "-n", 3, made, *RUNS[program]]))


if __name__ == "__main__":
    unittest.main()
