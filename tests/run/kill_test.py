#!/usr/bin/env python3
"""Kills a thread, or the monitor, of many jobs at random moments: each job ends, reports it if it still can, and leaves
nothing behind: no process, no file in memory, no System V semaphore or segment.

    kill_test.py [--rounds N] [--seed S]
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest

import jobs


def system_objects():
    """Objects that could outlive processes: POSIX and System V shared memory and semaphores."""
    found = set(os.listdir("/dev/shm"))
    for kind in ("shm", "sem", "msg"):
        try:
            with open("/proc/sysvipc/" + kind) as file:
                found.update(kind + line for line in file.read().splitlines()[1:])
        except OSError:
            pass
    return found


def helpers():
    """Processes that threads have started, by their arguments."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", encoding="utf-8") as file:
                command = file.read().split("\0")
            if command[0] == "./helper" and os.readlink(f"/proc/{name}/cwd") == os.path.realpath(jobs.FOLDER):
                found.setdefault(command[1], []).append(int(name))
        except OSError:
            pass
    return found


def end_helpers():
    for process in sum(helpers().values(), []):
        os.kill(process, signal.SIGKILL)


class Kills(jobs.JobTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        shutil.copy(shutil.which("sleep"), os.path.join(jobs.FOLDER, "helper"))

    rounds = 20
    seed = None

    def one_round(self, choice):
        count = choice.choice((2, 3, 4, 8))
        action = choice.choice(("sleep", "spin", "chatter"))
        errors = os.path.join(jobs.FOLDER, "errors")
        with open(errors, "wb") as file:
            job = jobs.start(count, action, stdout=subprocess.DEVNULL, stderr=file)
        if choice.random() < 0.8:
            self.assertTrue(jobs.wait_until(lambda: len(jobs.processes()) == count + 1 or job.poll() is not None))
        time.sleep(choice.random() * 0.02)
        threads = [process for process in jobs.processes() if process != job.pid]
        victim = choice.choice([*threads, job.pid])
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            self.fail("thread %d of a job that was to run for ever is gone" % victim)
        job.wait(jobs.LIMIT)
        with open(errors) as file:
            said = file.read()
        if victim == job.pid:
            self.assertEqual((job.returncode, said), (-signal.SIGKILL, ""))
        else:
            self.assertEqual(job.returncode, 128 + signal.SIGKILL, said)
            self.assertEqual(len(said.splitlines()), 1, said)
            self.assertIn("(pid %d) was killed by signal 9" % victim, said)
        self.assertTrue(jobs.wait_until(lambda: not jobs.processes()), jobs.processes())

    def test_random_kills(self):
        choice = random.Random(self.seed)
        before = system_objects()
        for number in range(self.rounds):
            with self.subTest(round=number):
                self.one_round(choice)
        self.assertEqual(system_objects() - before, set())

    def test_jobs_that_are_killed_while_they_start(self):
        """With so many threads that not only the monitor forks them."""
        choice = random.Random(self.seed)
        before = system_objects()
        for number in range(max(5, self.rounds // 10)):
            with self.subTest(round=number):
                job = jobs.start(250, "sleep", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(choice.random() * 0.3)
                job.kill()
                job.wait(jobs.LIMIT)
                self.assertTrue(jobs.wait_until(lambda: not jobs.processes()), jobs.processes())
        self.assertEqual(system_objects() - before, set())

    def test_a_child_of_a_thread_is_not_the_jobs(self):
        """Killing a process that a thread has started changes nothing for the job."""
        ended = jobs.run(2, "children", 0, 2)
        self.assertEqual((ended.status, ended.err), (0, ""))

    def start_helpers(self, subject, counts):
        self.addCleanup(end_helpers)
        job = jobs.start(3, "helpers", subject, stdin=subprocess.PIPE)
        self.assertTrue(jobs.wait_until(lambda: sorted(map(len, helpers().values())) == counts), helpers())
        return job

    def test_what_threads_have_started_ends_with_a_job_that_fails(self):
        """Except for daemons, which have a session of their own."""
        for end, status in (("!", 5), (signal.SIGSEGV, 128 + signal.SIGSEGV), (signal.SIGKILL, 128 + signal.SIGKILL)):
            with self.subTest(end=end):
                job = self.start_helpers(0, [2, 4])
                if end == "!":
                    job.stdin.write(b"!")
                    job.stdin.flush()
                else:
                    os.kill(next(process for process in jobs.processes() if process != job.pid), end)
                self.assertEqual(job.wait(jobs.LIMIT), status)
                self.assertEqual({seconds: len(left) for seconds, left in helpers().items()}, {"301": 2})
                end_helpers()
                job.communicate()

    def test_what_threads_have_started_outlives_a_job_that_ends_well(self):
        job = self.start_helpers(3, [3, 6])
        for process in helpers()["300"]:
            os.kill(process, signal.SIGKILL)
        self.assertEqual(job.wait(jobs.LIMIT), 0)
        self.assertEqual(list(helpers()), ["301"])
        end_helpers()
        job.communicate()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    given, sys.argv[1:] = parser.parse_known_args()
    Kills.rounds, Kills.seed = given.rounds, given.seed
    print("%d rounds, seed %d" % (given.rounds, given.seed), flush=True)
    jobs.main()
