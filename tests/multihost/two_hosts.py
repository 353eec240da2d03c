"""What the tests of jobs over two hosts share: the hosts, and a program that works on both until it is stopped."""

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


class Test(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="banyan-two-hosts-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        with open(os.path.join(cls.folder, "works.upc"), "w", encoding="ascii") as file:
            file.write(PROGRAM)
        subprocess.run([os.path.join(BIN, "upcc"), "-network=shmem", "works.upc", "-o", "works"], cwd=cls.folder,
                       check=True)

    def setUp(self):
        self.hosts = multihost.Hosts(2)
        self.hosts.__enter__()
        self.addCleanup(self.hosts.close)

    def launch(self, environment=(), **more):
        """Launches a job of two threads on each host."""
        command = self.hosts.upcrun(os.path.join(BIN, "upcrun"), 2,
                                    [os.path.join(self.folder, "works"), self.stop_file()],
                                    environment=environment)
        job = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, **more)
        self.addCleanup(self.end, job)
        return job

    def start(self, environment=(), **more):
        """Launches a job; returns it and the threads' process numbers on their hosts once all have begun."""
        job = self.launch(environment, **more)
        found = {}
        while len(found) < 4:
            line = job.stdout.readline()
            self.assertNotEqual(line, "", "the job has ended: " + (job.stderr.read() if not line else ""))
            found.update((int(thread), int(pid)) for thread, pid in re.findall(r"thread (\d+) is (\d+)", line))
        return job, found

    def run_it(self, stop_file, **more):
        command = self.hosts.upcrun(os.path.join(BIN, "upcrun"), 2, [os.path.join(self.folder, "works"), stop_file])
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

    def count_left(self, host):
        code = "cat /proc/[0-9]*/comm 2>/dev/null | grep -c '^works$'"
        return int(self.hosts.run(host, ["sh", "-c", code], stdout=subprocess.PIPE, text=True).stdout)

    def assert_nothing_is_left_on(self, *hosts):
        end = time.monotonic() + LIMIT
        while any(self.count_left(host) for host in hosts):
            self.assertLess(time.monotonic(), end, "threads are left")
            time.sleep(0.1)


def main():
    reason = multihost.why_not() or multihost.why_no_oshrun()
    if not reason and not os.path.exists(os.path.join(BIN, "..", "lib", "libbanyan-shmem.a")):
        reason = "this Banyan was built without OpenSHMEM"
    if reason:
        print("skipped: " + reason)
        sys.exit(multihost.SKIP)
    unittest.main()
