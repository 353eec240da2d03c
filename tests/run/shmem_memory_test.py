#!/usr/bin/env python3
"""Shared memory over the network shmem, on this machine: heaps, threads that are far from each other, messages, faults.
Skipped if Banyan was built without OpenSHMEM.
"""

import errno
import json
import os
import re
import subprocess
import time

import jobs
import shmem

OVERRUN = """
#include <stdlib.h>
#include <upc.h>
shared int first[10 * THREADS], last[10 * THREADS];
int main(int argc, char **argv)
{
    upc_barrier;
    if (MYTHREAD == 0)
        *(int *)((char *)(shared [] char *)&last[1] + atol(argv[1])) = 1;
    upc_barrier;
}
"""

WAY = """
#include <banyan/coll.h>
#include <stdio.h>
#include <upc.h>
#include <upc_collective.h>
static shared [64] char a[64 * THREADS], b[64 * THREADS];
int main(void)
{
    a[64 * MYTHREAD] = 7 + MYTHREAD;
    upc_all_broadcast(b, a, 64, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    printf("%d %s %d\\n", MYTHREAD, bn_coll_way("broadcast", 64, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC), b[64 * MYTHREAD]);
}
"""

WRITES = """
#include <upc_relaxed.h>
shared [1000] int v[1000 * THREADS];
int main(void)
{
    for (int i = 0; i < 1000 && MYTHREAD == 0; i++)
        v[1000 + i] = i;
    upc_barrier;
    return MYTHREAD == 1 && v[1999] != 999;
}
"""

STARTS = """
#include <stdlib.h>
#include <upc.h>
int main(int argc, char **argv)
{
    return MYTHREAD == 0 && system(argv[1]) != 0;
}
"""

SANITIZED = """
#include <stdlib.h>
#include <upc.h>
shared [4] int a[4 * THREADS];
int main(int argc, char **argv)
{
    volatile int index = atoi(argv[1]);
    char *own = malloc(10);
    upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
        a[i] = i;
    if (MYTHREAD == 1)
        own[index] = 1;
    upc_barrier;
    return a[4 * THREADS - 1] != 4 * THREADS - 1;
}
"""


FITS = """
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
int main(int argc, char **argv)
{
    for (int i = 1; i < argc && MYTHREAD == THREADS - 1; i++)
        printf("%d", upc_alloc((size_t)atoi(argv[i]) << 20) != NULL);
    return 0;
}
"""


def memory_kib():
    with open("/proc/meminfo", encoding="ascii") as file:
        return int(file.readline().split()[1])


class SmallContainer:
    """A control group with a limit of memory; `enter` runs a command in it"""

    def __init__(self, test, limit_bytes):
        root, file = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
        if not os.path.isdir(root):
            root, file = "/sys/fs/cgroup", "memory.max"
        group = os.path.join(root, "banyan-test-%d-%d" % (os.getpid(), limit_bytes))
        try:
            os.mkdir(group)
            test.addCleanup(self.remove, group)
            with open(os.path.join(group, file), "w", encoding="ascii") as limit:
                limit.write(str(limit_bytes))
        except OSError as error:
            test.skipTest("no control group for memory can be made here: %s" % error)
        self.enter = ("sh", "-c", 'echo $$ > "$0"/cgroup.procs && exec "$@"', group)

    @staticmethod
    def remove(group):
        """A process of the launcher may still be ending, which the system says by EBUSY."""
        last = time.monotonic() + jobs.LIMIT
        while True:
            try:
                os.rmdir(group)
                return
            except OSError as error:
                if error.errno != errno.EBUSY or time.monotonic() > last:
                    raise
            time.sleep(0.01)


class Memory(shmem.Test):
    def test_an_address_without_memory_is_described(self):
        """The message names the object if the address is in one, as with the network smp"""
        self.write("overrun.upc", OVERRUN)
        self.build("overrun", "-network=shmem", "overrun.upc")
        behind = r"thread 1 that is not allocated, \d+ bytes behind the end of its static shared data and its part"
        for at, settings, said in ((1 << 34, {}, behind),
                                   (0, shmem.FAR, "static shared object 'last' of thread 1, which is on another node"),
                                   ((1 << 36) + (1 << 21), {}, "where the shared memory of thread 2 would be")):
            done = self.run_it(jobs.UPCRUN, "-n", "2", "./overrun", str(at), **settings)
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr, said)

    def test_threads_may_all_be_far(self):
        self.assert_hello(self.run_it(jobs.UPCRUN, "-n", "3", "./hello", **shmem.FAR), 3, 1)
        for name in ("far_accesses", "far_relaxed", "far_messages", "far_gather"):
            self.build("far", "-network=shmem", "-O2", os.path.join(shmem.PROGRAMS, name + ".upc"))
            done = self.run_it(jobs.UPCRUN, "-n", "3", "./far", **shmem.FAR)
            self.assertEqual((done.returncode, done.stdout), (0, "ok\n" * 3), name + done.stderr)

    def far_puts(self, *flags):
        """The number of messages in which thread 0 writes 1,000 consecutive elements to thread 1"""
        with open(os.path.join(self.folder, "writes.upc"), "w", encoding="ascii") as file:
            file.write(WRITES)
        self.build("writes", "-network=shmem", *flags, "writes.upc")
        done = self.run_it(jobs.UPCRUN, "-n", "2", "./writes", **shmem.FAR, BANYAN_FAR_STATS="1")
        self.assertEqual(done.returncode, 0, done.stderr)
        line = (r"banyan: thread 0: \d+ bytes from other nodes in \d+ messages, waited for \d+ times, "
                r"(\d+) bytes to them in (\d+) messages\n")
        self.assertRegex(done.stderr, line)
        return [int(number) for number in re.search(line, done.stderr).groups()]

    def test_writes_share_messages_unless_told_not_to(self):
        self.assertLessEqual(self.far_puts("-O2")[1], 20)
        for flags in (("-O0",), ("-O2", "-fno-upc-opt"), ("-O2", "-fno-upc-opt-behind")):
            self.assertGreaterEqual(self.far_puts(*flags)[1], 1000, flags)

    def test_a_heap_size_of_the_user_or_of_an_outer_job_is_no_conflict(self):
        for name in ("SMA_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE"):
            self.assert_hello(self.run_it(jobs.UPCRUN, "-n", "2", "./hello", **{name: "32M"}), 2, 2)
        self.write("starts.upc", STARTS)
        self.build("starts", "-network=shmem", "starts.upc")
        inner = jobs.UPCRUN + " -n 2 -shared-heap 8M ./hello"
        self.assert_hello(self.run_it(jobs.UPCRUN, "-n", "1", "./starts", inner), 2, 2)

    def test_address_sanitizer(self):
        self.write("sanitized.upc", SANITIZED)
        for flags in ([], ["-pthreads=2"]):
            try:
                self.build("sanitized", "-network=shmem", "-g", "-fsanitize=address", *flags, "sanitized.upc")
            except subprocess.CalledProcessError:
                self.skipTest("the compiler has no AddressSanitizer")
            for more in ({}, shmem.FAR):
                done = self.run_it(jobs.UPCRUN, "-n", "2", "./sanitized", "9", **more)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
            done = self.run_it(jobs.UPCRUN, "-n", "2", "./sanitized", "10")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("heap-buffer-overflow", done.stderr)
            self.assertIn("sanitized.upc:12", done.stderr)

    def test_a_heap_that_is_too_large_is_said_once(self):
        done = self.run_it(jobs.UPCRUN, "-n", "2", "./hello", BANYAN_SHARED_HEAP="%dK" % (2 * memory_kib()))
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr,
                         "^banyan: the shared memory of a thread .* takes .* are available for each on %s;.*\n$" %
                         re.escape(os.uname().nodename))

    def test_heaps_fit_the_memory_that_upcrun_has_found(self):
        self.write("fits.upc", FITS)
        rooms = (("60", None, "10"), ("1", None, "11"), ("4000", None, "11"), ("60", "100", "11"))
        for flags, tried in (([], rooms), (["-pthreads=2"], rooms[:1]), (["-fcheck"], rooms[:1])):
            self.build("fits", "-network=shmem", *flags, "fits.upc")
            for room, heap, sizes in tried:
                more = ["-x", "BANYAN_ROOM=" + room] + (["-x", "BANYAN_SHARED_HEAP=" + heap] if heap else [])
                done = self.run_it("oshrun", "--allow-run-as-root", "--oversubscribe", "-n", "2", *more, "./fits",
                                   "18", "60")
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, sizes, ""), (flags, room, heap))

    def test_upcrun_finds_the_memory(self):
        self.script("room", "echo ${BANYAN_ROOM%M}\n")
        for threads in (1, 4):
            found = self.run_it(jobs.UPCRUN, "-n", str(threads), "./hello", OSHRUN="./room").stdout
            self.assertTrue(0 < int(found) <= memory_kib() / 8 * 7 / threads / 1024, found)
        for options, variables in ((["-hosts", "one"], {}), ([], {"SLURM_JOB_ID": "7"})):
            elsewhere = self.run_it(jobs.UPCRUN, "-n", "2", *options, "./hello", OSHRUN="./room", **variables).stdout
            self.assertEqual(elsewhere, "\n")
        self.assertNotIn("ROOM", self.run_it(jobs.UPCRUN, "-show", "-n", "2", "./hello").stdout)

    def test_heaps_fit_a_small_container(self):
        for size_mb, counts in ((128, (1, 2, 4)), (64, (4,)), (48, (2,))):
            group = SmallContainer(self, size_mb << 20)
            for threads in counts:
                done = self.run_it(*group.enter, jobs.UPCRUN, "-n", str(threads), "./hello")
                self.assert_hello(done, threads, threads)

    def test_all_follow_the_table_of_thread_0(self):
        """A table that the other threads cannot read, as on machines that do not have it"""
        self.write("way.upc", WAY)
        self.build("way", "-network=shmem", "way.upc")
        done = self.run_it(os.path.join(jobs.BIN, "banyan-sim"), "gather", "-threads", "2", "-table", "table.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        rules = [{"min_nodes": 2, "entry": "push-pull/chain.flat/chunks"}, {"entry": "pull/chain/chunks"}]
        with open(os.path.join(self.folder, "table.json"), encoding="utf-8") as file:
            table = json.load(file)
        self.write("table.json", json.dumps({**table, "rules": {"broadcast": rules}}))
        self.write("way.sh", 'case $OMPI_COMM_WORLD_RANK in 0) export BANYAN_COLL_TABLE=table.json;; '
                             '*) export BANYAN_COLL_TABLE=not-there;; esac\nexec ./way\n')
        for variables, rule in ((shmem.FAR, rules[0]), ({}, rules[1])):
            done = self.run_it("oshrun", "--allow-run-as-root", "--oversubscribe", "-n", "3", "sh", "way.sh",
                               **variables)
            self.assertEqual(sorted(done.stdout.splitlines()),
                             [f"{thread} {rule['entry']} 7" for thread in range(3)], done.stderr)
        done = self.run_it(jobs.UPCRUN, "-n", "2", "./way", BANYAN_COLL_TABLE="not-there")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("BANYAN_COLL_TABLE: not-there cannot be read", done.stderr)

    def test_rules_for_one_machine_are_said(self):
        done = self.run_it(jobs.UPCRUN, "-n", "2", "./hello", BANYAN_COLL_BARRIER="tree")
        self.assertIn("BANYAN_COLL_BARRIER has no effect with -network=shmem: there is only one kind of barrier",
                      done.stderr)
        self.assert_hello(done, 2, 2)
        unknown = self.run_it(jobs.UPCRUN, "-n", "2", "./hello", BANYAN_COLL_BROADCAST="by/magic")
        self.assertNotEqual(unknown.returncode, 0)
        self.assertIn('"by/magic" is not a way to carry out this operation; there are', unknown.stderr)


if __name__ == "__main__":
    shmem.main()
