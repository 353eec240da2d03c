#!/usr/bin/env python3
"""gdb stops at the lines of the UPC source and shows private variables and pointers-to-shared."""

import shutil
import unittest

import driver_case
from driver_case import DriverCase, harness

PROGRAM = """#include <stdio.h>
shared int a[8 * THREADS];
int main(void)
{
    int sum = 0;
    shared int *p = &a[3];
    for (int i = 0; i < 4; i++) {
        a[i] = i;
        sum += a[i];
    }
    *p = 40 + sum;
    printf("%d\\n", *p);
    return 0;
}
"""


@unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
class Debugger(DriverCase):
    def gdb(self, commands, *arguments):
        script = [word for command in commands for word in ("-ex", command)]
        result = harness.run(["gdb", "-batch", "-nx", *script, "--args", "./prog", *arguments], cwd=self.folder,
                             env=self.env)
        return result.out + result.err

    def setUp(self):
        super().setUp()
        self.write("prog.upc", PROGRAM)
        self.upcc("-g", "-O0", "prog.upc", "-o", "prog")

    def test_stops_at_upc_lines(self):
        said = self.gdb(["break prog.upc:11", "run", "info source", "print sum", "print p.thread",
                         "print *(int *)p.addr"],
                        "-n", "1")
        self.assertRegex(said, r"Breakpoint 1, main \(\) at prog\.upc:11")
        self.assertIn("*p = 40 + sum;", said)
        self.assertRegex(said, r"\$1 = 6\n\$2 = 0\n\$3 = 3\n")

    def test_next_goes_from_line_to_line(self):
        said = self.gdb(["break prog.upc:8", "run", "next", "next", "next"], "-n", "1")
        self.assertRegex(said, r"(?s)\n8\s+a\[i\] = i;\n9\s.*\n7\s.*\n8\s")

    def test_one_thread_unless_told_otherwise(self):
        said = self.gdb(["break prog.upc:12", "run", "print sum"])
        self.assertIn("under a debugger, one thread runs, in this process; use -n for more", said)
        self.assertIn("$1 = 6", said)

    def test_many_threads_come_with_advice(self):
        said = self.gdb(["set follow-fork-mode child", "break prog.upc:12", "run", "print sum"], "-n", "2")
        self.assertIn("set follow-fork-mode child", said)
        self.assertIn("$1 = 6", said)


if __name__ == "__main__":
    driver_case.main()
