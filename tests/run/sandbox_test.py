#!/usr/bin/env python3
"""Where a container or a sandbox refuses system calls, a job does without them, or its message names them."""

import os
import subprocess
import sys
import unittest

import jobs
from jobs import BIN, JobTest, run

FORBID = os.path.join(BIN, "forbid")
OUTPUT = ["T%d %d" % (thread, line) for thread in range(2) for line in range(3)]


class Sandbox(JobTest):
    def refused(self, call, *options):
        """Runs a job of two threads, to which the call is refused, and which print three lines each."""
        return run(2, "lines", 0, 3, before=[FORBID, call], options=options)

    def assert_whole(self, ended):
        self.assertEqual(sorted(" ".join(line.split()[:2]) for line in ended.lines), OUTPUT)
        self.assertEqual(ended.status, 0)

    def test_calls_that_it_cannot_do_without_are_named(self):
        for call in ("ftruncate", "memfd_create", "prlimit64", "recvmsg", "setsockopt", "signalfd4", "socketpair"):
            with self.subTest(call):
                ended = self.refused(call)
                self.assertNotEqual(ended.status, 0)
                self.assertEqual(ended.out, "")
                self.assert_one_line(ended, "Operation not permitted; the container or sandbox must allow", call)

    def test_without_others_it_runs_as_ever(self):
        for call in ("copies", "madvise", "prctl"):
            with self.subTest(call):
                ended = self.refused(call)
                self.assert_whole(ended)
                self.assertEqual(ended.err, "")

    def test_threads_that_cannot_be_bound_run_unbound(self):
        ended = self.refused("sched_setaffinity", "-bind", "core")
        self.assert_whole(ended)
        self.assertEqual(ended.err.count("the system refuses; -bind none avoids this"), 2)

    def test_a_thread_alone_needs_no_monitor(self):
        for call in ("recvmsg", "setsockopt", "signalfd4", "socketpair"):
            with self.subTest(call):
                ended = run(1, "lines", 0, 3, before=[FORBID, call])
                self.assertEqual((ended.status, ended.err, len(ended.lines)), (0, "", 3))


if __name__ == "__main__":
    if subprocess.run([FORBID, "prctl", "true"], capture_output=True, check=False).returncode == jobs.harness.SKIP:
        print("the system has no filters of system calls (seccomp)")
        sys.exit(jobs.harness.SKIP)
    jobs.main()
