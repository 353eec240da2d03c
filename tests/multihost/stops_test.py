#!/usr/bin/env python3
"""Jobs over two hosts that are stopped and go on, as by Ctrl-Z and fg."""

import os
import signal
import subprocess
import time

import two_hosts
from two_hosts import LIMIT

PROCESSES_EACH = 4   # on each host: two threads, and the processes that watch them


class Stops(two_hosts.Test):
    def wait_for(self, condition, what):
        end = time.monotonic() + LIMIT
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.01)

    def states(self, host, command):
        code = "grep -hs '^[0-9]* (%s)' /proc/[0-9]*/stat | cut -d ' ' -f 3" % command
        return self.hosts.run(host, ["sh", "-c", code], stdout=subprocess.PIPE, text=True).stdout.split()

    def wait_for_threads(self, are_stopped):
        def are_so():
            states = self.states(0, "works") + self.states(1, "works")
            return len(states) == 2 * PROCESSES_EACH and {state == "T" for state in states} == {are_stopped}
        self.wait_for(are_so, "not all threads are stopped" if are_stopped else "some thread is stopped")

    def wait_until_stopped(self, job):
        self.wait_for_threads(are_stopped=True)
        self.wait_for(lambda: os.waitid(os.P_PID, job.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT), "upcrun runs")

    def go_on_to_the_end(self, job):
        job.send_signal(signal.SIGCONT)
        self.wait_for_threads(are_stopped=False)
        self.stop()
        out, said = job.communicate(timeout=LIMIT)
        self.assertEqual((job.returncode, out.splitlines()[-1:], said), (0, ["ended well"], ""))

    def test_threads_on_all_hosts_stop_and_go_on(self):
        job, _ = self.start(preexec_fn=os.setpgrp)
        job.send_signal(signal.SIGTSTP)
        self.wait_until_stopped(job)
        self.go_on_to_the_end(job)

    def test_a_stop_while_threads_are_started(self):
        job = self.launch(preexec_fn=os.setpgrp)
        daemon = "[op]rted"   # of Open MPI 4, 5
        self.wait_for(lambda: self.states(0, daemon) + self.states(1, daemon), "no host is entered")
        job.send_signal(signal.SIGTSTP)
        self.wait_until_stopped(job)
        self.go_on_to_the_end(job)

    def test_a_job_that_is_stopped_can_be_ended(self):
        for sent in (signal.SIGTERM, signal.SIGINT):
            job, _ = self.start(preexec_fn=os.setpgrp)
            job.send_signal(signal.SIGTSTP)
            self.wait_until_stopped(job)
            job.send_signal(sent)
            job.send_signal(signal.SIGCONT)
            job.communicate(timeout=LIMIT)
            self.assertEqual(job.returncode, -sent)
            self.assert_nothing_is_left_on(0, 1)


if __name__ == "__main__":
    two_hosts.main()
