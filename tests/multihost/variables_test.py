#!/usr/bin/env python3
"""Variables that the user sets reach the threads on all hosts, which get nothing else from the launcher's environment.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import hosts as multihost

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.path.join(os.environ.get("TESTED_BUILD", os.path.join(ROOT, "build")), "bin")
LIMIT = 120  # seconds: whatever takes longer hangs

# Each thread prints the values of the variables that its arguments name.
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
int main(int argc, char **argv)
{
    char line[1024];
    int used = sprintf(line, "%d:", MYTHREAD);
    for (int i = 1; i < argc; i++)
        used += sprintf(line + used, " %s", getenv(argv[i]) ? getenv(argv[i]) : "-");
    puts(line);
    return 0;
}
"""


class Variables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="banyan-variables-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        with open(os.path.join(cls.folder, "show.upc"), "w", encoding="ascii") as file:
            file.write(PROGRAM)
        subprocess.run([os.path.join(BIN, "upcc"), "-network=shmem", "show.upc", "-o", "show"], cwd=cls.folder,
                       check=True)
        cls.hosts = multihost.Hosts(2)
        cls.hosts.__enter__()
        cls.addClassCleanup(cls.hosts.close)

    def assert_reach_all(self, *variables, hidden=(), settings=()):
        names = [variable.split("=")[0] for variable in (*variables, *hidden)]
        command = self.hosts.upcrun(os.path.join(BIN, "upcrun"), 1, [os.path.join(self.folder, "show"), *names],
                                    environment=[*variables, *hidden, *settings])
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL,
                              check=False)
        values = [variable.split("=")[1] for variable in variables] + ["-"] * len(hidden)
        self.assertEqual((done.returncode, sorted(done.stdout.splitlines())),
                         (0, ["%d: %s" % (thread, " ".join(values)) for thread in range(2)]), done.stderr)

    def test_those_of_banyan_and_of_other_upc_systems(self):
        self.assert_reach_all("BANYAN_WAIT=yield", "UPC_SHARED_HEAP_SIZE=32MB", "GASNET_BACKTRACE=no",
                              hidden=["OTHER=1"])

    def test_those_with_the_prefix_that_the_user_chooses(self):
        self.assert_reach_all("UPC_ENVPREFIX=MINE_", "MINE_A=1", "MINE_B=2", hidden=["OTHER=1"])

    def test_a_list_of_open_mpi(self):
        self.assert_reach_all("UPC_SHARED_HEAP_SIZE=32MB", "OTHER=3", settings=["OMPI_MCA_mca_base_env_list=OTHER"])


if __name__ == "__main__":
    REASON = multihost.why_not() or multihost.why_no_oshrun()
    if REASON:
        print("skipped: " + REASON)
        sys.exit(multihost.SKIP)
    unittest.main()
