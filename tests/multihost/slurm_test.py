#!/usr/bin/env python3
"""Programs with -network=shmem under Slurm: started by srun, and by upcrun and oshrun in its jobs, and the messages if
they are started wrongly."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import hosts as multihost
import slurm

LIMIT = 180  # seconds: whatever takes longer hangs
BIN = os.path.join(os.environ["TESTED_BUILD"], "bin")
UPCRUN = os.path.join(BIN, "upcrun")
PROGRAM = r"""
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include <upc.h>
shared int numbers[THREADS];
int main(int count, char **words)
{
    char host[64];
    int sum = 0;
    gethostname(host, sizeof host);
    numbers[MYTHREAD] = MYTHREAD + 1;
    upc_barrier;
    for (int i = 0; i < THREADS; i++)
        sum += numbers[i];
    printf("thread %d of %d on %s: %d\n", MYTHREAD, THREADS, host, sum);
    fflush(stdout);
    upc_barrier;
    if (count > 1 && MYTHREAD == 1)
        raise(SIGKILL);
    upc_barrier;
    return 0;
}
"""


class Jobs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="banyan-slurm-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        source = os.path.join(cls.folder, "sum.upc")
        with open(source, "w", encoding="ascii") as file:
            file.write(PROGRAM)
        cls.program = os.path.join(cls.folder, "sum")
        subprocess.run([os.path.join(BIN, "upcc"), "-network=shmem", source, "-o", cls.program], check=True)
        cls.cluster = slurm.Slurm(2)
        cls.cluster.__enter__()
        cls.addClassCleanup(cls.cluster.close)

    def run_it(self, script):
        environment = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
        return self.cluster.run_script("cd %s && export %s && %s" % (self.folder, environment, script),
                                       capture_output=True, text=True,
                                timeout=LIMIT)

    def assert_sum(self, text, hosts):
        """The output has a line of each thread, which ran on these hosts."""
        count = len(hosts)
        self.assertEqual(sorted(text.splitlines()),
                         ["thread %d of %d on h%d: %d" % (i, count, host, count * (count + 1) // 2) for i,
                          host in enumerate(hosts)])

    def test_srun(self):
        done = self.run_it("srun --mpi=pmix -N 2 --ntasks-per-node 2 ./sum")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_sum(done.stdout, [0, 0, 1, 1])

    def test_srun_that_numbers_processes_in_turn(self):
        done = self.run_it("srun --mpi=pmix -N 2 -n 3 -m cyclic ./sum")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_sum(done.stdout, [0, 1, 0])

    def test_srun_that_connects_nobody_is_said_once(self):
        done = self.run_it("srun --mpi=none -N 2 --ntasks-per-node 2 ./sum")
        self.assertNotEqual(done.returncode, 0)
        said = [line for line in done.stderr.splitlines() if not line.startswith("srun: ")]
        self.assertEqual(said, ["banyan: srun has not connected its processes: start them by srun --mpi=pmix, or by "
                                "upcrun inside salloc or sbatch"])

    def test_upcrun_uses_the_nodes_of_a_job(self):
        for command, hosts in ((UPCRUN + " -n 4 -N 2", [0, 0, 1, 1]), ("oshrun -n 3", [0, 0, 1]),
                               (UPCRUN + " -n 5 -N 2", [0, 0, 0, 1, 1])):
            with self.subTest(command):
                done = self.run_it("salloc -Q -N 2 --ntasks-per-node %d %s ./sum" % (2 if "oshrun" in command else 4,
                                                                                     command))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assert_sum(done.stdout, hosts)

    def test_a_script(self):
        script = os.path.join(self.folder, "job")
        with open(script, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\n#SBATCH -N 2 --ntasks-per-node 2 -o job.out\n"
                       "%s -n 4 -N 2 ./sum\necho then\n./sum\n" % UPCRUN)
        done = self.run_it("sbatch -Q -W job")
        with open(os.path.join(self.folder, "job.out"), encoding="ascii") as file:
            threads, _, alone = file.read().partition("then\n")
        self.assert_sum(threads, [0, 0, 1, 1])
        self.assertIn("its threads are started by upcrun -n N ./sum", alone)
        self.assertEqual(done.returncode, 1)

    @unittest.skipUnless(shutil.which("generate_pbs_nodefile"), "there is no qsub for Slurm (Debian: slurm-wlm-torque)")
    def test_a_script_of_pbs(self):
        """Submitted by the qsub that Slurm has for users of PBS, with a list of nodes in PBS's format"""
        script = os.path.join(self.folder, "pbs")
        with open(script, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\n#PBS -l nodes=2:ppn=2\nexport PBS_NODEFILE=`generate_pbs_nodefile`\n"
                       "(%s -show -n 4 ./sum && %s -n 4 ./sum) >pbs.out 2>&1\n"
                       "mv pbs.out pbs.all; rm $PBS_NODEFILE\n" % (UPCRUN, UPCRUN))
        done = self.run_it("qsub pbs && for i in $(seq %d); do test -e pbs.all && break; sleep 1; done" % LIMIT)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.folder, "pbs.all"), encoding="ascii") as file:
            command, *threads = file.read().splitlines()
        self.assertIn(" -H h0:2,h1:2 ", command)
        # Open MPI's launcher uses the slots of Slurm's job: three and one.
        self.assert_sum("\n".join(threads), [0, 0, 0, 1])

    def test_a_thread_that_is_killed_ends_the_step(self):
        done = self.run_it("srun --mpi=pmix -N 2 --ntasks-per-node 2 ./sum kill")
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"thread 1 \(pid [0-9]+ on h0\) was killed by signal 9")
        left = self.cluster.run(1, ["pgrep", "-x", "sum"], capture_output=True, text=True)
        self.assertEqual(left.stdout, "")

    def test_memory_is_for_all_threads_of_a_node(self):
        with open("/proc/meminfo", encoding="ascii") as file:
            free_kib = next(int(line.split()[1]) for line in file if line.startswith("MemAvailable"))
        # Two heaps of a quarter of the memory would fit for the one thread of h1, which would wait for those of h0.
        done = self.run_it("BANYAN_SHARED_HEAP=%dK srun --mpi=pmix -N 2 -n 4 -m 'block:*,Pack' ./sum" % (free_kib // 4))
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "the shared memory of a thread .* takes .* are available for each on h0")
        self.assertNotIn("are available for each on h1", done.stderr)


if __name__ == "__main__":
    if not os.path.exists(os.path.join(BIN, "..", "lib", "libbanyan-shmem.a")):
        reason = "this Banyan was built without OpenSHMEM"
    else:
        reason = slurm.why_not() or multihost.why_no_oshrun()
    if reason:
        print("skipped: " + reason)
        sys.exit(multihost.SKIP)
    unittest.main()
