#!/usr/bin/env python3
"""Jobs over two hosts that lose one or a process: one message is printed, and nothing is left.  With --long also losses
that take a minute to notice.

    loss_test.py [--long] [test names]
"""

import os
import subprocess
import sys
import tempfile
import time
import unittest

import two_hosts
from two_hosts import BIN, LIMIT

IS_LONG = "--long" in sys.argv


class Loss(two_hosts.Test):
    def assert_ends_with_one_line(self, job, pattern):
        _, said = job.communicate(timeout=LIMIT)
        self.assertNotEqual(job.returncode, 0)
        lines = said.splitlines()
        self.assertEqual(len(lines), 1, said)
        self.assertRegex(lines[0], pattern)

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
        subprocess.run([os.path.join(BIN, "upcc"), "works.upc", "-o", other], cwd=self.folder, check=True)
        self.hosts.run(1, ["mount", "--bind", other, os.path.join(self.folder, "works")])
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
    sys.argv = [word for word in sys.argv if word != "--long"]
    two_hosts.main()
