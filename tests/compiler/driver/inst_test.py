#!/usr/bin/env python3
"""-inst: each access to a shared object is counted once, with its bytes; free when off."""

import json
import unittest

import driver_case
from driver_case import DriverCase, harness

DECLARATIONS = """#include <upc_relaxed.h>
struct inner { char c; short s; };
struct outer { long l; struct inner in[2]; double d[3]; unsigned bits : 3; };
shared int a[4 * THREADS];
shared [2] long b[2 * THREADS][2];
shared struct outer o;
shared long scalar;
strict shared int flag;
shared int *shared whom;
int main(void)
{
    shared int *p = a;
    shared struct outer *q = &o;
    int *mine = (int *)&a[MYTHREAD];
    int i = 1, sum = 0;
"""

# Statements, how many accesses they are, and of how many bytes
STATEMENTS = (
    ("a[i] = 2;", 1, 4), ("sum += a[i];", 1, 4), ("a[i] += 2;", 1, 4), ("a[i]++;", 1, 4), ("--a[i];", 1, 4),
    ("a[i] = a[0] + a[2];", 3, 12), ("b[i][0] = 3;", 1, 8), ("scalar = 1;", 1, 8), ("*p = 1;", 1, 4),
    ("p[i] = 1;", 1, 4), ("sum += *(p + 2);", 1, 4), ("o.l = 1;", 1, 8), ("o.in[1].s = 1;", 1, 2),
    ("o.in[i].c = 1;", 1, 1), ("o.d[2] = 1;", 1, 8), ("q->l = 1;", 1, 8), ("q->in[i].s++;", 1, 2),
    ("struct outer copy = o;", 1, 48), ("o = copy;", 1, 48), ("o.bits = 1;", 1, 4), ("sum += q->bits;", 1, 4),
    ("flag = 1;", 1, 4), ("sum += flag;", 1, 4), ("flag++;", 1, 4), ("whom = p;", 1, 16), ("*whom = 1;", 2, 20),
    ("a[a[0] & 1] = 1;", 2, 8), ("p = &a[1];", 0, 0), ("mine[0] = 1;", 0, 0), ("sum += sizeof a[0];", 0, 0),
    ("sum += upc_threadof(&a[1]);", 0, 0), ("for (int k = 0; k < 4; k++) a[k] = k;", 4, 16),
    ("upc_forall (int k = 0; k < 4; k++; k) a[k] = k;", 4, 16), ("if (a[0] && a[1] > 0) sum++;", 1, 4),
)


class Inst(DriverCase):
    def test_each_access_is_counted_once(self):
        first = DECLARATIONS.count("\n") + 1
        lines = "".join("    %s\n" % statement for statement, _, _ in STATEMENTS)
        self.write("prog.upc", DECLARATIONS + lines + "    return sum == 12345 || copy.l == 2;\n}\n")
        for flags in (["-O0"], ["-O2"], ["-O1", "-T", "1"], ["-O1", "-fcheck"]):
            self.upcc("-inst", "-g", *flags, "prog.upc", "-o", "prog")
            result = harness.run(["./prog", "-n", "1"], cwd=self.folder,
                                 env=dict(self.env, BANYAN_PROFILE="p.json"))
            self.assertEqual((result.status, result.err), (0, ""), flags)
            profile = json.loads(self.read("p.json"))
            access = next(each for each in profile["operations"] if each["operation"] == "access")
            self.assertEqual((access["calls"], access["bytes"]),
                             (sum(calls for _, calls, _ in STATEMENTS), sum(count for _, _, count in STATEMENTS)), flags)
            if flags == ["-O0"]:
                self.compare_lines(profile, first)

    def compare_lines(self, profile, first):
        found = {int(each["place"].rsplit(":", 1)[1]): (each["calls"], each["bytes"])
                 for each in profile["places"] if each["operation"] == "access"}
        for number, (statement, calls, size_bytes) in enumerate(STATEMENTS, first):
            self.assertEqual(found.get(number, (0, 0)), (calls, size_bytes), statement)

    def test_free_when_off(self):
        self.write("prog.upc", DECLARATIONS + "    a[i] = sum;\n    return 0;\n}\n")
        self.upcc("-trans", "prog.upc", "-o", "without.c")
        self.upcc("-trans", "-inst", "prog.upc", "-o", "with.c")
        self.assertNotIn("bn_count_access(", self.read("without.c").split("int main", 1)[1])
        self.assertIn("bn_count_access(", self.read("with.c").split("int main", 1)[1])

    def test_names_of_other_systems(self):
        self.write("prog.upc", "shared int a[THREADS];\nint main(void) { return a[0]; }\n")
        for flag in ("-inst-local", "-fupc-instrument"):
            self.upcc("-trans", flag, "prog.upc", "-o", "with.c")
            self.assertIn("bn_count_access(", self.read("with.c").split("int main", 1)[1])


if __name__ == "__main__":
    driver_case.main()
