#!/usr/bin/env python3
"""Programs that use MPI and UPC: mpirun starts them, ranks are threads, and mpirun gets their exit status.

With each MPI that is installed; if there are several, they are found as mpicc.openmpi and mpicc.mpich.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import jobs

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mpi")
UPCC = os.path.join(jobs.BIN, "upcc")
PAIRS = (("mpicc.openmpi", "mpirun.openmpi"), ("mpicc.mpich", "mpirun.mpich"), ("mpicc", "mpirun"))
FOUND = [pair for pair in PAIRS if all(map(shutil.which, pair))]
SYSTEMS = [pair for pair in FOUND if pair[0] != "mpicc"] or FOUND
SKIP = 77


def environment(**more):
    # Settings that Open MPI needs for more ranks than cores, and for root in a container
    return jobs.environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                            **jobs.harness.OVERSUBSCRIBE, OMPI_MCA_mpi_yield_when_idle="1",
                            OMPI_MCA_plm_rsh_agent="false", **more)


class Mpi(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="banyan-mpi-")
        self.addCleanup(shutil.rmtree, self.folder)

    def build(self, mpicc, *flags, name="main"):
        program = os.path.join(self.folder, name + mpicc)
        command = [UPCC, "-uses-mpi", *flags, "-x", "c", os.path.join(SOURCE, "main.c"), "-x", "none",
                   os.path.join(SOURCE, "work.upc"), "-I" + os.path.join(jobs.BIN, "..", "include", "upc"),
                   "-o", program]
        done = subprocess.run(command, capture_output=True, text=True, timeout=jobs.LIMIT, env=environment(MPICC=mpicc))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return program

    def run_ranks(self, mpirun, count, program, *arguments, **more):
        return subprocess.run([mpirun, "-n", str(count), program, *map(str, arguments)], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=jobs.LIMIT, cwd=self.folder,
                              env=environment(**more))

    def processes_of(self, program):
        return [entry for entry in os.listdir("/proc")
                if entry.isdigit() and executable_of(entry) == program]

    def assert_nothing_left(self, program):
        for _ in range(200):
            if not self.processes_of(program):
                return
            time.sleep(0.05)
        self.fail("processes are left: " + " ".join(self.processes_of(program)))

    def test_ranks_are_threads(self):
        for mpicc, mpirun in SYSTEMS:
            program = self.build(mpicc)
            for count in (1, 2, 4):
                ended = self.run_ranks(mpirun, count, program, "check")
                self.assertEqual((ended.returncode, ended.stdout), (0, "ok\n" * count), ended.stderr)
            self.assert_nothing_left(program)

    def test_what_nobody_starts_is_started(self):
        for mpicc, mpirun in SYSTEMS:
            program = os.path.join(self.folder, "unstarted" + mpicc)
            done = subprocess.run([UPCC, "-uses-mpi", os.path.join(SOURCE, "unstarted.upc"), "-o", program],
                                  capture_output=True, text=True, timeout=jobs.LIMIT, env=environment(MPICC=mpicc))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            for arguments in ([], ["exit"]):
                ended = self.run_ranks(mpirun, 3, program, *arguments)
                self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "ok\n" * 3, ""))
            ended = self.run_ranks(mpirun, 3, program, 1, 7)
            self.assertEqual((ended.returncode, ended.stdout.count("ok\n")), (7, 3), ended.stderr)
            self.assert_nothing_left(program)

    def test_static_number_of_threads(self):
        mpicc, mpirun = SYSTEMS[0]
        program = self.build(mpicc, "-T", "2")
        self.assertEqual(self.run_ranks(mpirun, 2, program, "check").stdout, "ok\nok\n")
        ended = self.run_ranks(mpirun, 3, program, "check")
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("3 ranks of MPI were started, but", ended.stderr)
        self.assertIn("was compiled for 2 threads", ended.stderr)
        self.assert_nothing_left(program)

    def test_threads_are_not_asked_for_twice(self):
        mpicc, mpirun = SYSTEMS[0]
        program = self.build(mpicc)
        self.assertEqual(self.run_ranks(mpirun, 2, program, "-n", 2, "check").stdout, "ok\nok\n")
        ended = self.run_ranks(mpirun, 2, program, "-n", 3, "check")
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("-n asks for 3 threads, but 2 ranks of MPI were started", ended.stderr)
        self.assert_nothing_left(program)

    def test_without_mpirun(self):
        program = self.build(SYSTEMS[0][0])
        ended = subprocess.run([program, "-n", "2", "check"], capture_output=True, text=True, timeout=jobs.LIMIT,
                               env=environment())
        self.assertEqual(ended.returncode, 1)
        self.assertIn("start it by mpirun -n 2", ended.stderr)

    def test_status(self):
        for mpicc, mpirun in SYSTEMS:
            program = self.build(mpicc)
            self.assertEqual(self.run_ranks(mpirun, 3, program, "status", 2, 9).returncode, 9)
            self.assert_nothing_left(program)

    def test_death_of_a_rank(self):
        for mpicc, mpirun in SYSTEMS:
            program = self.build(mpicc)
            ended = self.run_ranks(mpirun, 3, program, "crash", 1)
            self.assertNotEqual(ended.returncode, 0)
            self.assertIn("thread 1 of 3 (pid", ended.stderr)
            self.assertIn("was killed by signal %d" % signal.SIGKILL, ended.stderr)
            self.assert_nothing_left(program)

    def test_abort_by_mpi(self):
        for mpicc, mpirun in SYSTEMS:
            program = self.build(mpicc)
            self.assertNotEqual(self.run_ranks(mpirun, 3, program, "abort", 1).returncode, 0)
            self.assert_nothing_left(program)


def executable_of(process):
    try:
        return os.readlink("/proc/%s/exe" % process)
    except OSError:
        return None


if __name__ == "__main__":
    if not SYSTEMS:
        print("no MPI is installed")
        sys.exit(SKIP)
    unittest.main()
