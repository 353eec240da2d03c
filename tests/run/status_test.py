#!/usr/bin/env python3
"""Every way in which a job can end: its exit status, and the one line that says why."""

import os
import re
import resource
import signal
import subprocess
import unittest

import jobs
from jobs import JobTest, run

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "victim.c")


def crash_line():
    with open(SOURCE) as file:
        return next(number for number, line in enumerate(file, 1) if "CRASH LINE" in line)


class Normal(JobTest):
    def test_success(self):
        for count in (1, 2, 7):
            ended = run(count, "hello")
            self.assertEqual((ended.status, ended.err), (0, ""))
            self.assertEqual(sorted(ended.lines), ["thread %d of %d" % (i, count) for i in range(count)])

    def test_status_of_the_lowest_thread_that_failed(self):
        self.assertEqual(run(4, "status", 1, 9).status, 9)
        self.assertEqual(run(4, "status", 3, 200).status, 200)
        self.assertEqual(run(1, "status", 0, 77).status, 77)

    def test_exit_waits_for_the_others(self):
        ended = run(3, "late", 1)
        self.assertEqual((ended.status, ended.err), (4, ""))
        self.assertEqual(sorted(ended.lines), ["thread 0 was not hurried", "thread 2 was not hurried"])

    def test_atexit_functions_run(self):
        ended = run(3, "atexit")
        self.assertEqual(sorted(ended.lines), ["thread %d leaves" % i for i in range(3)])

    def test_all_bits_of_a_global_exit(self):
        for status in (0, 1, 127, 128, 137, 200, 255):
            for count in (1, 3):
                ended = run(count, "global_exit", count - 1, status)
                self.assertEqual((ended.status, ended.err), (status, ""))


class Deaths(JobTest):
    def check(self, action, number, name, *parts, thread=1, count=3):
        ended = run(count, action, thread)
        self.assertEqual(ended.shell_status, 128 + number)
        self.assertEqual(ended.out, "")
        self.assert_one_line(ended, "killed by signal %d (%s)" % (number, name), "; the job is ended", *parts)
        self.assertTrue(re.match(r"banyan: thread %d of %d \(pid \d+\) was " % (thread, count), ended.err), ended.err)

    def test_segmentation_fault(self):
        where = "victim.c:%d in crash(), writing address 0x10 (a null pointer)" % crash_line()
        for count in (1, 2, 8):
            self.check("segv", 11, "segmentation fault", where, thread=count - 1, count=count)

    def test_jump_to_where_no_code_is(self):
        self.check("jump", 11, "segmentation fault", "in die_jump(), jumping to address 0x555500001234")

    def test_address_in_the_window(self):
        for count in (1, 3):
            self.check("window", 7, "bus error", "victim.c:%d in crash()" % crash_line(), "thread %d" % (count - 1),
                       "bytes behind the end of its static shared data and its part of the global heap",
                       thread=count - 1, count=count)

    def test_address_between_segments(self):
        for count in (1, 3):
            self.check("gap", 7, "bus error", "memory of thread %d that is not allocated" % (count - 1),
                       "bytes behind the end of its local heap", thread=count - 1, count=count)

    def test_stack_overflow(self):
        self.check("stack", 11, "segmentation fault", "in recurse()", "stack is full")

    def test_abort(self):
        self.check("abort", 6, "abort", "in die_abort()")

    def test_illegal_instruction(self):
        self.check("ill", 4, "illegal instruction", "in die_ill()")

    def test_killed_from_outside(self):
        self.check("kill", 9, "kill", "memory ran out")

    @unittest.skipIf(resource.getrlimit(resource.RLIMIT_CPU)[1] != resource.RLIM_INFINITY, "there is a limit already")
    def test_killed_under_a_limit_of_processor_time(self):
        def limit():
            jobs.harness.default_signals()
            resource.setrlimit(resource.RLIMIT_CPU, (1, 1))

        ended = jobs.finish(jobs.start(2, "spin", preexec_fn=limit))
        self.assertEqual(ended.shell_status, 128 + signal.SIGKILL)
        self.assertIn("or by the system because memory ran out or the limit of processor time was reached (ulimit -t); "
                      "the job is ended", ended.err)

    def test_terminated_alone(self):
        self.check("term", 15, "termination")

    def test_backtrace(self):
        ended = run(2, "segv", 1, options=["-backtrace"])
        calls = [line for line in ended.errors if re.match(r"banyan:   #\d+ 0x", line)]
        self.assertIn("in crash() at", calls[0])
        self.assertTrue(any("in die_segv()" in line for line in calls), ended.err)
        self.assertTrue(any("in main()" in line for line in calls), ended.err)

    def test_without_addr2line(self):
        ended = run(2, "segv", 1, env=jobs.environment(PATH="/nowhere"))
        self.assertEqual(ended.status, 139)
        self.assert_one_line(ended, "thread 1 of 2", "writing address 0x10")

    def test_own_handlers_of_the_program_stay(self):
        self.assertEqual(run(1, "own_handler").status, 42)
        ended = run(2, "own_handler", 1)
        self.assertEqual(ended.status, 42)
        self.assert_one_line(ended, "thread 1 of 2", "left with status 42")

    def test_sanitizers_keep_their_handlers(self):
        program = os.path.join(jobs.FOLDER, "victim_asan")
        include = os.path.join(os.path.dirname(SOURCE), "../../include")
        library = os.path.join(jobs.BIN, "../lib/libbanyan.a")
        built = subprocess.run(["cc", "-g", "-fsanitize=address", "-D_GNU_SOURCE", "-I", include, SOURCE, library,
                                "-Wl,--wrap=main", "-lm", "-o", program], capture_output=True, text=True)
        if built.returncode != 0:
            self.skipTest("cc has no AddressSanitizer: " + built.stderr)
        ended = run(2, "hello", program=program)
        self.assertEqual((ended.status, ended.err), (0, ""), "the runtime leaks")
        ended = run(2, "segv", 1, program=program, env=jobs.environment(ASAN_OPTIONS=""))
        self.assertNotEqual(ended.status, 0)
        self.assertIn("AddressSanitizer: SEGV", ended.err)


class EarlyLeaves(JobTest):
    def test_leaving_without_the_barrier_at_the_end(self):
        for action, given, status in (("_exit", 0, 1), ("_exit", 9, 9), ("quick_exit", 0, 1), ("quick_exit", 8, 8)):
            ended = run(3, action, 2, given)
            self.assertEqual(ended.status, status)
            self.assert_one_line(ended, "thread 2 of 3", "left with status %d before the end" % given)

    def test_becoming_another_program(self):
        ended = run(3, "exec", 1)
        self.assertEqual(ended.status, 5)
        self.assert_one_line(ended, "thread 1 of 3", "left with status 5")

    def test_time_limit(self):
        for count in (1, 3):
            ended = run(count, "sleep", options=["-timeout", "0.3"])
            self.assertEqual(ended.status, 124)
            self.assert_one_line(ended, "time limit of 0.3 s")

    def test_time_limit_that_is_not_reached(self):
        ended = run(2, "hello", options=["-timeout", "10m"])
        self.assertEqual((ended.status, ended.err), (0, ""))


class Counts(JobTest):
    def test_static_program_knows_its_count(self):
        program = os.path.join(jobs.FOLDER, "victim_static")
        for count in (None, 3):
            for launcher in (True, False):
                ended = run(count, "hello", program=program, launcher=launcher)
                self.assertEqual((ended.status, len(ended.lines)), (0, 3))

    def test_static_program_with_another_count(self):
        program = os.path.join(jobs.FOLDER, "victim_static")
        for launcher in (True, False):
            ended = run(4, "hello", program=program, launcher=launcher)
            self.assertEqual((ended.status, ended.out), (1, ""))
            self.assert_one_line(ended, "-n asks for 4 threads", "victim.upc was compiled for 3")

    def test_session_variable_gives_way_to_a_static_count(self):
        program = os.path.join(jobs.FOLDER, "victim_static")
        ended = run(None, "hello", program=program, env=jobs.environment(BANYAN_THREADS="5"))
        self.assertEqual((ended.status, len(ended.lines)), (0, 3))
        self.assert_one_line(ended, "BANYAN_THREADS=5 has no effect")

    def test_units_that_do_not_fit_together(self):
        ended = run(None, "hello", program=os.path.join(jobs.FOLDER, "victim_mixed"))
        self.assertEqual((ended.status, ended.out), (1, ""))
        self.assert_one_line(ended, "victim.upc was compiled for 3 threads, but other.upc for 4")

    def test_as_many_threads_as_processors(self):
        usable = os.sched_getaffinity(0)
        ended = run(None, "hello")
        self.assertLessEqual(len(ended.lines), len(usable))
        one = min(usable)
        ended = run(None, "hello", preexec_fn=lambda: os.sched_setaffinity(0, {one}))
        self.assertEqual(ended.lines, ["thread 0 of 1"])

    def test_count_from_the_environment(self):
        for name in ("BANYAN_THREADS", "UPC_THREADS"):
            ended = run(None, "hello", env=jobs.environment(**{name: "5"}))
            self.assertEqual(len(ended.lines), 5)
        ended = run(2, "hello", env=jobs.environment(BANYAN_THREADS="5"))
        self.assertEqual(len(ended.lines), 2)

    def test_too_many_threads(self):
        ended = run(1025, "hello")
        self.assertNotEqual(ended.status, 0)
        self.assert_one_line(ended, "1025", "1 to 1024")

    def test_limit_of_processes(self):
        """That limit does not apply to root, for whom the limit of open files is tested instead."""
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))

        ended = run(64, "hello", preexec_fn=limit)
        self.assertEqual((ended.status, ended.out), (1, ""))
        self.assert_one_line(ended, "ulimit -n")

    def test_limit_of_file_sizes(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

        for count in (1, 4):
            ended = run(count, "hello", preexec_fn=limit)
            self.assertEqual(ended.status, 1)
            self.assert_one_line(ended, "File too large", "ulimit -f unlimited")

    def test_the_heap_fits_the_limit_of_file_sizes(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (8 << 20, 8 << 20))

        for count in (1, 4):
            ended = run(count, "hello", preexec_fn=limit)
            self.assertEqual((ended.status, ended.err), (0, ""))


class Overruns(JobTest):
    """What follows shared objects: an unused page after static ones, then memory that does not exist."""

    PROGRAM = os.path.join(jobs.FOLDER, "overruns")
    TEXT = """
#include <upc_relaxed.h>
#include <stdlib.h>
#include <string.h>
shared [4032] char first[4032 * THREADS]; /* ends with its page */
shared char *block;
int main(int argc, char **argv)
{
    char *mine = (char *)&first[4032 * MYTHREAD];
    long at = atol(argv[1]);
    upc_barrier;
    if (MYTHREAD == 0 && at)
        mine[at] = 1;
    upc_barrier;
    block = upc_all_alloc(THREADS, 64);
    memset(mine, 1, 4032 + 4096);
    upc_barrier;
    if (*(char *)&block[MYTHREAD])
        return 3;
    memset((char *)&block[MYTHREAD], 2, 64);
    upc_barrier;
    return mine[4032 + 4095] != 1;
}
"""

    @classmethod
    def setUpClass(cls):
        with open(cls.PROGRAM + ".upc", "w") as file:
            file.write(cls.TEXT)
        subprocess.run([os.path.join(jobs.BIN, "upcc"), "-g", cls.PROGRAM + ".upc", "-o", cls.PROGRAM],
                       check=True, timeout=jobs.LIMIT)

    def check(self, at, *parts, number=signal.SIGBUS):
        ended = run(2, at, program=self.PROGRAM)
        self.assertEqual(ended.shell_status, 128 + number, ended.err)
        self.assert_one_line(ended, "killed by signal %d" % number, *parts)

    def test_a_page_behind_static_data_is_nobodys(self):
        ended = run(2, 0, program=self.PROGRAM)
        self.assertEqual((ended.status, ended.err), (0, ""))

    def test_the_static_object_is_named(self):
        self.check(4032 + (1 << 20), "shared memory of thread 0 that is not allocated, 1048576 bytes behind the end of "
                                     "'first', its last static shared object")

    STRIDE = (1 << 36) + (1 << 21)

    def test_before_the_static_data_of_the_next_thread(self):
        self.check(self.STRIDE - 64 - 100,
                   "memory that belongs to no thread, 100 bytes before the static shared data of thread 1")

    def test_beside_the_shared_memory_of_all_threads(self):
        self.check(-64 - 100, "memory that belongs to no thread, 100 bytes before the static shared data of thread 0",
                   number=signal.SIGSEGV)
        self.check(2 * self.STRIDE, "where the shared memory of thread 2 would be, but there are 2 threads",
                   number=signal.SIGSEGV)


class ThreadsOfOneProcess(JobTest):
    """A thread that ends the process it shares with others is named if the process reports it before ending."""

    PROGRAM = os.path.join(jobs.FOLDER, "ends_its_process")
    TEXT = """
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <upc_relaxed.h>
int main(int argc, char **argv)
{
    upc_barrier;
    if (MYTHREAD == atoi(argv[2]))
        switch (argv[1][0]) {
        case 'e': _exit(4);
        case 'k': kill(getpid(), SIGKILL); break;
        case 's': *(volatile int *)16 = 1; break;
        }
    upc_barrier;
    return 0;
}
"""

    @classmethod
    def setUpClass(cls):
        with open(cls.PROGRAM + ".upc", "w") as file:
            file.write(cls.TEXT)
        subprocess.run([os.path.join(jobs.BIN, "upcc"), "-pthreads=2", cls.PROGRAM + ".upc", "-o", cls.PROGRAM],
                       check=True, timeout=jobs.LIMIT)

    def test_who_is_named(self):
        for thread, who in ((1, "the process of threads 0 to 1 (pid"), (2, "thread 2 of 3 (pid")):
            self.assert_one_line(run(3, "e", thread, program=self.PROGRAM), who, "left with status 4")
            self.assert_one_line(run(3, "k", thread, program=self.PROGRAM), who, "killed by signal 9")
            self.assert_one_line(run(3, "s", thread, program=self.PROGRAM), "thread %d of 3 (pid" % thread,
                                 "killed by signal 11")


if __name__ == "__main__":
    jobs.main()
