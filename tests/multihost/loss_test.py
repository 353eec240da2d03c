#!/usr/bin/env python3
"""Jobs over two hosts that lose one or a process: one message is printed, and nothing is left.  With --long also losses
that take a minute to notice.

    loss_test.py [--long] [test names]
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import hosts as multihost

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.path.join(os.environ.get("TESTED_BUILD", os.path.join(ROOT, "build")), "bin")
LIMIT = 240  # seconds: whatever takes longer hangs
IS_LONG = "--long" in sys.argv

# Prints where it runs, and works until there is a file "stop".
PROGRAM = """
#include <stdio.h>
#include <unistd.h>
#include <upc.h>
shared int x[THREADS], stop;
int main(int argc, char **argv)
{
    (void)argc;
    printf("thread %d is %d\\n", MYTHREAD, (int)getpid());
    fflush(stdout);
    for (int i = 0; !stop; i++) {
        x[(MYTHREAD + 1) % THREADS] = i;
        upc_barrier;
        if (MYTHREAD == 0)
            stop = access(argv[1], F_OK) == 0;
        upc_barrier;
        usleep(1000);
    }
    if (MYTHREAD == 0)
        puts("ended well");
    return 0;
}
"""


class Loss(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="banyan-loss-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        with open(os.path.join(cls.folder, "lost.upc"), "w", encoding="ascii") as file:
            file.write(PROGRAM)
        subprocess.run([os.path.join(BIN, "upcc"), "-network=shmem", "lost.upc", "-o", "lost"], cwd=cls.folder,
                       check=True)

    def setUp(self):
        self.hosts = multihost.Hosts(2)
        self.hosts.__enter__()
        self.addCleanup(self.hosts.close)

    def start(self, environment=()):
        """Starts a job of two threads on each host; returns it and the threads' process numbers on their hosts once all
        have begun."""
        command = self.hosts.upcrun(os.path.join(BIN, "upcrun"), 2,
                                    [os.path.join(self.folder, "lost"), self.stop_file()],
                                    environment=environment)
        job = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
        self.addCleanup(self.end, job)
        found = {}
        while len(found) < 4:
            line = job.stdout.readline()
            self.assertNotEqual(line, "", "the job has ended: " + (job.stderr.read() if not line else ""))
            found.update((int(thread), int(pid)) for thread, pid in re.findall(r"thread (\d+) is (\d+)", line))
        return job, found

    def run_it(self, stop_file, **more):
        command = self.hosts.upcrun(os.path.join(BIN, "upcrun"), 2, [os.path.join(self.folder, "lost"), stop_file])
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT,
                              check=False, **more)

    @staticmethod
    def end(job):
        if job.poll() is None:
            job.kill()
        job.wait()
        job.stdout.close()
        job.stderr.close()

    def stop_file(self):
        return os.path.join(self.hosts.folder, "stop")

    def stop(self):
        with open(self.stop_file(), "w", encoding="ascii"):
            pass

    def assert_ends_with_one_line(self, job, pattern):
        _, said = job.communicate(timeout=LIMIT)
        self.assertNotEqual(job.returncode, 0)
        lines = said.splitlines()
        self.assertEqual(len(lines), 1, said)
        self.assertRegex(lines[0], pattern)

    def count_left(self, host):
        code = "cat /proc/[0-9]*/comm 2>/dev/null | grep -c '^lost$'"
        return int(self.hosts.run(host, ["sh", "-c", code], stdout=subprocess.PIPE, text=True).stdout)

    def assert_nothing_is_left_on(self, *hosts):
        end = time.monotonic() + LIMIT
        while any(self.count_left(host) for host in hosts):
            self.assertLess(time.monotonic(), end, "threads are left")
            time.sleep(0.1)

    def test_a_host_that_is_killed_is_named(self):
        job, _ = self.start()
        self.hosts.kill(1)
        self.assert_ends_with_one_line(job, r"^banyan: host h1 was lost: .*; the job is ended$")
        self.assert_nothing_is_left_on(0)

    def test_a_thread_that_is_killed_is_named(self):
        job, pids = self.start()
        self.hosts.run(1, ["kill", "-KILL", str(pids[3])])
        self.assert_ends_with_one_line(job, r"^banyan: thread 3 \(pid %d on h1\) was killed by signal 9" % pids[3])
        self.assert_nothing_is_left_on(0, 1)

    def test_a_launcher_that_is_killed_leaves_nothing(self):
        job, _ = self.start()
        job.kill()
        self.assert_nothing_is_left_on(0, 1)

    def test_a_launcher_that_is_asked_to_end_leaves_nothing(self):
        job, _ = self.start()
        job.terminate()
        job.communicate(timeout=LIMIT)
        self.assertNotEqual(job.returncode, 0)
        self.assert_nothing_is_left_on(0, 1)

    def test_another_program_on_a_host_is_named(self):
        other = os.path.join(self.folder, "other")
        subprocess.run([os.path.join(BIN, "upcc"), "lost.upc", "-o", other], cwd=self.folder, check=True)
        self.hosts.run(1, ["mount", "--bind", other, os.path.join(self.folder, "lost")])
        done = self.run_it("none")
        self.assertNotEqual(done.returncode, 0)
        for line in done.stderr.splitlines():
            self.assertRegex(line, "^banyan: host h1 runs another program than upcrun has found under this path: ")
        self.assertNotEqual(done.stderr, "")
        self.assert_nothing_is_left_on(0, 1)

    def test_a_host_without_the_folder_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            where = os.path.join(folder, "here")
            os.mkdir(where)
            self.hosts.run(1, ["mount", "-t", "tmpfs", "none", folder])
            self.stop()
            done = self.run_it(self.stop_file(), cwd=where)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("ended well", done.stdout.splitlines())  # hosts' lines come in any order
            self.assertRegex(done.stderr, "^banyan: thread 2: warning: host h1 cannot enter the folder %s: No such "
                             "file or directory; its threads run in /.*\n$" % where)

    def test_a_host_with_too_little_memory_is_named(self):
        path = os.path.join(self.hosts.folder, "meminfo")
        with open(path, "w", encoding="ascii") as file:
            file.write("MemTotal: 200000 kB\nMemFree: 100000 kB\nMemAvailable: 100000 kB\n")
        self.hosts.run(1, ["mount", "--bind", path, "/proc/meminfo"])
        done = self.run_it("none")
        self.assertNotEqual(done.returncode, 0)
        lines = [line for line in done.stderr.splitlines() if line.startswith("banyan: ")]
        self.assertTrue(lines, done.stderr)
        for line in lines:
            self.assertRegex(line, r"^banyan: .*the shared memory of a thread .* takes .* are available for each on "
                                   r"h1; make it smaller")
        self.assert_nothing_is_left_on(0, 1)

    def test_a_link_that_is_away_for_a_second_is_no_loss(self):
        job, _ = self.start()
        self.hosts.link(1, False)
        time.sleep(1)
        self.hosts.link(1, True)
        self.stop()
        out, said = job.communicate(timeout=LIMIT)
        self.assertEqual((job.returncode, out.splitlines()[-1:]), (0, ["ended well"]), said)

    @unittest.skipUnless(IS_LONG, "takes 40 s; --long")
    def test_a_host_that_does_not_answer_is_lost(self):
        job, _ = self.start()
        self.hosts.link(1, False)
        self.assert_ends_with_one_line(job, r"^banyan: host h1 was lost: ")
        self.assert_nothing_is_left_on(0)


if __name__ == "__main__":
    REASON = multihost.why_not() or multihost.why_no_oshrun()
    if not REASON and not os.path.exists(os.path.join(BIN, "..", "lib", "libbanyan-shmem.a")):
        REASON = "this Banyan was built without OpenSHMEM"
    if REASON:
        print("skipped: " + REASON)
        sys.exit(multihost.SKIP)
    sys.argv = [word for word in sys.argv if word != "--long"]
    unittest.main()
