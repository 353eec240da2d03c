#!/usr/bin/env python3
"""apps/npb: every form of every kernel verifies its result, and unknown classes are refused.

Class S with few numbers of threads, compiled with -O1; with --long, and -O2, also W and A with all numbers, also with
THREADS fixed at compile time and with UPC threads as threads of a process, and class B.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import jobs

APPS = os.path.abspath(os.path.join(jobs.TESTS, "..", "apps"))
KERNELS = sorted(name[:-len("_seq.c")] for name in os.listdir(os.path.join(APPS, "npb")) if name.endswith("_seq.c"))
LONG = "--long" in sys.argv
COUNTS = (1, 2, 3, 4, 7, 8) if LONG else (1, 3)
CLASSES = "SWA" if LONG else "S"
OPTIMISED = "-O2" if LONG else "-O1"
MPI = next((name for name in ("openmpi", "mpich") if shutil.which("mpicc." + name)), None)
UPC_FORMS = ("naive", "expert")


def run(command, **more):
    # Settings that Open MPI needs for more processes than cores, and for root in a container
    env = jobs.environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                           **jobs.harness.OVERSUBSCRIBE, OMPI_MCA_mpi_yield_when_idle="1",
                           OMPI_MCA_plm_rsh_agent="false", MPIR_CVAR_POLLS_BEFORE_YIELD="1", **more)
    return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=jobs.LIMIT, env=env, check=False)


class Npb(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="banyan-npb-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        programs = [f"{cls.folder}/{kernel}_{form}" for kernel in KERNELS for form in (*UPC_FORMS, "seq", "omp")]
        programs += [f"{cls.folder}/{MPI}/{kernel}_mpi" for kernel in KERNELS if MPI]
        made = run(["make", "--silent", "-C", APPS, f"BUILD={cls.folder}", f"UPCC={jobs.BIN}/upcc",
                    f"CFLAGS={OPTIMISED}", *programs])
        if made.returncode != 0 or made.stderr:
            raise AssertionError(made.stdout + made.stderr)

    def verified(self, command, n, **more):
        done = run(command, **more)
        what = " ".join(map(str, command)) + "\n" + done.stdout + done.stderr
        self.assertEqual((done.returncode, done.stderr), (0, ""), what)
        self.assertRegex(done.stdout, rf"^[A-Z]+ [\w ]+: class [SWAB], .*, n {n}, [0-9.]+ s, [0-9.]+ Mop/s: "
                                      r"VERIFICATION SUCCESSFUL\n$", what)

    def each(self, form):
        for kernel in KERNELS:
            for letter in CLASSES:
                yield os.path.join(self.folder, f"{kernel}_{form}"), letter

    def test_c(self):
        for program, letter in self.each("seq"):
            self.verified([program, letter], 1)

    def test_openmp(self):
        for program, letter in self.each("omp"):
            for n in COUNTS:
                self.verified([program, letter], n, OMP_NUM_THREADS=str(n))

    @unittest.skipUnless(MPI, "there is no mpicc.openmpi or mpicc.mpich")
    def test_mpi(self):
        for kernel in KERNELS:
            for letter in CLASSES:
                for n in COUNTS:
                    self.verified([f"mpirun.{MPI}", "-n", n, f"{self.folder}/{MPI}/{kernel}_mpi", letter], n)

    def test_upc(self):
        for form in UPC_FORMS:
            for program, letter in self.each(form):
                for n in COUNTS:
                    self.verified([jobs.UPCRUN, "-n", n, program, letter], n)

    def test_static_threads(self):
        for kernel in KERNELS:
            for form in (UPC_FORMS if LONG else UPC_FORMS[-1:]):
                for n in (COUNTS if LONG else (4,)):
                    program = os.path.join(self.folder, f"{kernel}_{form}_{n}")
                    made = run([f"{jobs.BIN}/upcc", OPTIMISED, "-T", n, f"{APPS}/npb/{kernel}_{form}.upc", "-lm",
                                "-o", program])
                    self.assertEqual((made.returncode, made.stderr), (0, ""))
                    self.verified([jobs.UPCRUN, "-n", n, program, "S"], n)

    @unittest.skipUnless(LONG, "with --long")
    def test_pthreads(self):
        for kernel in KERNELS:
            for form in UPC_FORMS:
                program = os.path.join(self.folder, f"{kernel}_{form}_pthreads")
                made = run([f"{jobs.BIN}/upcc", OPTIMISED, "-pthreads", f"{APPS}/npb/{kernel}_{form}.upc", "-lm",
                            "-o", program])
                self.assertEqual((made.returncode, made.stderr), (0, ""))
                for n in COUNTS:
                    self.verified([jobs.UPCRUN, "-n", n, program, "S"], n)

    @unittest.skipUnless(LONG, "with --long")
    def test_class_b(self):
        for kernel in KERNELS:
            for form in UPC_FORMS:
                self.verified([jobs.UPCRUN, "-n", 2, os.path.join(self.folder, f"{kernel}_{form}"), "B"], 2)
            self.verified([os.path.join(self.folder, f"{kernel}_seq"), "B"], 1)
            self.verified([os.path.join(self.folder, f"{kernel}_omp"), "B"], 2, OMP_NUM_THREADS="2")
            if MPI:
                self.verified([f"mpirun.{MPI}", "-n", 2, f"{self.folder}/{MPI}/{kernel}_mpi", "B"], 2)

    def test_wrong_result_is_told(self):
        source = os.path.join(self.folder, "wrong.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(f'#include "{APPS}/npb/npb.h"\n'
                       'int main(void) { return npb_report("X", "C", NPB_S, "-", 1, 1.0, 1.0, 0); }\n')
        self.assertEqual(run(["cc", source, "-o", source[:-2]]).returncode, 0)
        done = run([source[:-2]])
        self.assertEqual(done.returncode, 1)
        self.assertTrue(re.search("VERIFICATION FAILED$", done.stdout), done.stdout)

    def test_bench_names_what_failed(self):
        bench = [os.path.join(APPS, "..", "bench", "apps", "run"), "--build", os.path.dirname(jobs.BIN), "--quick",
                 "--kernels", "is", "--threads", 1]
        done = run(bench)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"\| kernel \| n \| C \| OpenMP \| UPC naive \| UPC expert \|")
        self.assertRegex(done.stdout, r"\| IS \| 1 \| [0-9]")
        done = run([*bench, "--limit", "1e-6"])
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("is, UPC expert, n 1: not finished after 1e-06 s", done.stderr)

    def test_wrong_class_is_told(self):
        for words in ((), ("s",), ("SW",), ("S", "S")):
            done = run([os.path.join(self.folder, "is_seq"), *words])
            self.assertEqual(done.returncode, 2)
            self.assertIn("CLASS        one of S, W, A, B, C", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[word for word in sys.argv if word != "--long"])
