#!/usr/bin/env python3
"""valgrind's memcheck comes to an end, although the window of shared memory is large, and tells errors from none."""

import re
import shutil
import unittest

import driver_case
from driver_case import DriverCase, harness

PROGRAM = """#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
shared int a[THREADS];
int main(void)
{
    shared [] int *p = upc_alloc(1 << 20);
    int *private = malloc(10 * sizeof(int));
    private[0] = a[(MYTHREAD + 1) % THREADS] = p[7] = 40;
    upc_barrier;
    printf("thread %d: %d\\n", MYTHREAD, a[MYTHREAD] + p[7] + FAULT);
    free(private);
    return 0;
}
"""


@unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
class Memcheck(DriverCase):
    def run_under_valgrind(self, fault, threads, *options):
        self.write("prog.upc", PROGRAM)
        self.upcc("-g", "-O0", f"-DFAULT={fault}", "prog.upc", "-o", "prog")
        return harness.run(["valgrind", *options, "./prog", "-n", threads], cwd=self.folder, env=self.env)

    def test_shared_memory_has_no_errors_and_the_search_for_leaks_ends(self):
        result = self.run_under_valgrind("0", "2")
        self.assertEqual((result.status, sorted(result.out.splitlines())), (0, ["thread 0: 80", "thread 1: 80"]),
                         result.err)
        self.assertEqual(result.err.count("ERROR SUMMARY: 0 errors"), 3, result.err)
        self.assertIn("LEAK SUMMARY", result.err)
        # memcheck warns of large ranges.  The search would take seconds in each that is mapped and not left out.
        ranges = {state: set(re.findall(r"large range \[(0x\w+), .*\(%s\)" % state, result.err))
                  for state in ("defined", "noaccess")}
        self.assertGreater(len(ranges["defined"]), 0, result.err)
        self.assertLessEqual(ranges["defined"], ranges["noaccess"], result.err)

    def test_an_error_in_private_memory_is_found(self):
        result = self.run_under_valgrind("private[10]", "1", "--leak-check=no")   # a search takes seconds
        self.assertIn("Invalid read of size 4", result.err)


if __name__ == "__main__":
    driver_case.main()
