#!/usr/bin/env python3
"""Runs random loops along the columns of shared matrices, optimised and not, and compares them with the same loops in
C.

usage: columns.py N [SEED]

In most of these loops upcc processes eight columns at a time (compiler/lower/columns.cc); in others it must not: an
iteration needs results of the previous one, inner loops end differently for each column, or a pointer may point to what
is written.  Each function executes its loop on shared matrices, whose rows belong to the threads, and on private ones
of the same shape; then each thread compares all elements that it owns, and the final values of variables.
"""

import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import comparison  # noqa: E402

MAX_THREADS = 8
ROWS = 5   # times THREADS
INTEGERS = ("long", "int", "unsigned", "short", "unsigned char")   # with double, conversions would be undefined

HEAD = """#include <upc_relaxed.h>
#include <stdio.h>
static int V(int x) { return *(volatile int *)&x; }
static int failures;
static void report(const char *what, long i, long j)
{ printf("thread %%d: %%s at %%ld %%ld\\n", MYTHREAD, what, i, j); failures++; }
enum { WIDTH = %d };
typedef %s number;
"""


class Loop:
    """One function: text(True) is the loop on shared matrices, text(False) the one on their mirrors."""

    def __init__(self, rng, number):
        self.rng = rng
        self.number = number
        self.target, self.left, self.right = rng.sample("abcd", 3)
        if rng.random() < 0.1:
            self.left = self.target
        self.counter = rng.choice(("int", "int", "long", "unsigned", "size_t"))
        self.inner_counter = rng.choice(("int k = ", "long k = ", "k_outside = "))
        self.k = "k" if " k " in self.inner_counter else "k_outside"
        self.is_owned = rng.random() < 0.7
        self.items = [item for item in (self.before(), self.inside(), self.after()) if item]
        if rng.random() < 0.2:
            self.items.insert(rng.randrange(len(self.items) + 1), self.odd())
            self.is_owned = False

    def here(self):
        return self.rng.choice(("@%s[i][j]" % self.target,) * 6 + ("@%s[i][j + 1 - 1]" % self.target,))

    def plain(self):
        """An expression that reads nothing that is written"""
        return self.rng.choice(("0", "1", "j", "i + j", "@%s[i][j]" % self.right, "factor", "@%s[i][0]" % self.right,
                                "@%s[0][j] + 2" % self.right, "list[j %% 8]"))

    def product(self):
        rng = self.rng
        k = self.k
        left = rng.choice(("@%s[i][%s %% WIDTH]" % (self.left, k),) * 4 + ("factor", "list[%s %% 8]" % k, "j", "3"))
        right = rng.choice(("@%s[%s][j]" % (self.right, k),) * 5 + ("@%s[%s][(j + 3) %% WIDTH]" % (self.right, k),))
        return rng.choice(("%s * %s", "%s + %s", "(%s > 2) * %s")) % (left, right)

    def before(self):
        self.sum = self.rng.choice(("here", "here", "declared", "declared", "outside"))
        if self.sum == "declared":
            return "number s = %s;" % self.plain()
        if self.sum == "outside":
            operator = self.rng.choice(("=", "=", "=", "=", "+="))
            self.is_owned &= operator == "="   # otherwise it depends on the previous row
            return "s_outside %s %s;" % (operator, self.plain())
        return self.rng.choice(("", "", "%s = %s;" % (self.here(), self.plain())))

    def name(self):
        return {"here": self.here(), "declared": "s", "outside": "s_outside"}[self.sum]

    def inside(self):
        rng = self.rng
        body = "%s %s %s;" % (self.name(), rng.choice(("+=", "+=", "+=", "-=")), self.product())
        if rng.random() < 0.3:
            body = "{ number f = %s; %s += f; }" % (self.product(), self.name())
        if rng.random() < 0.2:
            body = "{ %s %s }" % (body.strip("{}"), "%s++;" % self.name())
        limit = rng.choice(("inner", "inner", "rows", "inner - 20", "4"))
        step = rng.choice(("++%s", "%s++", "%s += 2"))
        return "for (%s%s; %s < %s; %s) %s" % (self.inner_counter, rng.choice(("0", "0", "1")), self.k, limit,
                                               step % self.k, body)

    def after(self):
        if self.sum == "here" and self.rng.random() < 0.7:
            return self.rng.choice(("", "%s += 1;" % self.here()))
        value = self.name() if self.sum != "here" else self.plain()
        return "%s %s %s;" % (self.here(), self.rng.choice(("=", "=", "=", "+=")), value)

    def odd(self):
        """A statement that prevents iterations from being combined"""
        k = self.k
        return self.rng.choice((
            "carried = carried * 3 + j;", "if (j == 5) continue;", "if (j == limit - 2) break;",
            "for (int k = 0; k < (int)j %% 3; k++) %s += 1;" % self.here(),
            "%s += @%s[i][(j + WIDTH - 1) %% WIDTH];" % (self.here(), self.target),
            "%s += %s;" % (self.here(), k if k == "k_outside" else "1"), "list[j %% 8] += 1;",
            "*pointer += 1;", "carried += called(j);", "if (j & 1) %s += 2;" % self.here(),
            "{ int k = 1; %s += k; }" % self.here()))

    def text(self, is_shared):
        limit = "limit" if self.counter in ("int", "long") else "(%s)limit" % self.counter
        head = "for (%s j = %s; j < %s; j++)" % (self.counter, "first", limit)
        loop = "%s { %s }" % (head, " ".join(self.items)) if len(self.items) > 1 else "%s %s" % (head, self.items[0])
        rows = "upc_forall (int i = 0; i < rows; i++; &@%s[i][0])" % self.target
        if not is_shared or not self.is_owned:
            rows = "for (int i = 0; i < rows; i++)"
        if is_shared and not self.is_owned:
            rows = "if (MYTHREAD == 0) " + rows
        return (rows + " { " + loop + " }").replace("%%", "%").replace("@", "" if is_shared else "m")

    def function(self):
        name = "loop%d" % self.number
        text = "static void %s(int first, int limit, int inner)\n{\n" % name
        text += "    int rows = %d * THREADS, factor = V(3), k_outside = 0;\n" % ROWS
        text += "    int list[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n"
        text += "    number s_outside = 0, s_shared = 0, carried = 0, carried_shared = 0, *pointer = &carried;\n"
        text += "    int k_shared = 0;\n"
        text += "    %s\n" % self.text(True)
        text += "    s_shared = s_outside; carried_shared = carried; k_shared = k_outside;\n"
        text += "    s_outside = carried = k_outside = 0; for (int i = 0; i < 8; i++) list[i] = i + 1;\n"
        text += "    upc_barrier;\n    %s\n" % self.text(False)
        if not self.is_owned:   # all iterations are on one thread, so variables have the same values
            text += ("    if (MYTHREAD == 0 && (s_outside != s_shared || carried != carried_shared || k_outside != "
                     "k_shared)) report(\"variables of %s\", 0, 0);\n" % name)
        return text + "    compare(\"%s\");\n    upc_barrier;\n}\n" % name


def write(seed):
    rng = random.Random(seed)
    width = rng.choice((7, 8, 9, 16, 21, 27))
    elements = INTEGERS if rng.random() < 0.5 else ("double",)
    text = HEAD % (width, "long" if len(elements) > 1 else "double")
    compare = ""
    for name in "abcd":
        element = rng.choice(elements)
        block = rng.choice(("[%d]" % width,) * 3 + ("[%d]" % (2 * width), "[%d]" % (3 * width), "[*]", "", "[%d]" % 4))
        text += "shared %s %s %s[%d*THREADS][WIDTH];\n" % (block, element, name, ROWS)
        text += "static %s m%s[%d][WIDTH];\n" % (element, name, ROWS * MAX_THREADS)
        compare += ("    for (int i = 0; i < %d * THREADS; i++) for (int j = 0; j < WIDTH; j++) "
                    "if (upc_threadof(&%s[i][j]) == (size_t)MYTHREAD && %s[i][j] != m%s[i][j]) report(what, i, j);\n"
                    % (ROWS, name, name, name))
    text += "static number called(number x) { return x + failures; }\n"
    text += "static void compare(const char *what)\n{\n    upc_barrier;\n%s}\n" % compare
    loops = [Loop(rng, number) for number in range(8)]
    text += "".join(loop.function() for loop in loops)
    text += "int main(void)\n{\n"
    text += ("    for (int i = 0; i < %d * THREADS; i++)\n        for (int j = 0; j < WIDTH; j++) {\n"
             % ROWS)
    for number, name in enumerate("abcd"):
        text += ("            m%s[i][j] = (i * %d + j * 7) %% 11;\n            if (upc_threadof(&%s[i][j]) == "
                 "(size_t)MYTHREAD) %s[i][j] = m%s[i][j];\n" % (name, number + 3, name, name, name))
    text += "        }\n    upc_barrier;\n"
    for loop in loops:
        text += "    loop%d(V(%d), V(%d), V(%d));\n" % (loop.number, rng.choice((0, 0, 0, 1, 3)),
                                                        rng.choice((width, width, width - 1, 0)),
                                                        rng.choice((ROWS, ROWS, 1, 0)))
    return text + "    printf(\"%s\", failures ? \"\" : \"ok\\n\");\n    return failures != 0;\n}\n"


def main():
    options = comparison.parser("runs random loops along columns beside the same loops in C").parse_args()
    comparison.LoopComparison("columns", options, write).run()


if __name__ == "__main__":
    main()
