"""What the tests of the network shmem share: a folder with the program hello, and jobs on this machine.

With UCX_TLS=tcp,self OpenSHMEM lets no process access another's memory, so all threads are far from each other, even on
one machine.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import jobs

UPCC = os.path.join(jobs.BIN, "upcc")
PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs")
SKIP = 77
FAR = {"UCX_TLS": "tcp,self"}

HELLO = """
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#include <upc_castable.h>
shared int counts[THREADS];
int main(int argc, char **argv)
{
    int near = 0;
    for (int i = 0; i < THREADS; i++)
        near += upc_cast(&counts[i]) != NULL;
    if (argc > 1 && MYTHREAD == 1)
        upc_global_exit(atoi(argv[1]));
    upc_barrier;
    printf("%d of %d, %d near\\n", MYTHREAD, THREADS, near);
    return 0;
}
"""


def environment():
    """Variables for a job that does not know of an outer one"""
    kept = "OMPI_MCA_reachable"   # tests/CMakeLists.txt
    return {name: value for name, value in jobs.environment().items()
            if name == kept or not name.startswith(("OMPI_", "PMI", "UCX_"))}


class Test(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="banyan-shmem-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.write("hello.upc", HELLO)
        cls.build("hello", "-network=shmem", "hello.upc")

    @classmethod
    def build(cls, name, *arguments):
        subprocess.run([UPCC, *arguments, "-o", name], cwd=cls.folder, check=True, timeout=jobs.LIMIT)

    @classmethod
    def write(cls, name, text):
        with open(os.path.join(cls.folder, name), "w", encoding="ascii") as file:
            file.write(text)

    def run_it(self, *command, **more):
        return subprocess.run(command, cwd=self.folder, env={**environment(), **more}, stdin=subprocess.DEVNULL,
                              capture_output=True,
                              text=True, timeout=jobs.LIMIT, check=False)

    def start(self, *command, preexec_fn=jobs.harness.default_signals, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
              **more):
        """Starts a job of two threads, whose output the caller reads"""
        return subprocess.Popen([jobs.UPCRUN, "-n", "2", *command], cwd=self.folder, env=jobs.environment(**more),
                                stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, text=True, preexec_fn=preexec_fn)

    def script(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(path, 0o755)
        return path

    def assert_hello(self, done, count, near):
        self.assertEqual(sorted(done.stdout.splitlines()),
                         ["%d of %d, %d near" % (i, count, near) for i in range(count)],
                         done.stderr)
        self.assertEqual(done.returncode, 0)


def main():
    if not os.path.exists(os.path.join(jobs.BIN, "..", "lib", "libbanyan-shmem.a")) or not shutil.which("oshrun"):
        print("skipped: this Banyan was built without OpenSHMEM, or there is no oshrun")
        sys.exit(SKIP)
    unittest.main()
