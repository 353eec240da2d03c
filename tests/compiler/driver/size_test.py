#!/usr/bin/env python3
"""upcc: long sources, which take time in proportion to their length.  Each takes far less processor time than it is
given, and far more if something is searched for in all of it again and again."""

import driver_case
from driver_case import DriverCase

SECONDS = 20


class SizeTest(DriverCase):
    def compiles(self, text, *options):
        self.write("long.upc", text)
        limited = "ulimit -t %d; exec \"$@\"" % SECONDS
        ended = driver_case.harness.run(["sh", "-c", limited, "sh", driver_case.UPCC, *options, "long.upc"],
                                        cwd=self.folder, env=self.env)
        self.assertEqual((ended.status, ended.err), (0, ""), text[:100])

    def test_initialisers_without_inner_braces(self):
        values = ", ".join(map(str, range(500000)))
        self.compiles("shared int s;\nstruct p { int x, y; } a[] = { %s };\n" % values, "-trans", "-o", "long.c")

    def test_words_of_upc_1_0_that_are_names(self):
        functions = "".join("int f%d(int wait);\nint g%d(int barrier) { return barrier; }\n" % (i, i)
                            for i in range(40000))
        self.compiles("shared int s;\n" + functions, "-trans", "-o", "long.c")

    def test_functions_that_call_one_another(self):
        number = 60000
        head = "shared int a[4*THREADS];\n" + "".join("static void f%d(void);\n" % i for i in range(number))
        calls = "".join("static void f%d(void) { a[0] = 0; f%d(); }\n" % (i, i + 1) for i in range(number - 1))
        last = "static void f%d(void) { upc_forall (int i = 0; i < THREADS; i++; &a[i]) a[i] = 1; }\n" % (number - 1)
        self.compiles(head + calls + last + "void g(void) { f0(); }\n", "-O2", "-trans", "-o", "long.c")

    def test_calls_in_one_statement(self):
        head = "shared int a[THREADS];\nstatic int f(int i) { return i; }\n"
        loop = "void g(void) { upc_forall (int i = 0; i < THREADS; i++; i) a[i] = f(i); }\n"
        calls = ", ".join("f(%d)" % i for i in range(200000))
        self.compiles(head + loop + "int h(void) { int n[] = { %s }; return n[9]; }\n" % calls,
                      "-O2", "-trans", "-o", "long.c")

    def test_tables_of_pointers_to_shared(self):
        elements = ", ".join("&s[%d]" % (i % 8) for i in range(20000))
        self.compiles("shared int s[8*THREADS];\nshared int *q[] = { %s };\n" % elements, "-O2", "-c")

    def test_ranges_of_pointers_to_shared(self):
        ranges = "shared int s;\nshared int *q[%d] = { [0 ... %d] = &s };\n"
        self.compiles(ranges % (100000, 99999), "-O2", "-c")
        self.compiles(ranges % (10**9, 10**9 - 1), "-trans", "-o", "long.c")
        self.assertLess(len(self.read("long.c")), 200000)


if __name__ == "__main__":
    driver_case.main()
