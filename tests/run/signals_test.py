#!/usr/bin/env python3
"""Signals sent to a job reach its threads, and only once if they come from a terminal; an idle job uses no processor
time."""

import os
import pty
import re
import signal
import subprocess
import termios
import time
import unittest

import jobs
from jobs import JobTest, finish, start, state_of


class Passed(JobTest):
    def start_ready(self, *arguments, **more):
        job = start(3, *arguments, **more)
        self.assertIn(b"ready\n", jobs.read_until(job.stdout, b"ready\n"))
        return job

    def test_deadly_signals_end_the_job_quietly_and_show_in_its_status(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGALRM):
            job = start(3, "sleep")
            jobs.read_until(job.stdout, b"\n")
            job.send_signal(number)
            ended = finish(job)
            self.assertEqual((ended.status, ended.err), (-number, ""))

    def test_handled_signals_reach_all_threads(self):
        for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGWINCH, signal.SIGCONT, signal.SIGRTMIN + 1):
            job = self.start_ready("signal", 0, int(number))
            job.send_signal(number)
            ended = finish(job)
            self.assertEqual((ended.status, ended.err), (0, ""))
            self.assertEqual(sorted(ended.lines), ["thread %d got it 1 times" % i for i in range(3)])

    def test_a_program_may_handle_termination(self):
        job = self.start_ready("signal", 0, int(signal.SIGTERM))
        job.send_signal(signal.SIGTERM)
        self.assertEqual(finish(job).status, 3)

    def test_a_second_interrupt_ends_a_job_that_ignores_it(self):
        job = self.start_ready("ignore", 0, int(signal.SIGINT))
        job.send_signal(signal.SIGINT)
        while job.poll() is None:
            job.send_signal(signal.SIGINT)
            time.sleep(0.05)
        self.assertEqual(finish(job).status, -signal.SIGINT)

    def test_signals_that_were_ignored_stay_ignored(self):
        job = start(2, "sleep", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        jobs.read_until(job.stdout, b"\n")
        job.send_signal(signal.SIGHUP)
        time.sleep(0.2)
        self.assertIsNone(job.poll())
        job.send_signal(signal.SIGTERM)
        self.assertEqual(finish(job).status, -signal.SIGTERM)

    def test_stop_and_go_on(self):
        job = start(3, "sleep", preexec_fn=os.setpgrp)
        text = b""
        while text.count(b"\n") < 3:
            text += os.read(job.stdout.fileno(), 1000)
        threads = [int(pid) for pid in re.findall(rb"is (\d+)", text)]
        job.send_signal(signal.SIGTSTP)
        self.assertTrue(jobs.wait_until(lambda: {state_of(process) for process in [job.pid, *threads]} == {"T"}))
        job.send_signal(signal.SIGCONT)
        self.assertTrue(jobs.wait_until(lambda: "T" not in {state_of(process) for process in [job.pid, *threads]}))
        job.send_signal(signal.SIGTERM)
        self.assertEqual(finish(job).status, -signal.SIGTERM)

    def threads_of(self, job, count):
        text = b""
        while text.count(b"\n") < count:
            text += os.read(job.stdout.fileno(), 1000)
        return [int(pid) for pid in re.findall(rb"is (\d+)", text)]

    def test_a_thread_that_stays_stopped_is_told_of_once(self):
        job = start(3, "sleep")
        threads = self.threads_of(job, 3)
        for process in threads:
            os.kill(process, signal.SIGSTOP)
            os.kill(process, signal.SIGCONT)
        stopped = int(threads[1])
        os.kill(stopped, signal.SIGSTOP)
        line = jobs.read_until(job.stderr, b"\n").decode()
        number = re.search(r"banyan: thread (\d) of 3 \(pid %d\) has been stopped by signal 19 \(stop\) for 3 s; "
                           r"others that wait for it keep waiting until 'kill -CONT %d'$" % (stopped, stopped),
                           line.strip())
        self.assertTrue(number, line)
        self.assertIsNone(job.poll())
        os.kill(stopped, signal.SIGCONT)
        self.assertTrue(jobs.wait_until(lambda: state_of(stopped) != "T"))
        job.send_signal(signal.SIGTERM)
        ended = finish(job)
        self.assertEqual((ended.status, ended.err), (-signal.SIGTERM, ""))

    def test_children_of_a_shell_with_ignored_sigchld(self):
        job = start(2, "status", 0, 5, preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual(finish(job).status, 5)


class Terminal(JobTest):
    def start_on_terminal(self, *arguments):
        """Starts a job in the foreground of a terminal of its own: returns its process and our end of the terminal."""
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(jobs.FOLDER)
            jobs.harness.default_signals()
            os.execve(jobs.UPCRUN, [jobs.UPCRUN, "-n", "3", jobs.VICTIM, *map(str, arguments)], jobs.environment())
        return process, terminal

    def read_until(self, terminal, text):
        got = b""
        while text not in got:
            try:
                now = os.read(terminal, 4096)
            except OSError:
                break
            if not now:
                break
            got += now
        return got.decode()

    def wait(self, process):
        status = []

        def has_ended():
            got, wait_status = os.waitpid(process, os.WNOHANG)
            status.append(wait_status)
            return got == process

        self.assertTrue(jobs.wait_until(has_ended))
        return status[-1]

    def test_interrupt_key_reaches_each_thread_once(self):
        process, terminal = self.start_on_terminal("signal", 0, int(signal.SIGINT))
        self.read_until(terminal, b"ready")
        os.write(terminal, b"\x03")
        text = self.read_until(terminal, b"never").replace("^C", "")
        self.assertEqual(self.wait(process), 0)
        os.close(terminal)
        self.assertEqual(sorted(line for line in text.split("\r\n") if line),
                         ["thread %d got it 1 times" % i for i in range(3)])

    def test_interrupt_key_ends_the_job(self):
        process, terminal = self.start_on_terminal("sleep")
        self.read_until(terminal, b"is")
        os.write(terminal, b"\x03")
        text = self.read_until(terminal, b"never")
        self.assertEqual(os.WTERMSIG(self.wait(process)), signal.SIGINT)
        os.close(terminal)
        self.assertNotIn("banyan:", text)

    def test_prompt_answer_and_modes(self):
        process, terminal = self.start_on_terminal("read")
        before = termios.tcgetattr(terminal)
        self.assertIn("name? ", self.read_until(terminal, b"name? "))
        os.write(terminal, b"Ada\n")
        self.assertIn("thread 0 read Ada", self.read_until(terminal, b"read Ada"))
        self.assertEqual(self.wait(process), 0)
        self.assertEqual(termios.tcgetattr(terminal), before)
        os.close(terminal)

    def test_modes_after_a_kill(self):
        process, terminal = self.start_on_terminal("sleep")
        before = termios.tcgetattr(terminal)
        self.read_until(terminal, b"is")
        os.kill(process, signal.SIGKILL)
        self.wait(process)
        self.assertEqual(termios.tcgetattr(terminal), before)
        os.close(terminal)

    def test_hanging_up_ends_the_job(self):
        process, terminal = self.start_on_terminal("sleep")
        self.read_until(terminal, b"is")
        os.close(terminal)
        self.assertEqual(os.WTERMSIG(self.wait(process)), signal.SIGHUP)


class Idle(JobTest):
    def test_an_idle_monitor_sleeps(self):
        job = start(4, "sleep")
        text = b""
        while text.count(b"\n") < 4:
            text += os.read(job.stdout.fileno(), 1000)

        def switches():
            with open("/proc/%d/status" % job.pid) as file:
                return int(re.search(r"\nvoluntary_ctxt_switches:\s*(\d+)", file.read())[1])

        jobs.wait_until(lambda: state_of(job.pid) == "S")
        time.sleep(0.2)
        before = switches()
        time.sleep(1)
        self.assertLessEqual(switches() - before, 2)
        job.send_signal(signal.SIGTERM)
        finish(job)


if __name__ == "__main__":
    jobs.main()
