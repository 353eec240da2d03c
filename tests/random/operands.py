#!/usr/bin/env python3
"""Puts each kind of expression in the place of each operand of each form of shared access, and compares with the same
on private memory.

usage: operands.py N [SEED] [--network shmem [--far | --hosts N]]

A case is a statement that accesses shared memory in one form, whose operands are random expressions: one of a given
kind, the others of any.  A program has cases, each twice: for shared objects, and for private twins of the same shape.
The threads in turn run them all on shared memory and on the twins; values, side effects, and finally memory must be the
same.  Consecutive seeds give different pairs of an operand and a kind: --pairs says how many programs cover all of
them.
"""

import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import comparison  # noqa: E402
from operand_addresses import HEAD as HEAD_OF_ADDRESSES, TYPES, Addresses  # noqa: E402
from operand_forms import Forms, pairs  # noqa: E402
from operand_kinds import COLUMNS, COMMA, MAX_THREADS, NAMES, ROWS, START, Array, Kinds, both  # noqa: E402

CASES = 100          # of a program
WAYS = ("-O0", "-O1", "-O1 -fcheck", "-O2", "-O2 -fcheck", "-O2 -fno-upc-opt", "-O3")

HEAD = """#include <upc_relaxed.h>
#include <stdio.h>
#include <string.h>
static int failures, turn;
static int few[9] = {3, 1, 4, 1, 5, 2, 6, 5, 7};
shared int relaxed_few[9*THREADS], relaxed_counter0, relaxed_counter1, relaxed_counter2, relaxed_counter3;
strict shared [2] int strict_few[9*THREADS];
strict shared int strict_counter0, strict_counter1, strict_counter2, strict_counter3;
shared [] int block_few[9];
static int m_relaxed_few[9], m_strict_few[9], m_block_few[9];
static int m_relaxed_counter0, m_relaxed_counter1, m_relaxed_counter2, m_relaxed_counter3;
static int m_strict_counter0, m_strict_counter1, m_strict_counter2, m_strict_counter3;
static void report(const char *what, long at) { printf("thread %d: %s %ld\\n", MYTHREAD, what, at); failures++; }
static int __attribute__((noinline)) V(int value) { return value; }
static int __attribute__((noinline)) same(int value) { return value; }
static long add(long a, long b) { return a * 7 + b; }
shared void *shared published;
static shared void *of_thread_0(size_t size)
{
    if (MYTHREAD == 0)
        published = upc_alloc(size);
    upc_barrier;
    shared void *result = published;
    upc_barrier;
    return result;
}
"""

ITEM = """struct @item { char c; int m; short arr[8]; int w : 5; unsigned b : 3; long l; @P_a0 q; };
static struct @item @one;
static struct @item @same_item(struct @item item) { return item; }
static unsigned long @digest(unsigned long h, struct @item i)
{
    h = (h * 31 + (unsigned long)i.c) * 31 + (unsigned long)i.m;
    for (int n = 0; n < 8; n++)
        h = h * 31 + (unsigned long)i.arr[n];
    return h * 31 + (unsigned long)i.w + i.b * 3 + (unsigned long)i.l + (unsigned long)(i.q - ORIGIN);
}
"""
SINGLE_ITEMS = """strict shared struct item strict_item;
relaxed shared struct item relaxed_item;
static struct m_item m_strict_item, m_relaxed_item;
"""

MAIN = """
int main(void)
{
ALLOCATE    m_start();
    if (MYTHREAD == 0)
        start();
    start_addresses();
    m_start_addresses();
    one.q = &a0[START];
    m_one.q = &m_a0[START];
    one.b = m_one.b = 6;
    upc_barrier;
    for (turn = 0; turn < THREADS; turn++) {
        for (int i = 0; i < ROWS * MAX_THREADS; i++)
            OWN[i] = m_OWN[i] = i & 63;
        for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
            unsigned long found = turn == MYTHREAD ? cases[i]() : 0, expected = m_cases[i]();
            if (turn == MYTHREAD && found != expected)
                report("case", i);
        }
        if (turn == MYTHREAD)
            compare();
BARRIERS    }
    compare();
    printf("%s", failures ? "" : "ok\\n");
    return failures != 0;
}
"""


class Program:
    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        pointed = Array(rng, 0, "int", ("", "[1]", "[2]", "[3]", "[]"))
        pointed.strict = ""
        integers = [Array(rng, number, rng.choice(("char", "short", "int", "long", "unsigned"))) for number in (1, 2)]
        records = [Array(rng, number, "struct @item") for number in (3, 4)]
        rowed = Array(rng, 5, rng.choice(("int", "long")), columns=COLUMNS)
        self.owned = Array(rng, 6, "int", ("[]",), is_own=True)
        self.followed, self.written = (Array(rng, number, pointed.pointer()) for number in (7, 8))
        self.arrays = [pointed] + integers + records + [rowed, self.owned, self.followed, self.written]
        self.addresses = [Addresses(rng, 9 + number, kind) for number, kind in enumerate([None, *TYPES])]
        self.records = records
        self.make = lambda kinds: Forms(kinds, pointed, integers, records, rowed, self.owned, self.followed,
                                        self.written, self.addresses)
        self.pointers = [array for array in self.arrays if array is not self.owned] + self.addresses
        every = pairs(self.case)
        self.cases = [self.case(*every[(seed * CASES + number) % len(every)]) for number in range(CASES)]

    def case(self, form, forced):
        """(the text of a function's body, its operands)"""
        kinds = Kinds(self.rng, self.pointers, self.records, forced)
        statement = self.make(kinds).statement(form)
        body = " ".join(kinds.declared + ["/* %s */" % form, statement] + kinds.checks)
        return "{ unsigned long h = 0; %s return h; }" % body, kinds.operands

    def barriers(self):
        """Barriers with equal values on all threads"""
        text = ""
        for form in ("upc_barrier %s;", "upc_notify %s; upc_wait;", "upc_notify; upc_wait %s;"):
            kinds = Kinds(self.rng, self.pointers, self.records, (0, self.rng.choice(NAMES["integer_"])))
            kinds.only_private = True
            statement = form % kinds.integer(COMMA)
            text += "        { %s %s }\n" % (" ".join(kinds.declared), statement)
        return both(text)[0]

    def functions(self):
        text = "static void @start(void)\n{\n    for (int i = 0; i < 9; i++)\n"
        text += "        @relaxed_few[i] = @strict_few[i] = @block_few[i] = i * 5 % 8;\n"
        text += "    @strict_item.b = @relaxed_item.b = 5;\n    for (int i = 0; i < %d * THREADS; i++) {\n" % ROWS
        for array in self.arrays:
            if array in (self.followed, self.written):
                text += "        @%s[i] = &@a0[%s + i %% 4];\n" % (array.name, START)
            elif array in self.records:
                text += "        @%s[i].m = i & 63, @%s[i].b = i, @%s[i].q = &@a0[%s + i %% 4];\n" % (array.name,
                                                                                                      array.name,
                                                                                                      array.name, START)
            elif array is not self.owned:
                text += "        @%s[i]%s = i & 63;\n" % (array.name, "[i & 7]" if array.columns else "")
        text += ("    }\n}\nstatic void @reset(void) "
                 "{ for (int i = 0; i < %d * THREADS; i++) @%s[i] = &@a0[%s + i %% 4]; }\n") % (
            ROWS, self.written.name, START)
        return "".join(both(text))

    def compare(self):
        text = "static void compare(void)\n{\n    for (int i = 0; i < %d * THREADS; i++) {\n" % ROWS
        for array in self.arrays:
            value = "@digest(1, @%s[i])" if array in self.records else "@%s[i]"
            if array.element == self.arrays[0].pointer():
                value = "(long)(@%s[i] - (&@a0[0]))"
            one, twin = both(value % array.name)
            if array.columns:
                text += "        for (int j = 0; j < %d; j++) if (%s[j] != %s[j]) report(\"%s\", i);\n" % (
                    array.columns, one, twin, array.name)
            elif array is not self.owned:
                text += "        if (%s != %s) report(\"%s\", i);\n" % (one, twin, array.name)
        text += "        if (turn == MYTHREAD && %s[i] != m_%s[i]) report(\"%s\", i);\n" % ((self.owned.name,) * 3)
        return text + "    }\n}\n"

    def write(self):
        pointed = self.arrays[0]
        text = HEAD + pointed.declare() + "".join(both(ITEM.replace("ORIGIN", pointed.origin()))) + SINGLE_ITEMS
        text += "".join(array.declare() for array in self.arrays[1:]) + HEAD_OF_ADDRESSES
        text += "".join(array.declare() + array.functions() for array in self.addresses)
        text += self.functions() + self.compare()
        names = [[], []]
        for number, (body, _) in enumerate(self.cases):
            for side, one in enumerate(both(body)):
                names[side].append("%scase%d" % ("m_" if side else "", number))
                text += "static unsigned long %s(void) %s\n" % (names[side][-1], one)
        text += "static unsigned long (*const cases[])(void) = {%s};\n" % ", ".join(names[0])
        text += "static unsigned long (*const m_cases[])(void) = {%s};\n" % ", ".join(names[1])
        allocated = "".join(array.allocate() for array in self.arrays + self.addresses)
        main = MAIN.replace("ALLOCATE", allocated).replace("BARRIERS", self.barriers())
        for word, value in (("MAX_THREADS", str(MAX_THREADS)), ("START", START), ("ROWS", str(ROWS)),
                            ("OWN", self.owned.name)):
            main = main.replace(word, value)
        return text + main


class Comparison(comparison.Comparison):
    def compare(self, seed, directory):
        source = os.path.join(directory, "program.upc")
        with open(source, "w") as file:
            file.write(Program(seed).write())
        rng = random.Random(seed + 1000000)
        outcome = "pass", ""
        both = (0, rng.choice(self.threads))
        for threads in both if not self.options.one_way else (rng.choice(both),):
            flags = rng.choice(WAYS).split() + ["-w", "-fwrapv"] + (["-T", str(threads)] if threads else [])
            counts = [threads] if threads else self.some_threads(rng, 2)
            outcome = self.say_ok(rng.choice(self.backends), flags, source, os.path.join(directory, "program"), counts)
            if outcome[0] != "pass":
                break
        return outcome


def main():
    parser = comparison.parser("runs shared accesses with random operands beside private ones")
    parser.add_argument("--pairs", action="store_true", help="say how many pairs of a place and a kind there are")
    options = parser.parse_args()
    if options.pairs:
        every = pairs(Program(1).case)
        print("%d pairs, in %d programs" % (len(every), -(-len(every) // CASES)))
        return
    Comparison("operands", options).run()


if __name__ == "__main__":
    main()
