#!/usr/bin/env python3
"""Threads that share processes of OpenSHMEM (upcc -network=shmem -pthreads), on this machine: how they start and end.
Skipped if Banyan was built without OpenSHMEM.

With UCX_TLS=tcp,self processes cannot access each other's memory, so threads of other processes are far.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import jobs
import shmem

UPCC = os.path.join(jobs.BIN, "upcc")
SKIP = 77
FAR = {"UCX_TLS": "tcp,self"}

HELLO = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <upc.h>
#include <upc_castable.h>
shared int counts[THREADS];
static int own;
int main(int argc, char **argv)
{
    int near = 0, sum = 0;
    for (int i = 0; i < THREADS; i++)
        near += upc_cast(&counts[i]) != NULL;
    own += MYTHREAD;
    counts[(MYTHREAD + 1) % THREADS] = own;
    upc_barrier;
    for (int i = 0; i < THREADS; i++)
        sum += counts[i];
    if (argc > 1 && (MYTHREAD == THREADS - 1 || atoi(argv[1]) == 5)) {
        switch (atoi(argv[1])) {
        case 1: case 5: *(volatile int *)64 = 1; break;
        case 2: kill(getpid(), SIGKILL); break;
        case 3: upc_global_exit(7);
        case 4: exit(6);
        }
    }
    if (argc <= 1)
        printf("%d of %d in %d, %d near, %d\\n", MYTHREAD, THREADS, (int)getpid(), near, sum);
    return 0;
}
"""


class ShmemPthreads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="banyan-shmem-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        with open(os.path.join(cls.folder, "hello.upc"), "w", encoding="ascii") as file:
            file.write(HELLO)
        cls.build("hello", "-pthreads", "hello.upc")
        cls.build("twos", "-pthreads=2", "hello.upc")

    @classmethod
    def build(cls, name, *arguments):
        subprocess.run([UPCC, "-network=shmem", *arguments, "-o", name], cwd=cls.folder, check=True,
                       timeout=jobs.LIMIT)

    def run_it(self, *command, **more):
        env = shmem.environment()
        env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        return subprocess.run(command, cwd=self.folder, env={**env, **more}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=jobs.LIMIT, check=False)

    def assert_hello(self, done, processes, near=None):
        """processes: the number of threads in each"""
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        count = sum(processes)
        rows = sorted(tuple(int(word) for word in re.findall(r"\d+", line)) for line in done.stdout.splitlines())
        found = {}
        for thread, threads, process, is_near, total in rows:
            self.assertEqual((threads, total), (count, count * (count - 1) // 2))
            found.setdefault(process, []).append(thread)
            if near:
                self.assertEqual(is_near, near[thread])
        first = 0
        expected = []
        for threads in processes:
            expected.append(list(range(first, first + threads)))
            first += threads
        self.assertEqual(sorted(found.values()), expected)

    def test_upcrun_starts_as_many_processes_as_it_takes(self):
        self.assert_hello(self.run_it(jobs.UPCRUN, "-n", "3", "./hello"), [3], [3, 3, 3])
        self.assert_hello(self.run_it(jobs.UPCRUN, "-n", "5", "./twos"), [2, 2, 1])
        self.assert_hello(self.run_it(jobs.UPCRUN, "-n", "5", "-pthreads", "3", "./twos", **FAR), [3, 2],
                          [3, 3, 3, 2, 2])
        self.assert_hello(self.run_it(jobs.UPCRUN, "-n", "2", "./hello", UPC_PTHREADS_PER_PROC="1"), [1, 1])
        self.assert_hello(self.run_it(jobs.UPCRUN, "./twos", UPC_THREADS="3"), [2, 1])

    def test_processes_are_shared_out_over_machines(self):
        for program, places, words in (
                ("./hello", ["-N", "2"], "BANYAN_PTHREADS=3 .* -n 2 --map-by ppr:1:node "),
                ("./twos", ["-N", "2"], "BANYAN_PTHREADS=2 .* -n 3 --map-by ppr:2:node "),
                ("./hello", ["-hosts", "a,b"], "BANYAN_PTHREADS=3 .* -n 2 --map-by slot -H a:1,b:1 "),
                ("./twos", ["-hosts", "a,b"], "BANYAN_PTHREADS=2 .* -n 3 --map-by slot -H a:2,b:1 ")):
            shown = self.run_it(jobs.UPCRUN, "-show", "-n", "5", *places, program).stdout
            self.assertRegex(shown, "^BANYAN_THREADS=5 " + words)
        done = self.run_it(jobs.UPCRUN, "-n", "5", "-N", "4", "./twos")
        self.assertEqual(done.returncode, 2)
        self.assertIn("5 threads in 3 processes do not fill 4 machines", done.stderr)

    def test_another_launcher_starts_processes(self):
        oshrun = ("oshrun", "--oversubscribe", "--bind-to", "none", "-n", "2")
        self.assert_hello(self.run_it(*oshrun, "./twos"), [2, 2])
        self.assert_hello(self.run_it(*oshrun, "./hello"), [1, 1])
        self.assert_hello(self.run_it(*oshrun, "./hello", "-n", "3"), [2, 1])
        done = self.run_it(*oshrun, "./twos", "-n", "5")
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "banyan: -n asks for 5 threads, but the launcher has started 2 processes of 2")

    def test_the_count_of_the_program(self):
        self.build("three", "-pthreads", "-T", "3", "hello.upc")
        self.assert_hello(self.run_it(jobs.UPCRUN, "-n", "3", "-pthreads", "2", "./three"), [2, 1])
        self.assert_hello(self.run_it(jobs.UPCRUN, "./three"), [3])
        self.assert_hello(self.run_it(jobs.UPCRUN, "-pthreads", "2", "./three"), [2, 1])
        done = self.run_it(jobs.UPCRUN, "-n", "4", "-pthreads", "2", "./three")
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "^banyan: .*-n asks for 4 threads, but hello.upc was compiled for 3; ")

    def test_orders_of_entering(self):
        for name in ("priority", "ticket", "mutex", "cohort"):
            self.assert_hello(self.run_it(jobs.UPCRUN, "-n", "4", "./twos", BANYAN_ARBITER=name, **FAR), [2, 2])
        done = self.run_it(jobs.UPCRUN, "-n", "2", "./twos", BANYAN_ARBITER="chance")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("BANYAN_ARBITER", done.stderr)

    def test_ends(self):
        for how, status, said in (("1", 139, r"thread 3 of 4 \(pid \d+\) was killed by signal 11 .* address 0x40"),
                                  ("2", 137, r"threads 2 to 3 \(pid \d+ on \S+\) were killed by signal 9"),
                                  ("5", 139, r"thread \d of 4 \(pid \d+\) was killed by signal 11 .* address 0x40"),
                                  ("3", 7, "^$"), ("4", 6, "^$")):
            for settings in ({}, FAR):
                done = self.run_it(jobs.UPCRUN, "-n", "4", "./twos", how, **settings)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertRegex(done.stderr, said)

    def test_a_process_of_which_only_the_launcher_tells(self):
        path = os.path.join(self.folder, "launcher")
        rule = "-" * 74
        for rank, who in ((1, "threads 2 to 3 (on two) were"), (2, "thread 4 (on two) was")):
            with open(path, "w", encoding="ascii") as file:
                file.write(f"#!/bin/sh\ncat >&2 <<END\n{rule}\noshrun noticed that process rank {rank} with PID 0 on "
                           f"node two exited on signal 9 (Killed).\n{rule}\nEND\n")
            os.chmod(path, 0o755)
            done = self.run_it(jobs.UPCRUN, "-n", "5", "./twos", OSHRUN=path)
            self.assertEqual(done.stderr, f"banyan: {who} killed by signal 9; the job is ended\n")

    def test_units_of_another_kind_do_not_start(self):
        for flags, said in ((["-network=smp"], "for another network"),
                            (["-network=smp", "-pthreads"], "for another network"),
                            (["-network=shmem"], "compiled without -pthreads, unlike this program")):
            subprocess.run([UPCC, *flags, "-c", "hello.upc", "-o", "one.o"], cwd=self.folder, check=True,
                           timeout=jobs.LIMIT)
            linked = subprocess.run([UPCC, "-network=shmem", "-pthreads", "one.o", "-o", "mixed"], cwd=self.folder,
                                    capture_output=True, text=True, timeout=jobs.LIMIT, check=False)
            if linked.returncode != 0:   # the linker may find the error before the start
                self.assertIn("TLS reference", linked.stderr)
                continue
            done = self.run_it(jobs.UPCRUN, "-n", "2", "./mixed")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    if not os.path.exists(os.path.join(jobs.BIN, "..", "lib", "libbanyan-shmem.a")) or not shutil.which("oshrun"):
        print("skipped: this Banyan was built without OpenSHMEM, or there is no oshrun")
        sys.exit(SKIP)
    unittest.main()
