#!/usr/bin/env python3
"""Runs random accesses of all threads at once, and compares them with the same on private memory.

usage: far.py N [SEED] [--network shmem [--far | --hosts N]]

A program has arrays of many layouts and types, for each a private one of the same shape (the mirror), and functions
that write one array and read others; each function exists twice, for the shared arrays and for the mirrors.  In a round
each thread runs a function on elements that nobody else touches: a contiguous range, or every THREADS-th element; then
it repeats what the other threads did on its own mirrors.  The values read, and the final contents of memory, must be
the same.  In other rounds the threads run functions on the same elements, one after another, ordered by a strict
variable, or in any order, under a lock.  This detects prefetched data that have become stale, and writes that are too
late, at a wrong place, or over a neighbour.
"""

import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import comparison  # noqa: E402

MAX_THREADS = 8
ARRAYS = 5
FUNCTIONS = 3        # number of functions that write to each array
ROUNDS = {"few": 14, "many": 3}   # for a program that needs few messages, and for one where each far access is one
QUERIES = 20         # number of irregular accesses in a statement, each of which is a message
ELEMENTS = ("char", "short", "int", "int", "long", "long", "float", "double", "struct item", "struct large")
INTEGERS = ("char", "short", "int", "long")
FIELDS = {"struct item": (".c", ".n", ".w", ".v", ".s[1]", ".s[%(k)s]"),
          "struct large": (".d[3]", ".d[%(k)s]", ".d[19]")}
COMPARED = {"struct item": (".c", ".n", ".w", ".v", ".s[0]", ".s[1]", ".s[2]"),
            "struct large": (".d[0]", ".d[1]", ".d[2]", ".d[3]", ".d[19]")}
BIT_FIELDS = (".n", ".w")   # each read of a far one is a message
WAYS = ("-O2", "-O2", "-O3", "-O1", "-O2 -fno-upc-opt", "-O2 -fno-upc-opt-ahead", "-O2 -fno-upc-opt-behind",
        "-O2 -fcheck")
SLOW_WAYS = ("-O2 -fno-upc-opt", "-O2 -fcheck")   # also with more flags after these

HEAD = """#include <upc_relaxed.h>
#include <upc_nb.h>
#include <stdio.h>
#include <string.h>
struct item { char c; int n : 5; unsigned long w : 40; long v; short s[3]; };
struct large { double d[20]; };
static int failures;
static void report(const char *what, long at) { printf("thread %d: %s at %ld\\n", MYTHREAD, what, at); failures++; }
static unsigned long state = SEED;
static unsigned long draw(void)   /* the same numbers on all threads */
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 11;
}
static int listed[256];      /* indices, to be brought into the range of an array */
static long near_mark, far_mark;
strict shared int turn;
strict shared int marks[THREADS];
upc_lock_t *lock;
"""

MAIN = """
int main(void)
{
    lock = upc_all_lock_alloc();
    for (int i = 0; i < 256; i++)
        listed[i] = draw() & 0xfffff;
    allocate();
    upc_barrier;
    for (int round = 0; round < ROUNDS; round++) {
        int array = draw() % ARRAYS, way = draw() % 5, shift = draw() % THREADS;
        unsigned long expected = 0, found = 0;
        for (int thread = 0; thread < THREADS; thread++) {
            int function = array * FUNCTIONS + draw() % FUNCTIONS;
            long seed = draw() & 0xffff, place = (thread + shift) % THREADS, part = parts[array];
            long first = way == 0 || way == 4 ? 0 : way == 1 ? place : place * part, step = way == 1 ? THREADS : 1;
            if (way == 4)
                function = array;   /* of which the order does not matter */
            if (thread == MYTHREAD) {
                if (way == 0)
                    while (turn != round * (THREADS + 1) + thread)
                        ;
                if (way == 4)
                    upc_lock(lock);
                found = (way == 4 ? adds : on_shared)[function](first, step, seed);
                if (way == 4)
                    upc_unlock(lock);
                if (way == 0)
                    turn = round * (THREADS + 1) + thread + 1;
            }
            unsigned long result = (way == 4 ? adds_privately : on_private)[function](first, step, seed);
            if (thread == MYTHREAD)
                expected = result;
        }
        if (found != expected)
            report(names[array], round);
        if (way == 2) {
            upc_notify;
            upc_wait;
        } else {
            upc_barrier;
        }
        if (MYTHREAD == 0)
            turn = (round + 1) * (THREADS + 1);
        if (way < 3)
            upc_barrier;
        compare(1);
        upc_barrier;
    }
    compare(IS_SLOW);
    printf("%s", failures ? "" : "ok\\n");
    return failures != 0;
}
"""


class Array:
    def __init__(self, rng, number):
        self.number = number
        self.name, self.mirror = "a%d" % number, "m%d" % number
        self.element = rng.choice(ELEMENTS)
        self.columns = rng.choice((0, 0, 0, 4, 9))
        largest = max(32, {"struct large": 20, "struct item": 300}.get(self.element, 1200) // (self.columns or 1))
        self.part = rng.randrange(max(24, largest // 4), largest)   # elements of the first dimension, times THREADS
        row = self.columns or 1
        self.kind = rng.choice(("static", "static", "one thread's", "allocated")) if not self.columns else "static"
        if self.kind == "one thread's":
            self.block = "[]"
        else:
            self.block = rng.choice(("", "", "[%d]" % row, "[7]", "[%d]" % (row * 50), "[%d]" % (row * self.part)))
        if self.kind == "allocated" and not self.block:
            self.block = "[64]"

    def count(self):
        return "(%d * THREADS)" % self.part

    def declare(self):
        columns = "[%d]" % self.columns if self.columns else ""
        text = "static %s %s[%d]%s;\n" % (self.element, self.mirror, self.part * MAX_THREADS, columns)
        if self.kind == "static":
            return text + "shared %s %s %s[%d*THREADS]%s;\n" % (self.block, self.element, self.name, self.part, columns)
        pointer = "shared %s %s *" % (self.block, self.element)
        return text + "static %s%s;\n%sshared s_%s;\n" % (pointer, self.name, pointer, self.name)

    def allocate(self):
        """Statements that allocate the array; a barrier follows, and copy()"""
        if self.kind == "one thread's":
            return ("    if (MYTHREAD == %d %% THREADS) { s_%s = upc_alloc(%s * sizeof(%s)); "
                    "upc_memset(s_%s, 0, %s * sizeof(%s)); }\n") % (
                self.number, self.name, self.count(), self.element, self.name, self.count(), self.element)
        if self.kind == "allocated":
            block = self.block[1:-1]
            return "    %s = upc_all_alloc((%s + %s - 1) / %s, %s * sizeof(%s));\n" % (
                self.name, self.count(), block, block, block, self.element)
        return ""

    def after_barrier(self):
        if self.kind == "one thread's":
            return "    %s = s_%s;\n" % (self.name, self.name)
        if self.kind == "allocated":
            return "    for (long i = MYTHREAD; i < %s; i += THREADS) { static const %s zero; %s[i] = zero; }\n" % (
                self.count(), self.element, self.name)
        return ""

    def field(self, rng, k):
        fields = FIELDS.get(self.element)
        return rng.choice(fields) % {"k": "(%s) %% 3" % k} if fields else ""

    def compare(self):
        fields = COMPARED.get(self.element, ("",))
        column = "[j]" if self.columns else ""
        differs = " || ".join("%s%s[i]%s%s != %s[i]%s%s" % ("own && " if field in BIT_FIELDS else "", self.name, column,
                                                            field,
                                                            self.mirror, column, field) for field in fields)
        return ("    for (long i = 0; i < %s; i++) for (int j = 0; j < %d; j++) if ((!own || upc_threadof(&%s[i]%s) == "
                "(size_t)MYTHREAD) && (%s)) { report(\"%s\", i); break; }\n" % (self.count(), self.columns or 1,
                                                                                self.name, column, differs, self.name))


class Function:
    """Statements that write `target` at first + m * step for m from 0 to its part, and read it and `sources` at any
    place."""

    def __init__(self, rng, target, sources, number):
        self.rng = rng
        self.target = target
        self.sources = sources
        self.number = number
        self.lines = []
        for _ in range(rng.randrange(2, 5)):
            self.statement()

    def element(self, array, index, k="m"):
        """The text of an element, with a mark instead of the array's name, and its field"""
        column = "[%s]" % self.rng.choice(("0", "%d" % (array.columns - 1),
                                           "(%s) %% %d" % (k, array.columns))) if array.columns else ""
        return "@%d[%s]%s%s" % (array.number, index, column, array.field(self.rng, k))

    def mine(self, m="m"):
        return self.rng.choice(("first + (%s) * step", "(%s) * step + first")) % m

    def value(self, text):
        return "(%s) & 31" % text

    def read(self, source, index, k="m"):
        return "(long)" + self.element(source, index, k)

    def source(self):
        return self.rng.choice(self.sources)

    def stretch(self, source, least_gap=2):
        """(first index, length) of a range, as texts"""
        length = max(1, self.rng.randrange(1, source.part) - 2 * least_gap)
        return "%d + seed %% (%s - %d)" % (least_gap, source.count(), length + 2 * least_gap), length

    def statement(self):
        rng = self.rng
        kinds = [self.write_run, self.write_run, self.change, self.read_run, self.read_run, self.copy_run, self.gather,
                 self.gather,
                 self.scattered, self.back_and_forth, self.order, self.walk, self.rows]
        if self.target.element.startswith("struct"):
            kinds += [self.structs] * 3
        if self.target.kind == "one thread's":
            kinds += [self.blocks] * 4
        if any(source.kind == "one thread's" for source in self.sources):
            kinds += [self.blocks_of_source] * 2
        rng.choice(kinds)()

    def loop(self, count=None):
        n = "n" if count is None else str(count)
        return self.rng.choice(("for (long m = 0; m < %s; m++)", "for (long m = %s - 1; m >= 0; m--)",
                                "for (int m = 0; m < %s; m++)",
                                "for (unsigned m = 0; m < %s; m += 2)")) % n

    def write_run(self):
        skip = self.rng.choice(("", "", "if (m %% %d == seed %% 3) continue; " % self.rng.randrange(2, 70)))
        self.lines.append("%s { %s%s = %s; }" % (self.loop(), skip, self.element(self.target, self.mine()),
                                                 self.value("seed + m")))

    def change(self):
        element = self.element(self.target, self.mine())
        if self.target.element in INTEGERS:
            form = self.rng.choice(("%s += %s;", "%s ^= %s;", "%s++; h += %s;", "--%s; h += %s;",
                                    "h = h * 7 + %s--; h += %s;"))
            self.lines.append("%s { %s }" % (self.loop(), form % (element, self.value("m ^ seed"))))
        else:
            self.lines.append("%s { %s = %s; }" % (self.loop(), element, self.value("(long)%s + m" % element)))

    def read_run(self):
        rng = self.rng
        source = self.source()
        start, length = self.stretch(source)
        loop = rng.choice(("for (long m = x; m < x + %d; m++)", "for (long m = x + %d - 1; m >= x; m--)",
                           "for (long m = x; m < x + %%d; m += %d)" % rng.randrange(2, 60))) % length
        term = self.read(source, "m")
        terms = rng.choice((term, term,
                            "%s - 3 * %s + %s" % (self.read(source, "m - 1"), term, self.read(source, "m + 1")),
                            "%s + 5 * %s" % (term, self.read(source, "m + 2"))))
        self.lines.append("{ long x = %s; %s h = h * 31 + (%s); }" % (start, loop, terms))

    def copy_run(self):
        source = self.source()
        shift = self.rng.randrange(0, 40)
        self.lines.append("%s { %s = %s; }" % (self.loop(), self.element(self.target, self.mine()),
                                               self.value("m + " +
                                                          self.read(source,
                                                                    "(seed + m + %d) %% %s" % (shift,
                                                                                               source.count())))))

    def index(self, k, source):
        """A random index, which is read from memory"""
        rng = self.rng
        if rng.random() < 0.3:
            other = self.source()
            return "((unsigned long)%s %% %s)" % (self.read(other, "%s + seed %% 3" % k, k), source.count())
        return "listed[(%s + seed) & 255] %% %s" % (k, source.count())

    def gather(self):
        rng = self.rng
        source = self.source()
        kind = rng.random()
        count = min(QUERIES, self.target.part)
        read = self.read(source, self.index("k", source), "k")
        own = self.read(self.target, "first + (listed[k] % n) * step", "k")
        target = self.element(self.target, self.mine("k"), "k")
        body = rng.choice((
            "h += k * %s;" % read, "h += %s * %s;" % (read, self.read(source, "k", "k")), "h = h * 5 + %s;" % own,
            "%s = %s;" % (target, self.value(read)), "%s = %s;" % (target, self.value(own + " + k")),
            "%s = %s;" % (target, self.value(read + " + " + own)), "if (k & 1) h += %s;" % read,
            "long t = %s; h ^= t << (k & 15);" % read, "h += (k > 3 && %s > 5);" % read))
        k = rng.choice(("int", "long", "unsigned", "short"))
        limit = rng.choice(("%d" % count, "count", "(seed %% %d)" % count))
        compared = "k <= %s - 1" % limit if k != "unsigned" and rng.random() < 0.3 else "k < (%s)%s" % (k, limit)
        around = "for (int again = 0; again < 2; again++) " if kind < 0.2 else ""
        self.lines.append("{ int count = %d; %sfor (%s k = 0; %s; k++) { %s } }" % (count, around, k, compared, body))

    def scattered(self):
        element = self.element(self.target, "first + (k * 7919 + seed) % n * step", "k")
        again = self.element(self.target, "first + (k * 7919 + seed) % n * step", "k")
        self.lines.append("for (int k = 0; k < %d; k++) { %s = %s; h = h * 3 + (long)%s; }" % (QUERIES // 2, element,
                                                                                               self.value("k"), again))
        if self.rng.random() < 0.5:
            self.lines.append("for (int k = 0; k < %d; k++) h = h * 3 + (long)%s;" % (QUERIES // 2, element))

    def back_and_forth(self):
        """Reads what was written shortly before"""
        back = self.rng.choice((1, 2, 30))
        self.lines.append("for (long m = %d; m < n && m < %d; m++) { %s = %s; h = h * 3 + (long)%s; }" % (
            back, back + QUERIES, self.element(self.target, self.mine()), self.value("m * seed"),
            self.element(self.target, self.mine("m - %d" % back))))

    def order(self):
        """A statement that orders the thread's accesses; without effect on values"""
        self.lines.append("ORDER(%s)" % self.rng.choice((
            "upc_fence;", "upc_poll();", "marks[MYTHREAD] = seed;", "h += marks[MYTHREAD] & 0;",
            "h += marks[(MYTHREAD + 1) % THREADS] & 0;",
            "marks[MYTHREAD]++;")))

    def walk(self):
        """A walk with a pointer over consecutive elements"""
        if self.target.columns:
            return
        field = self.target.field(self.rng, "m")
        if field:
            at, there = "p->" + field[1:], "p++"
            body = "%s = %s; %s;" % (at, self.value("m + seed"), there)
        else:
            body = self.rng.choice(("*p++ = %s;", "*p = %s; ++p;", "p[0] = %s; p += 1;",
                                    "h = h * 3 + (long)*p; *p++ = %s;")) % self.value("m + seed")
        self.lines.append("if (step == 1) { POINTER%d p = &@%d[first]; for (long m = 0; m < n; m++) { %s } }" % (
            self.target.number, self.target.number, body))

    def rows(self):
        """Accesses along the rows"""
        arrays = [array for array in self.sources if array.columns]
        if self.target.columns:
            field = self.target.field(self.rng, "j")
            self.lines.append("%s for (int j = 0; j < %d; j++) @%d[%s][j]%s = %s;" % (
                self.loop(), self.target.columns, self.target.number, self.mine(), field, self.value("m * j + seed")))
        if arrays:
            source = self.rng.choice(arrays)
            start, length = self.stretch(source)
            self.lines.append("{ long x = %s; for (long i = x; i < x + %d; i++) for (int j = 0; j < %d; j++) "
                              "h = h * 7 + (long)@%d[i][j]%s; }" % (start, length, source.columns, source.number,
                                                                    source.field(self.rng, "j")))

    def structs(self):
        """Accesses to whole structs"""
        rng = self.rng
        column = "[%d]" % rng.randrange(self.target.columns) if self.target.columns else ""
        whole = "@%d[%s]%s" % (self.target.number, self.mine(), column)
        field = self.target.field(rng, "m")
        same = [source for source in self.sources if source.element == self.target.element and not source.columns]
        if same and rng.random() < 0.6:
            source = rng.choice(same)
            self.lines.append("%s { %s = @%d[(m + seed) %% %s]; }" % (self.loop(), whole, source.number,
                                                                      source.count()))
        self.lines.append("%s { %s t = %s; h = h * 3 + (long)t%s; t%s = %s; %s = t; }" % (
            self.loop(), self.target.element, whole, field, field, self.value("m"), whole))

    def blocks(self):
        """upc_memput and related functions, on what one thread has"""
        rng = self.rng
        t, size = self.target, "count * sizeof(%s)" % self.target.element
        same = [source for source in self.sources if source.element == t.element and source.kind == "one thread's"]
        forms = ["MEMPUT(&@%d[first + at], buffer, %s);" % (t.number, size),
                 "MEMGET(buffer, &@%d[first + at], %s);" % (t.number, size),
                 "MEMSET(&@%d[first + at], 0, %s);" % (t.number, size),
                 "PUT_BEGIN(&@%d[first + at], buffer, %s); h += seed; END;" % (t.number, size),
                 "GET_BEGIN(buffer, &@%d[first + at], %s); h += seed; END;" % (t.number, size)]
        if same:
            source = rng.choice(same)
            least = "count = count < %d ? count : %d; " % (source.part, source.part)
            forms += [least + "MEMCPY(&@%d[first + at], &@%d[seed %% %d], %s);" % (t.number, source.number, source.part,
                                                                                   size)] * 3
        before = "buffer[m]%s = %s;" % (t.field(rng, "m"), self.value("m + seed"))
        after = "h = h * 3 + (long)buffer[m]%s;" % t.field(rng, "m")
        self.lines.append("if (step == 1) { static %s buffer[%d]; long at = seed %% n, count = n - at; for (long m = "
                          "0; m < count; m++) %s %s for (long m = 0; m < count; m++) %s }" % (t.element, t.part, before,
                                                                                              rng.choice(forms), after))

    def blocks_of_source(self):
        source = self.rng.choice([source for source in self.sources if source.kind == "one thread's"])
        get = self.rng.choice(("MEMGET(%s);", "GET_BEGIN(%s); h++; END;")) % (
            "buffer, &@%d[at], %d * sizeof(%s)" % (source.number, source.part, source.element))
        self.lines.append("{ static %s buffer[%d]; long at = seed %% (%s - %d + 1); %s "
                          "for (long m = 0; m < %d; m++) h = h * 3 + (long)buffer[m]%s; }" % (
            source.element, source.part, source.count(), source.part, get, source.part, source.field(self.rng, "m")))

    def text(self, arrays, is_shared):
        body = ""
        for line in self.lines:
            for array in arrays:
                line = line.replace("@%d[" % array.number, "%s[" % (array.name if is_shared else array.mirror))
            body += "    %s\n" % line
        return ("static unsigned long f%d(long first, long step, long seed)\n{\n    unsigned long h = 0;\n"
                "    long n = %d;\n%s    return h;\n}\n") % (
            self.number, self.target.part, body)


def additions(array, is_shared):
    """Adds to elements, so that the order of the threads does not matter"""
    name = array.name if is_shared else array.mirror
    column = "[1]" if array.columns else ""
    element = "%s[first + m]%s%s" % (name, column,
                                     {"struct item": ".v", "struct large": ".d[1]"}.get(array.element, ""))
    return ("static unsigned long add%d(long first, long step, long seed)\n{\n"
            "    for (long m = 0; m < %d; m++) %s += seed %% 3;\n    return 0;\n}\n") % (
        array.number, array.part, element)


SHARED_MACROS = {
    "ORDER(text)": "text", "MEMPUT(a, b, c)": "upc_memput(a, b, c)", "MEMGET(a, b, c)": "upc_memget(a, b, c)",
    "MEMSET(a, b, c)":
    "upc_memset(a, b, c)", "MEMCPY(a, b, c)": "upc_memcpy(a, b, c)",
    "PUT_BEGIN(a, b, c)": "upc_handle_t handle = upc_memput_nb(a, b, c)",
    "GET_BEGIN(a, b, c)": "upc_handle_t handle = upc_memget_nb(a, b, c)", "END": "upc_sync(handle)"}
PRIVATE_MACROS = {
    "ORDER(text)": "", "MEMPUT(a, b, c)": "memcpy(a, b, c)", "MEMGET(a, b, c)": "memcpy(a, b, c)",
    "MEMSET(a, b, c)": "memset(a, b, c)",
    "MEMCPY(a, b, c)": "memcpy(a, b, c)", "PUT_BEGIN(a, b, c)": "memcpy(a, b, c)",
    "GET_BEGIN(a, b, c)": "memcpy(a, b, c)", "END": "(void)0"}


def side(arrays, functions, is_shared):
    """The functions for the shared arrays, or those for the mirrors, and the tables that list them"""
    suffix = "" if is_shared else "_private"
    macros = dict(SHARED_MACROS if is_shared else PRIVATE_MACROS)
    for array in arrays:
        macros["POINTER%d" % array.number] = ("shared %s %s *" % (array.block,
                                                                  array.element)) if is_shared else array.element + " *"
    text = "".join("#define %s %s\n" % pair for pair in macros.items())
    text += "".join("#define f%d f%d%s\n" % (f.number, f.number, suffix) for f in functions) if suffix else ""
    text += "".join("#define add%d add%d%s\n" % (a.number, a.number, suffix) for a in arrays) if suffix else ""
    text += "".join(additions(array, is_shared)
                    for array in arrays) + "".join(f.text(arrays, is_shared) for f in functions)
    table = "static unsigned long (*const %s[])(long, long, long) = { %s };\n"
    text += table % ("on_shared" if is_shared else "on_private", ", ".join("f%d" % f.number for f in functions))
    text += table % ("adds" if is_shared else "adds_privately", ", ".join("add%d" % a.number for a in arrays))
    return text + "".join("#undef %s\n" % name.split("(")[0] for name in macros)


def write(seed):
    rng = random.Random(seed)
    arrays = [Array(rng, number) for number in range(ARRAYS)]
    functions = []
    for array in arrays:
        others = [other for other in arrays if other is not array]
        for _ in range(FUNCTIONS):
            functions.append(Function(rng, array, rng.sample(others, 2), len(functions)))
    text = "// seed %d\n#define SEED %d\n" % (seed, seed * 2 + 88172645463325252)
    text += "#define ROUNDS (IS_SLOW ? %d : %d)\n" % (ROUNDS["many"], ROUNDS["few"])
    text += "".join("#define %s %d\n" % pair for pair in (("ARRAYS", ARRAYS), ("FUNCTIONS", FUNCTIONS)))
    text += HEAD + "".join(array.declare() for array in arrays)
    text += "static const long parts[] = { %s };\n" % ", ".join("%d" % array.part for array in arrays)
    text += "static const char *const names[] = { %s };\n" % ", ".join('"reads beside %s"' % array.name
                                                                       for array in arrays)
    text += "static void allocate(void)\n{\n%s    upc_barrier;\n%s}\n" % (
        "".join(array.allocate() for array in arrays), "".join(array.after_barrier() for array in arrays))
    text += "static void compare(int own)\n{\n%s}\n" % "".join(array.compare() for array in arrays)
    return text + side(arrays, functions, True) + side(arrays, functions, False) + MAIN


class Comparison(comparison.Comparison):
    def compare(self, seed, directory):
        source = os.path.join(directory, "program.upc")
        with open(source, "w") as file:
            file.write(write(seed))
        rng = random.Random(seed + 1000000)
        for _ in range(1 if self.options.one_way else 3):
            threads = rng.choice([0] + self.threads)
            cc = rng.choice(self.backends)
            way = rng.choice(WAYS)
            is_slow = not self.is_smp and way.startswith(SLOW_WAYS)
            flags = way.split() + ["-DIS_SLOW=%d" % is_slow, "-w",
                                   "-fwrapv"] + (["-T", str(threads)] if threads else [])
            counts = [threads] if threads else self.some_threads(rng, 3)
            outcome = self.say_ok(cc, flags, source, os.path.join(directory, "program"), counts)
            if outcome[0] != "pass":
                return outcome
        return outcome


def main():
    purpose = "runs random accesses of all threads at once beside the same on private memory"
    options = comparison.parser(purpose).parse_args()
    Comparison("accesses", options).run()


if __name__ == "__main__":
    main()
