#!/usr/bin/env python3
"""Output of threads arrives whole, in order, and at its destination."""

import os
import re
import subprocess
import time
import unittest

import jobs
from jobs import FOLDER, JobTest, run, start


class Lines(JobTest):
    def check_lines(self, text, threads, count):
        """All lines of all threads must be there, each whole, and each thread's in order."""
        seen = [0] * threads
        for line in text.splitlines():
            match = re.fullmatch(r"T(\d+) (\d+) (.*)", line)
            self.assertTrue(match, line)
            thread = int(match[1])
            self.assertEqual(int(match[2]), seen[thread], line)
            self.assertEqual(match[3].strip(chr(ord("a") + thread)), "", line)
            seen[thread] += 1
        self.assertEqual(seen, [count] * threads)

    def test_lines_of_threads_never_mix(self):
        ended = run(8, "lines", 0, 2000)
        self.assertEqual((ended.status, ended.err), (0, ""))
        self.check_lines(ended.out, 8, 2000)

    def test_into_a_file(self):
        path = os.path.join(FOLDER, "out")
        with open(path, "wb") as file:
            ended = run(8, "lines", 0, 2000, stdout=file)
        self.assertEqual(ended.status, 0)
        with open(path) as file:
            self.check_lines(file.read(), 8, 2000)

    def test_output_and_errors_in_one_pipe(self):
        ended = run(6, "both", 0, 500, stderr=subprocess.STDOUT)
        self.assertEqual(ended.status, 0)
        for kind in ("out", "err"):
            for thread in range(6):
                got = [line for line in ended.lines if line.startswith("T%d " % thread) and line.endswith(kind)]
                self.assertEqual(got, ["T%d %d %s" % (thread, i, kind) for i in range(500)])
        self.assertEqual(len(ended.lines), 6 * 2 * 500)

    def test_order_follows_barriers(self):
        ended = run(5, "turns", 0, 40)
        self.assertEqual(ended.lines, ["turn %d" % i for i in range(200)])

    def test_rows_are_printed_by_turns(self):
        rows = "".join(" ".join(str(row * 4 + thread) for thread in range(4)) + "\n" for row in range(40))
        self.assertEqual(run(4, "rows", 0, 40).out, rows)
        path = os.path.join(FOLDER, "rows")
        with open(path, "wb") as file:
            self.assertEqual(run(4, "rows", 0, 40, stdout=file).status, 0)
        with open(path) as file:
            self.assertEqual(file.read(), rows)
        self.assertEqual(sorted(run(2, "rows", 0, 2, options=["-label"]).lines), ["[0] 0 2 ", "[1] 1", "[1] 3"])

    def test_labels(self):
        ended = run(3, "hello", options=["-label"])
        self.assertEqual(sorted(ended.lines), ["[%d] thread %d of 3" % (i, i) for i in range(3)])
        ended = run(1, "hello", options=["-label"])
        self.assertEqual(ended.lines, ["[0] thread 0 of 1"])

    def test_line_without_end_stays_as_it_is(self):
        for count in (1, 3):
            ended = run(count, "no_end", count - 1)
            self.assertEqual(ended.out, "no end")

    def test_children_of_threads(self):
        ended = run(3, "children", 0, 4)
        self.assertEqual((ended.status, ended.err), (0, ""))
        self.assertEqual(ended.lines, ["child of a thread"] * 12)


class Bytes(JobTest):
    def test_binary_is_exact(self):
        block = bytes((i * 2654435761 & 0xFFFFFFFF) >> 13 & 0xFF for i in range(1 << 20))
        job = start(4, "binary", 2, 5)
        out, err = job.communicate(timeout=jobs.LIMIT)
        self.assertEqual((job.returncode, err), (0, b""))
        self.assertTrue(out == block * 5, "%d bytes" % len(out))

    def test_huge_line_is_exact(self):
        ended = run(3, "huge_line", 1, 7)
        self.assertTrue(ended.out == "x" * (7 << 20) + "\n", len(ended.out))

    def test_volume_is_complete(self):
        ended = run(8, "volume", 0, 4)
        self.assertEqual(ended.status, 0)
        for thread in range(8):
            line = chr(ord("a") + thread) * 63
            self.assertEqual(ended.lines.count(line), 4 << 14)
        self.assertEqual(len(ended.out), 8 * 4 << 20)


class Readers(JobTest):
    def test_prompt_is_shown_before_the_answer(self):
        job = start(3, "read", stdin=subprocess.PIPE)
        self.assertEqual(jobs.read_until(job.stdout, b"? "), b"name? ")
        ended = jobs.finish(job, b"Ada\n")
        self.assertEqual(ended.out, "thread 0 read Ada\n")
        self.assertEqual(sorted(ended.errors), ["thread 1 read nothing", "thread 2 read nothing"])

    def test_reader_that_goes_ends_the_job_quietly(self):
        job = start(4, "chatter")
        jobs.read_until(job.stdout, b"chatter")
        job.stdout.close()
        err = job.stderr.read()
        job.stderr.close()
        job.wait(jobs.LIMIT)
        self.assertEqual((job.returncode, err), (-13, b""))

    def test_slow_reader_makes_threads_wait(self):
        job = start(8, "volume", 0, 16)
        monitor = job.pid

        def resident_kib():
            with open("/proc/%d/status" % monitor) as file:
                return int(re.search(r"VmRSS:\s*(\d+)", file.read())[1])

        time.sleep(1)
        self.assertLess(resident_kib(), 64 << 10)
        ended = jobs.finish(job)
        self.assertEqual((ended.status, len(ended.out)), (0, 8 * 16 << 20))

    def test_full_disk_is_reported(self):
        # Often a thread can still notice that its output is refused, and ends; that must not be reported as the reason.
        for _ in range(20):
            with open("/dev/full", "wb") as full:
                ended = run(2, "lines", 0, 100, stdout=full)
            self.assertEqual(ended.status, 1)
            self.assert_one_line(ended, "cannot be written", "No space left")

    def test_failing_device_is_reported(self):
        # A plain file that the system cannot write: there is nothing at address 0 of this process.
        with open("/proc/self/mem", "wb") as memory:
            ended = run(2, "lines", 0, 100, stdout=memory)
        self.assertEqual(ended.status, 1)
        self.assert_one_line(ended, "cannot be written", "Input/output error")

    def test_closed_files(self):
        for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            command = "%s -n 2 %s hello %s" % (jobs.UPCRUN, jobs.VICTIM, closed)
            done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=jobs.LIMIT,
                                  env=jobs.environment())
            self.assertEqual((done.returncode, done.stderr), (0, b""), closed)

    def test_everything_before_a_crash_arrives(self):
        ended = run(3, "in_line", 1, stderr=subprocess.STDOUT)
        self.assertEqual(ended.lines[:-1], ["line %d" % i for i in range(1000)] + ["no end"])
        self.assertIn("thread 1 of 3", ended.lines[-1])
        self.assertEqual(ended.status, 139)


if __name__ == "__main__":
    jobs.main()
