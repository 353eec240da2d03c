#!/usr/bin/env python3
"""gdb stops at the lines of the UPC source and shows private variables, shared objects and pointers-to-shared."""

import os
import re
import shutil
import subprocess
import unittest

import driver_case
from driver_case import HELLO, DriverCase, harness

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


SHARED = """#include "objects.h"
struct cell { int n; double d; };
struct node { int value; shared struct node *next; };
typedef shared [3] int three;
shared int count = 7;
shared int a[2 * THREADS];
shared [4] double grid[4 * THREADS];
static shared [*] struct cell cells[3 * THREADS];
shared [] int row[10];
shared [2] short m[THREADS][4];
shared struct node nodes[THREADS];
shared struct cell *shared heads[THREADS];
three many[3 * THREADS];
shared [] int *shared [2] ptrs[2 * THREADS];
shared int *shared [3] lone, *shared [] ind[4], *shared two[2][THREADS];
int *shared [3] local[3 * THREADS];
typedef int pair[2];
typedef shared int *to_int;
shared [3] pair pairs[3 * THREADS];
shared [2] to_int by_name[2 * THREADS];
shared [5] short wide[2][120 * THREADS];
shared double _Complex z[THREADS];
shared int (*shared far[THREADS])[4];
typedef struct { shared int *p; shared struct node *e; int k[2]; union { shared [] int *u; long w; }; } part;
struct whole { part parts[2]; int (*f)(int); unsigned bits : 3; };
static part global;
typedef float quad __attribute__((vector_size(16)));
typedef int (*to_function)(shared [4] double *, int);
struct holder { quad v; to_function f; };
shared struct holder held;
shared quad vector;
shared int many_ints[100000 * THREADS], rows[2][60000 * THREADS];
int in_registers(shared [4] double *parameter, int n)
{
    return n + (int)*parameter;
}
int main(void)
{
    static shared int here[THREADS];
    shared [4] double *q = &grid[5];
    shared void *generic = q;
    shared int *both[2] = {0, &a[3]}, **pp = both;
    part h = {&a[1], &nodes[0], {4, 5}, {&row[1]}}, *ph = &h;
    struct whole whole = {{h, h}, 0, 1}, *pw = &whole;
    struct { shared [] int *untagged; } un = {&row[2]};
    global = h;
    if (MYTHREAD == 0) {
        for (int i = 0; i < 4 * THREADS; i++) {
            grid[i] = i * 1.5;
            m[i / 4][i % 4] = i;
        }
        for (int i = 0; i < 2 * THREADS; i++)
            a[i] = 100 + i;
        for (int i = 0; i < 3 * THREADS; i++) {
            cells[i].n = i;
            cells[i].d = i / 2.0;
            many[i] = -i;
            elsewhere[i] = 10 * i;
        }
        nodes[0].value = 5, nodes[1].value = 6, nodes[0].next = &nodes[1];
        heads[1] = (shared struct cell *)&cells[4];
        here[2] = 3;
        row[1] = 21, row[2] = 22;
        ptrs[3] = &row[1], lone = ind[3] = two[1][0] = by_name[5] = &a[3], local[4] = global.k;
        held.v[1] = vector[1] = 1.25, held.f = in_registers;
        pairs[4][1] = 41, wide[1][359] = 719, z[1] = 1.5, nodes[2].next = &nodes[0];
    }
    shared struct node *it = &nodes[0];
    upc_barrier;
    return in_registers(q, MYTHREAD);
}
"""
# What is printed, and what gdb says then, for three threads
PRINTED = [
    ("count", "7"), ("MYTHREAD", "0"), ("THREADS * 2", "6"), ("grid[3]", "4.5"), ("grid[count + 2]", "13.5"), ("a[5] - a[4]", "1"),
    ("grid[1+2] * 2 + count", "16"), ("cells[4]", "{n = 4, d = 2}"), ("cells[5].d", "2.5"), ("m[2][1]", "9"), ("m[1]", "{4, 5, 6, 7}"),
    ("m", "{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}"), ("a", "{100, 101, 102, 103, 104, 105}"), ("row[3]", "0"),
    ("many[4]", "-4"), ("elsewhere[7]", "70"), ("here", "{0, 0, 3}"), ("here[2]", "3"), ("count = 9", "9"), ("count", "9"),
    ("q", re.compile("thread 1, phase 1, address 0x[0-9a-f]+")), ("*q", "7.5"), ("q[2]", "10.5"), ("q[-2]", "4.5"), ("*q + 1", "8.5"), ("q.phase", "1"),
    ("generic", re.compile("thread 1, phase 1, .*")), ("both", re.compile("{null, thread 0, phase 0, .*}")), ("*both[1]", "103"), ("heads[0]", "null"),
    ("*heads[1]", "{n = 4, d = 2}"), ("heads[1]->d", "2"), ("it->value", "5"), ("it->next->value", "6"), ("*nodes[0].next", "{value = 6, next = null}"),
    ("q + 1", re.compile("thread 1, phase 2, .*")), ("*(q+1)", "9"), ("*(q + 3) * 2", "24"), ("&grid[2]", re.compile("thread 0, phase 2, .*")),
    ("q == &grid[5]", "1"), ("q != &grid[5]", "0"), ("q - &grid[0]", "5"), ("&grid[2] - q - 1", "-4"), ("(q - &grid[0]) / 2", "2"),
    ("q < &grid[6] && count == 9", "1"), ("q >= &grid[6]", "0"), ("both[0] == 0", "1"), ("4 < q - &grid[0]", "1"), ("it + 1 == &nodes[1] ? 3 : 4", "3"),
    ("(it + 1)->value", "6"), ("*(both[1] - MYTHREAD - 2)", "101"), ("(q+1).phase", "2"), ("generic == q", "1"),
    ('$upc("grid[3] + q[1]")', "13.5"), ("&both[1] - &both[0]", "1"),
    ("*h.p", "101"), ("h.p[2]", "103"), ("h.e->value", "5"), ("h.e->next->value", "6"), ("ph->e->value", "5"), ("*ph->p", "101"),
    ("(*ph).p[1]", "102"), ("whole.parts[1].p[1]", "102"), ("pw->parts[0].e->value + 1", "6"), ("*pp[1]", "103"), ("pp[1][1]", "104"),
    ("*global.p + global.k[1]", "106"), ("*h.u", "21"), ("*un.untagged", "22"), ('$upc("whole.parts[1].p[2]")', "103"),
    ("h.p + 1 == &a[2]", "1"), ("h.k[0]++", "4"), ("whole.parts[h.k[0]++ - 4].p[0]", "101"), ("h.k[0]", "6"),
    ("h.p", re.compile("thread 1, phase 0, .*")), ("pw->parts[0].k", "{4, 5}"), ("ph == &h", "1"), ("*(h.p + whole.bits)", "102"),
    ("nodes[0].next", re.compile("thread 1, phase 0, .*")), ("/x count", "0x9"), ('"grid[3]"', '"grid[3]"'),
    ("ptrs", re.compile("{null, null, null, thread 0, phase 0, address 0x[0-9a-f]+, null, null}")), ("*ptrs[3]", "21"),
    ("*ind[3]", "103"), ("*lone", "103"), ("two[1]", re.compile("{thread 0, .*, null, null}")), ("local[4][1]", "5"),
    ("*local[4]++", "4"), ("*local[4]", "5"), ("pairs[4]", "{0, 41}"), ("*by_name[5]", "103"),
    ("z", "{0 + 0i, 1.5 + 0i, 0 + 0i}"),
    ("sizeof(wide)", "1440"), ("sizeof wide[1] / sizeof *q + 1", "91"), ("sizeof(q)", "16"),
    ("wide[1]", "{0 <repeats 359 times>, 719}"),
    ("&pairs[4]", re.compile("thread 2, phase 2, .*")), ("(*&pairs[4])[1]", "41"),
    ("&pairs[4] - &pairs[1] == pairs + 3 - pairs", "1"),
    ("&grid == &grid[0] && grid == &grid[0]", "1"), ("*(grid + 1)", "1.5"), ("grid[3]@3", "{4.5, 6, 7.5}"),
    ("*q@2", "{7.5, 9}"),
    ("&nodes[2].value", re.compile("thread 2, phase 0, .*")), ("*&nodes[0].next->value", "6"),
    ("&h.e->value == &nodes->value", "1"),
    ("!q", "0"), ("q && heads[0]", "0"), ("count == 0 || q", "1"), ("heads[0] ? 1 : 2", "2"), ("(int)*q", "7"),
    ("both[1] = both[1] + 1", re.compile("thread 1, .*")),
    ("*both[1]", "104"),
    ("(void *)&nodes[0] == (void *)nodes[2].next", "1"), ("*(int *)&a[5]", "105"), ("(long)(&a[1]) - (long)&a[1]", "0"),
    ("((struct cell *)&cells[4])->d", "2"), ("(long)(q + 1) - (long)q", "8"),
    ("(int *)&row[1]", re.compile(r"\(int \*\) 0x[0-9a-f]+")), ("/x *&a[5]", "0x69"), ("/x *both[1]", "0x68"),
    ("held.v + held.v", "{0, 2.5, 0, 0}"), ("vector * 2", "{0, 2.5, 0, 0}"), ("vector + held.v", "{0, 2.5, 0, 0}"),
    ("held.v[1]", "1.25"), ("held.f", re.compile(r"\(to_function\) 0x[0-9a-f]+ <in_registers>")),
]
TYPES = [
    ("grid", "shared [4] double[4*THREADS]"), ("q", "shared [4] double *"), ("count", "shared int"), ("m", "shared [2] short[THREADS][4]"),
    ("here", "shared int[THREADS]"), ("elsewhere", "shared [3] int[3*THREADS]"), ("MYTHREAD", "const int"), ("grid[1]", "double"),
    ("struct node", "struct node {\n    int value;\n    shared struct node * next;\n}"), ("1.5", "double"),
    ("h", "struct {\n    shared int * p;\n    shared struct node * e;\n    int k[2];\n    union {...};\n}"),
    ("*pw", "struct whole {\n    part parts[2];\n    int (*f)(int);\n    unsigned int bits : 3;\n}"),
    ("ptrs", "shared [] int *shared [2] [2*THREADS]"), ("lone", "shared int *shared [3]"),
    ("heads[0]", "shared struct cell *"),
    ("&ptrs[1]", "shared [] int *shared [2] *"), ("&pairs[4]", "shared [3] int (*)[2]"),
    ("&nodes[2].value", "shared [] int *"),
    ("held.v", "float __attribute__ ((vector_size(4)))"),
]


@unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
class Shared(DriverCase):
    """gdb loads what upcc -g names, and then knows the types of UPC."""

    def gdb(self, commands, *arguments, safe=True):
        share = os.path.join(os.path.dirname(os.path.dirname(driver_case.UPCC)), "share", "banyan")
        script = ["-iex", "add-auto-load-safe-path %s:%s" % (share, os.path.realpath(os.path.join(share, "gdb.py")))] if safe else []
        for command in ["set follow-fork-mode child", *commands]:
            script += ["-ex", command]
        result = harness.run(["gdb", "-batch", "-nx", *script, "--args", "./prog", *arguments], cwd=self.folder, env=self.env)
        return result.out + result.err

    def build(self, *flags, **more):
        self.write("prog.upc", SHARED)
        self.write("objects.h", "extern shared [3] int elsewhere[3 * THREADS];\n")
        self.write("objects.upc", '#include "objects.h"\nshared [3] int elsewhere[3 * THREADS];\nstatic shared int count;\n')
        self.upcc("-g", *flags, "prog.upc", "objects.upc", "-o", "prog", **more)

    def check(self, *arguments):
        line = SHARED.split("\n").index("    return in_registers(q, MYTHREAD);") + 1
        said = self.gdb(["break prog.upc:%d if bn_who->mythread == 0" % line, "run", *["print " + row[0] for row in PRINTED],
                         *["ptype " + row[0] for row in TYPES]], *arguments)
        for number, (expression, expected) in enumerate(PRINTED, 1):
            pattern = re.escape(expected) if isinstance(expected, str) else expected.pattern
            self.assertRegex(said, r"(?m)^\$%d = %s$" % (number, pattern), expression)
        at = 0
        for expression, expected in TYPES:
            if "-n" not in arguments:   # THREADS is a number
                expected = re.sub(r"(\d*)\*?THREADS", lambda count: str(3 * int(count[1] or 1)), expected)
            at = said.find("type = " + expected + "\n", at) + 1
            self.assertGreater(at, 0, expression + "\n" + said)

    def test_dynamic(self):
        self.build("-O0")
        self.check("-n", "3")

    def test_static(self):
        self.build("-O0", "-T", "3")
        self.check()

    @unittest.skipUnless(shutil.which("clang"), "clang is not installed")
    def test_clang(self):
        self.build("-O0", env={"CC": "clang"})
        self.check("-n", "3")

    def test_pointers_in_registers(self):
        self.build("-O1", "-fno-inline")
        said = self.gdb(["break in_registers if bn_who->mythread == 0", "run", "print *parameter", "print parameter[1]",
                         "up", "info locals"], "-n", "3")
        self.assertRegex(said, r"\$1 = 7.5\n\$2 = 9\n")
        self.assertNotIn("Python Exception", said)

    def test_link_time_optimisation(self):
        """gcc then describes some objects twice, once without a place."""
        self.build("-O0", "-flto", "-fno-inline")
        said = self.gdb(["break in_registers if bn_who->mythread == 0", "run", "up", "print grid[3]", "print elsewhere[7]",
                         "info upc grid[5]"], "-n", "3")
        self.assertRegex(said, r"\$1 = 4.5\n\$2 = 70\ngrid\[5\] is on thread 1, ")

    def test_core_file(self):
        """It lacks the shared memory, which gdb would show as zeros."""
        self.build("-O0")
        said = self.gdb(["break in_registers if bn_who->mythread == 0", "run", "generate-core-file core", "kill"], "-n", "3")
        self.assertIn("Saved corefile core", said)
        missing = "shared memory is not in a core file; stop the program in gdb, or attach to it"
        said = self.gdb(["core-file core", "print n", "print parameter", "print THREADS", "info upc grid[5]", "up",
                         "print h.k[1]"])
        for words in ("$1 = 0", "$2 = thread 1, phase 1, address 0x", "$3 = 3", "grid[5] is on thread 1, ", "$4 = 5"):
            self.assertIn(words, said)
        self.assertNotIn(missing, said)
        for expression in ("count", "grid", "grid[3]", "*parameter", "heads[1]", "nodes[0].next->value", "a[0] = 3"):
            said = self.gdb(["core-file core", "print " + expression])
            self.assertIn(missing, said, expression)
            self.assertNotIn("$1 =", said, expression)

    def test_errors(self):
        self.build("-O0")
        said = self.gdb(["print grid[3]"])
        self.assertIn("shared objects have no addresses before the program runs; set a breakpoint in main", said)
        said = self.gdb(["break in_registers if bn_who->mythread == 0", "run", "up", "print *both[0]"], "-n", "3")
        self.assertIn("the pointer-to-shared is null", said)

    def test_commands_of_gdb_take_what_is_upc_from_a_function(self):
        self.build("-O0")
        said = self.gdb(['break in_registers if $upc("MYTHREAD == 0 && parameter == &grid[5]")', "run", "up",
                         'set var $upc("grid[1]") = 42', 'printf "<%g, %g>\\n", $upc("grid[1]"), $upc("*q")',
                         'display $upc("*(q+1)")', "display", 'watch -location $upc("count")', "info watchpoints"],
                        "-n", "3")
        for words in ("<42, 7.5>", '1: $upc("*(q+1)") = 9', "Hardware watchpoint 2: -location $upc"):
            self.assertIn(words, said)

    def test_what_is_not_shown_is_told(self):
        self.build("-O0")
        told = {"generic + 1": "no arithmetic on pointers to void",
                "q + nosuch": 'No symbol "nosuch" in current context.',
                "*q++": "there is no '++' for pointers-to-shared here; write p = p + 1",
                "--*pp": "there is no '--' for", "q += 1": "there is no '+=' for", "1 + q": "there is no such operator for these operands",
                "far": "objects of type shared int (*shared [THREADS])[4] cannot be shown"}
        said = self.gdb(["break in_registers if bn_who->mythread == 0", "run", "up",
                         *["print " + expression for expression in told], "print *q", "print *pp[1]",
                         "set print elements 3", "print grid", "set max-value-size 64", "print grid",
                         "set print elements 0", "print grid", "set max-value-size unlimited", "set print elements 3",
                         "print many_ints", "print rows"], "-n", "3")
        for words in (*told.values(), "$1 = 7.5\n$2 = 103\n$3 = {0, 1.5, 3...}\n"
                      "the first 4 of 12 elements, because of max-value-size:\n$4 = {0, 1.5, 3...}\n",
                      "the value has 96 bytes, more than max-value-size allows",
                      "the first 4 of 300000 elements, because of print elements:\n$5 = {0, 0, 0...}\n"
                      "the first 2 * 4 of 2 * 180000 elements, because of print elements:\n"
                      "$6 = {{0, 0, 0...}, {0, 0, 0...}}\n"):
            self.assertIn(words, said)
        self.assertNotIn("Python Exception", said)

    INFO = ["info upc", "info upc parameter", "info upc grid[5]", "info upc m[1][2]", "info upc n", "up", "info upc it->next",
            "info upc heads[1]", "info upc h.p", "info upc nodes[1].value", "info upc both[0]"]

    def check_info(self, said, selected, a, grid, row):
        """What is told of a thread: which elements it has of these"""
        for line in ("a: shared int[2*THREADS], element i on thread i % 3\n    thread SELF has elements " + a,
                     "grid: shared [4] double[4*THREADS], blocks of 4, element i on thread (i / 4) % 3\n"
                     "    thread SELF has elements " + grid,
                     "row: shared [] int[10], all elements on thread 0\n    thread SELF has " + row,
                     "here: shared int[THREADS], element i on thread i % 3\n",
                     "elsewhere: shared [3] int[3*THREADS], blocks of 3, ", "count: shared int, on thread 0\n",
                     "parameter points to grid[5]\n    thread 1, phase 1, address 0x", "grid[5] is on thread 1, address 0x",
                     "m[1][2] is on thread 0, address 0x", "it->next points to nodes[1]\n    thread 1, phase 0, ",
                     "heads[1] is on thread 1, address 0x", "heads[1] points to cells[4]\n    thread 1, phase 0, ",
                     "h.p points to a[1]\n    thread 1, phase 0, ", "nodes[1].value is on thread 1, address 0x"):
            self.assertIn(line.replace("SELF", str(selected)), said)

    def test_info_upc(self):
        self.build("-O0")
        self.assertIn("there are no threads before the program runs; set a breakpoint in main", self.gdb(["info upc"]))
        stop = ["break in_registers if bn_who->mythread == 0", "run"]
        self.assertIn("n is neither a shared object nor a pointer-to-shared", self.gdb([*stop, self.INFO[4]], "-n", "3"))
        said = self.gdb([*stop, *self.INFO[:4], *self.INFO[5:]], "-n", "3")
        self.check_info(said, 0, "0, 3\n", "0..3\n", "elements 0..9\n")
        self.assertRegex(said, r"\* thread 0 of 3: process \d+, gdb's thread 1\n  2 more in other processes")
        self.assertIn("the pointer-to-shared is null", said)

    def test_info_upc_of_threads_in_one_process(self):
        self.build("-O0", "-pthreads")
        self.assertIn("there are no threads before the program runs; set a breakpoint in main", self.gdb(["info upc"]))
        said = self.gdb(["break in_registers if n == 1", "run", *self.INFO[:4], *self.INFO[5:10]], "-n", "3")
        self.check_info(said, 1, "1, 4\n", "4..7\n", "none\n")
        self.assertRegex(said, r"  thread 0 of 3: process (\d+), .*\n\* thread 1 of 3: process \1, .*\n  thread 2 of 3: ")
        self.assertNotIn("more in other processes", said)

    def test_gdb_says_what_to_allow(self):
        self.build("-O0")
        self.assertIn("add-auto-load-safe-path", self.gdb(["print 1"], safe=False))

    def test_launcher_allows_it(self):
        self.build("-O0")
        self.write("commands", "break in_registers if bn_who->mythread == 0\nrun\nprint grid[3]\nprint THREADS\nkill\n")
        upcrun = os.path.join(os.path.dirname(driver_case.UPCC), "upcrun")
        for threads in ("1", "3"):
            said = harness.run([upcrun, "-n", threads, "-gdb", "./prog", "x"], cwd=self.folder,
                               env={**self.env, "HOME": self.folder}, stdin=self.read("commands"))
            self.assertIn("$1 = 4.5", said.out, said.err)
            self.assertIn("$2 = " + threads, said.out)
            self.assertNotIn("banyan: warning", said.out + said.err)
        said = harness.run([upcrun, "-show", "-gdb", "-n", "2", "./prog", "a b"], cwd=self.folder, env=self.env).out
        self.assertRegex(said, "BANYAN_THREADS=2 .*gdb .*--args ./prog 'a b'\n$")

    def test_without_g_there_is_nothing_for_gdb(self):
        self.write("prog.upc", PROGRAM)
        for flag in ("-O0", "-g0"):
            self.upcc("-trans", flag, "prog.upc", "-o", "prog.c")
            self.assertNotIn("bn_types", self.read("prog.c"))


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
        said = self.gdb(["break prog.upc:12", "run"], "-n", "2")
        self.assertIn("threads are processes of their own: to stop in them, gdb needs 'set follow-fork-mode child'", said)
        said = self.gdb(["set follow-fork-mode child", "break prog.upc:12", "run", "print sum"], "-n", "2")
        self.assertNotIn("threads are processes of their own", said)
        self.assertIn("$1 = 6", said)
        self.upcc("-g", "-O0", "-pthreads", "prog.upc", "-o", "prog")
        self.assertIn("threads are in processes of their own: to stop in them", self.gdb(["run"], "-n", "2"))

    def test_frozen_threads_say_how_to_go_on(self):
        upcrun = os.path.join(os.path.dirname(driver_case.UPCC), "upcrun")
        job = subprocess.Popen([upcrun, "-n", "2", "-freeze", "./prog"], cwd=self.folder, env=self.env, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(job.communicate)
        self.addCleanup(job.kill)
        said = [job.stderr.readline() for _ in range(2)]
        for line in said:
            self.assertRegex(line, r"waits for a debugger: gdb -p \d+; its command 'continue' lets the thread go on$")
        debuggers = [subprocess.Popen(["gdb", "-batch", "-nx", "-p", re.search(r"-p (\d+)", line)[1],
                                       "-ex", re.search("'(.*)'", line)[1]], text=True,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                     for line in said]
        answers = [debugger.communicate()[0] for debugger in debuggers]
        if any("Operation not permitted" in answer for answer in answers):
            self.skipTest("gdb may not attach to processes here")
        out, err = job.communicate()
        self.assertEqual((job.returncode, len(out.split())), (0, 2), (err, answers))


@unittest.skipUnless(shutil.which("strace"), "strace is not installed")
class Tracers(DriverCase):
    def setUp(self):
        super().setUp()
        self.write("hello.upc", HELLO)
        self.upcc("hello.upc", "-o", "hello")

    def traced(self, *command):
        """The number of threads under a tracer, and what is said there"""
        result = harness.run([*command], cwd=self.folder, env=self.env)
        self.assertEqual(result.status, 0, result.err)
        return len(result.out.splitlines()), result.err

    def test_they_change_nothing(self):
        alone = self.traced("./hello")
        self.assertEqual(self.traced("strace", "-f", "-o", "log", "./hello"), alone)
        self.assertEqual(self.traced("strace", "-f", "-o", "log", "./hello", "-n", "3"), (3, ""))

    def test_debuggers_are_known_by_their_names(self):
        """strace stands for lldb, which need not be installed."""
        shutil.copy(shutil.which("strace"), self.path("lldb-server"))
        count, said = self.traced("./lldb-server", "-f", "-o", "log", "./hello")
        self.assertEqual(count, 1)
        if self.traced("./hello")[0] > 1:
            self.assertIn("under a debugger, one thread runs", said)
        count, said = self.traced("./lldb-server", "-f", "-o", "log", "./hello", "-n", "2")
        self.assertEqual(count, 2)
        self.assertIn("lldb needs 'settings set target.process.follow-fork-mode child' before 'run'", said)


if __name__ == "__main__":
    driver_case.main()
