#!/usr/bin/env python3
"""Collectives of OpenSHMEM as ways of Banyan's: reductions of all types (native.upc), and the messages where there is
no OpenSHMEM.

    TESTED_BUILD=<build folder> native_test.py

Data-moving collectives are tested with all other ways (every_way_test.py --far, --hosts).
"""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "multihost"))
import hosts as multihost  # noqa: E402

BUILD = os.environ.get("TESTED_BUILD", "build")
BIN = os.path.join(BUILD, "bin")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("BANYAN_")}

ONE_MACHINE = """
#include <upc.h>
#include <upc_collective.h>
#include <banyan/coll.h>
#include <stdio.h>
#include <string.h>
static shared int dst[THREADS], src[THREADS];
int main(void)
{
    const char *names[64];
    int count = bn_coll_ways("broadcast", names, 64), found = 0;
    for (int i = 0; i < count; i++)
        found += strcmp(names[i], "native") == 0;
    printf("%d %d\\n", found, bn_coll_use_way("broadcast", "native") != 0);
    upc_all_broadcast(dst, src, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
}
"""


def run(command, **variables):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False,
                          env={**ENVIRONMENT, **variables})


class Native(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="banyan-native-")
        self.addCleanup(folder.cleanup)
        self.program = os.path.join(folder.name, "program")

    def compile(self, source, *options):
        subprocess.run([os.path.join(BIN, "upcc"), "-O2", *options, source, "-o", self.program], check=True,
                       timeout=300,
                       env=ENVIRONMENT)

    def check(self, done, threads):
        self.assertEqual((done.returncode, done.stdout), (0, "ok\n" * threads), done.stderr)

    def test_one_machine_has_none_and_says_so(self):
        source = self.program + ".upc"
        with open(source, "w", encoding="ascii") as file:
            file.write(ONE_MACHINE)
        self.compile(source)
        self.assertEqual(run([self.program, "-n", "2"]).stdout, "0 1\n" * 2)
        forced = run([self.program, "-n", "1"], BANYAN_COLL_BROADCAST="native")
        self.assertNotEqual(forced.returncode, 0)
        self.assertIn("upcc -network=shmem", forced.stderr)

    @unittest.skipIf(multihost.why_no_oshrun(), "there is no oshrun")
    def test_reductions_give_what_the_direct_way_gives(self):
        if not os.path.exists(os.path.join(BUILD, "lib", "libbanyan-shmem.a")):
            self.skipTest("this Banyan was built without OpenSHMEM")
        self.compile(os.path.join(HERE, "native.upc"), "-network=shmem")
        upcrun = os.path.join(BIN, "upcrun")
        for threads in (1, 3):
            self.check(run([upcrun, "-n", str(threads), self.program]), threads)
        self.check(run([upcrun, "-n", "4", self.program], UCX_TLS="tcp,self"), 4)
        if not multihost.why_not():
            with multihost.Hosts(2) as hosts:
                self.check(run(hosts.oshrun(0, [self.program], order=(1, 0, 0, 1, 1))), 5)


if __name__ == "__main__":
    unittest.main()
