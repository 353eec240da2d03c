#!/usr/bin/env python3
"""Runs random upc_forall loops, optimised and not, and compares them with the same loops in C.

usage: loops.py N [SEED] [--network shmem [--far | --hosts N]]

A program has several loops over shared arrays of many layouts, and for each array a private one of the same shape.
Each loop is executed as upc_forall on the shared arrays by all threads, then as a plain for on its private arrays by
each thread; then every thread compares all elements that it owns, the loop variable, and which iterations it executed,
in which order.  A loop writes elements that no other iteration writes, and reads what no iteration writes, so the order
of the threads does not matter.

Half of the programs also have plain for loops in which one thread goes over elements of all threads.
"""

import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import comparison  # noqa: E402

MAX_THREADS = 8
LONG_ROWS = 100   # likewise, of the arrays that one thread goes through
ROWS = 7          # elements of the first dimension, times THREADS; constant limits go up to 2, offsets up to 4
ELEMENTS = ("int", "double", "short", "long", "struct item")

# Indices of the dimension in front, of two layers, and for each the index of the other layer
OTHER_LAYER = {"0": "1", "1": "0", "count % 2": "1 - count % 2", "listed[count] & 1": "~listed[count] & 1"}

HEAD = """#include <upc_relaxed.h>
#include <stdio.h>
#include <string.h>
#include <stddef.h>
struct item { char c; long v; };
static int V(int x) { return *(volatile int *)&x; }
static int failures;
static void report(const char *what, long at) { printf("thread %d: %s at %ld\\n", MYTHREAD, what, at); failures++; }
static int global_limit, global_index;
static struct { long n; int limit; } size, *sizes = &size;
static long calls;
static unsigned long seen;
static int has_affinity(long n) { return ((n % THREADS) + THREADS) % THREADS == MYTHREAD; }
static int identity(int x) { calls++; return x; }
/* how many of `wanted` elements from `first` on an array of `all` has */
static int room(int first, int wanted, int all)
{
    return first + wanted <= all ? wanted : all > first ? all - first : 0;
}
static const char text[10000];   /* for pointers, which move by less than half of it */
/* indices that are within all arrays, and within those that do not grow with THREADS */
static int listed[512], listed_few[512];
"""


class Array:
    def __init__(self, rng, number, is_plain):
        self.name = "a%d" % number
        self.mirror = "m%d" % number
        self.element = rng.choice(ELEMENTS)
        self.columns = rng.choice((0, 0, 0, 1, 3, 5)) if not is_plain else 0
        row = self.columns or 1
        self.has_layers = rng.random() < 0.25   # a dimension in front
        self.block = rng.choice(["", "", "[%d]" % row, "[%d]" % (2 * row), "[%d]" % (3 * row), "[4]",
                                 "[%d]" % (16 * row), "[16]", "[*]", "[]"])
        if self.block == "[]":
            self.rows, self.rows_text = ROWS * 4, str(ROWS * 4)
        else:
            self.rows, self.rows_text = ROWS, "%d*THREADS" % ROWS
        self.kind = rng.choice(("static", "static", "pointer",
                                "offset pointer")) if self.block != "[*]" and not self.has_layers else "static"
        # the pointer: a variable, a member of one, or a member of what a variable points to
        self.pointer = rng.choice(("p_%s", "p_%s", "v_%s.part.p", "w_%s->part.p")) % self.name
        self.linkage = rng.choice(("", "static "))   # of the pointer: no other unit can change a static one
        if is_plain:
            self.kind = "static"
        self.own_head = self.make_own_head(rng)

    def make_own_head(self, rng):
        """Goes over this thread's own units, if they are dealt out one by one"""
        kind = rng.choice(("int", "long", "unsigned", "size_t", "long long"))
        first = rng.choice(("MYTHREAD", "MYTHREAD", "THREADS + MYTHREAD", "MYTHREAD + 2 * THREADS"))
        step = rng.choice(("i += THREADS", "i += 2 * THREADS", "i = i + THREADS", "i = THREADS * 3 + i"))
        return "%s i = %s; i < %s; %s" % (kind, first, self.rows_text, step)

    def declare(self):
        columns = "[%d]" % self.columns if self.columns else ""
        size = "%d" % (self.rows * (MAX_THREADS if self.block != "[]" else 1))
        layers = "[2]" if self.has_layers else ""
        text = "shared %s %s %s%s[%s]%s;\n" % (self.block, self.element, self.name, layers, self.rows_text, columns)
        text += "static %s %s%s[%s]%s;\n" % (self.element, self.mirror, layers, size, columns)
        if self.kind == "static":
            return text
        shared = "shared %s %s " % (self.block, self.element)
        declarator = "(*%%s)%s;" % columns if columns else "*%s;"
        if self.pointer.startswith("p_"):
            return text + self.linkage + shared + declarator % self.pointer + "\n"
        return text + "%sstruct { long n; struct { %s } part; } v_%s, *w_%s = &v_%s;\n" % (
            self.linkage, shared + declarator % "p", self.name, self.name, self.name)

    def shift(self):
        return 2 if self.kind == "offset pointer" and self.block != "[]" else 0

    def start(self):
        if self.kind == "static":
            return ""
        return "    %s = %s + %d;\n" % (self.pointer, self.name, self.shift())

    def shared(self, index, column, layer):
        """The element of the shared array, and the same of the mirror"""
        columns = "[%s]" % column if self.columns else ""
        if self.has_layers:
            index = "%s][%s" % (layer, index)
        field = ".v" if self.element.startswith("struct") else ""
        if self.kind == "static":
            return "%s[%s]%s%s" % (self.name, index, columns,
                                   field), "%s[%s]%s%s" % (self.mirror, index, columns, field)
        return ("%s[%s]%s%s" % (self.pointer, index, columns, field),
                "%s[(%s) + %d]%s%s" % (self.mirror, index, self.shift(), columns, field))

    def compare(self):
        field = ".v" if self.element.startswith("struct") else ""
        column = "[j]" if self.columns else ""
        own = ""
        if not self.has_layers and self.block == ("[%d]" % self.columns if self.columns else ""):
            own = "    for (%s) for (int j = 0; j < %d; j++) if (%s[i]%s%s != %s[i]%s%s) report(\"own %s\", i);\n" % (
                self.own_head, self.columns or 1, self.name, column, field, self.mirror, column, field, self.name)
        element = ("[l]" if self.has_layers else "") + "[i]" + ("[j]" if self.columns else "")
        return own + ("    for (int l = 0; l < 2; l++) for (long i = 0; i < %s; i++) for (long j = 0; j < %d; j++) "
                "if (upc_threadof(&%s) == (size_t)MYTHREAD && %s != %s) report(\"%s\", i);\n"
                % (self.rows_text, self.columns or 1, self.name + element, self.name + element + field,
                   self.mirror + element + field, self.name))


class Loop:
    """One loop: text(True) is the UPC form, text(False) the C form on the mirrors."""

    def __init__(self, rng, arrays, number, is_plain):
        self.rng = rng
        self.is_plain = is_plain
        self.number = number
        self.type = rng.choice(("int", "int", "long", "unsigned", "size_t", "long long", "short", "unsigned short"))
        self.variable = rng.choice(("i", "i", "global_index"))
        if self.variable == "global_index":
            self.type = "int"
        self.unsigned = self.type in ("unsigned", "size_t", "unsigned short")
        self.declares = self.variable == "i" and rng.random() < 0.5
        self.factor = rng.choice((1, 1, 1, 1, 2, 3, -1)) if not self.unsigned else 1
        self.offset = rng.choice((0, 0, 0, 1, 2))
        self.step = rng.choice((1, 1, 1, 1, 2, 3, "stride", "stride"))
        self.is_down = rng.random() < 0.4
        self.first = rng.choice((0, 0, 1, 3))
        indefinite = rng.random() < 0.2
        fitting = [a for a in arrays if (a.block == "[]") == indefinite] or arrays
        self.target = rng.choice(fitting)
        # Along a row: the variable counts columns, a loop outside counts rows
        self.along_row = self.target.columns > 1 and rng.random() < 0.4
        self.sources = [rng.choice([a for a in arrays if a is not self.target]) for _ in range(rng.randrange(1, 4))]
        # The variable occurs only in the index of the element, so that blocks can be merged.
        self.is_anonymous = rng.random() < 0.25 and not self.along_row
        if self.is_anonymous:
            self.factor = self.step = 1
            self.is_down = rng.random() < 0.1
            self.sources = [a for a in self.sources if (a.block, a.columns) == (self.target.block, self.target.columns)]
        self.reads_target = rng.random() < 0.2
        flat = [a for a in arrays if a is not self.target and not a.columns and not a.has_layers and a.block != "[]"]
        self.flat = rng.choice(flat) if flat and not self.is_anonymous and rng.random() < 0.4 else None
        self.per_thread = all(a.block != "[]" for a in [self.target] + self.sources)
        # another variable that the loop steps: its type, "" for none, and whether the loop declares it
        types = ("int", "long", "unsigned", "size_t", "short", "unsigned char", "const char *")
        self.companion = rng.choice(types) if rng.random() < 0.3 else ""
        self.declares_companion = self.declares and rng.random() < 0.5 and bool(self.companion)
        self.column = "j" if self.target.columns else "0"
        if self.along_row:
            self.column = self.variable
            self.factor, self.offset, self.first = 1, 0, 0
        self.head = self.make_head()
        self.affinity = self.make_affinity(arrays)
        self.body = self.make_body()

    def limit(self):
        """A limit for the variable that keeps indices within all arrays, whether it is exclusive or inclusive."""
        rng = self.rng
        if self.along_row:
            return "%d" % (self.target.columns - 1)
        if self.factor < 0:
            return "%d*THREADS - 6" % ROWS if self.per_thread else "1"
        # the variable may reach the limit, a source may be 2 further on, its pointer 2 inside the array
        slack = 5 + self.offset
        if self.per_thread:
            plain = "%d*THREADS - %d" % (ROWS, slack)
        else:
            plain = "%d" % (ROWS - slack if ROWS - slack > 0 else 1)
        if self.factor > 1:
            return "((%s) / %d - 1)" % (plain, self.factor)
        return rng.choice((plain, "(%s) / 2" % plain, "%s - MYTHREAD * 0" % plain, "global_limit", "limit",
                           "sizes->limit", "%d" % rng.randrange(0, 3)))

    def make_head(self):
        rng = self.rng
        v = self.variable
        limit = self.limit()
        if self.unsigned:   # a negative limit would become a large one
            limit = "(%s > 0 ? %s : 0)" % (limit, limit)
        if self.is_down:
            if self.unsigned and self.step != 1:   # it must not step past 0
                self.first = 5
            starts_below = not self.unsigned and rng.random() < 0.5
            init = "%s = %s" % (v, "(%s) - 1" % limit if starts_below else limit)
            conditions = ["%s > %d" % (v, self.first), "%d < %s" % (self.first, v), "%s > low" % v]
            if not self.unsigned or self.first > 0:
                conditions += ["%s >= %d" % (v, self.first)] * 2
            condition = rng.choice(conditions)
            if starts_below and self.step == 1 and self.first == 0 and self.factor == 1 and rng.random() < 0.5:
                condition = "%s != -1" % v
            steps = {1: ["%s--", "--%s", "%s -= 1", "%s = %s - 1", "%s += -1"],
                     "stride": ["%s -= stride", "%s = %s - stride"]}
            steps = steps.get(self.step, ["%%s -= %s" % self.step, "%%s += -%s" % self.step])
        else:
            init = "%s = %d" % (v, self.first)
            conditions = ["%s < %s" % (v, limit), "%s <= %s" % (v, limit), "%s > %s" % (limit, v)]
            if self.unsigned:
                conditions = ["%s < (%s)%s" % (v, self.type, limit), "(int)%s < %s" % (v, limit)]
            elif self.first == 0 and self.step == 1:
                conditions.append("%s != (%s > 0 ? %s : 0)" % (v, limit, limit))
            condition = rng.choice(conditions)
            steps = {1: ["%s++", "++%s", "%s += 1", "%s = %s + 1"], "stride": ["%s += stride", "%s = stride + %s"]}
            steps = steps.get(self.step, ["%%s += %s" % self.step, "%%s = %s + %%s" % self.step])
        step = rng.choice(steps)
        step = step % ((v,) * step.count("%s"))
        if self.declares:
            init = "%s %s" % (self.type, init)
        if self.companion:
            init, step = self.with_companion(init, step)
        return "%s; %s; %s" % (init, condition, step)

    def with_companion(self, init, step):
        """The first and the last clause, which also start and step k"""
        rng = self.rng
        other = rng.choice(("k++", "--k", "k += 3", "k = k - 2", "k -= count", "k = stride + k"))
        step = "%s, %s" % rng.choice(((step, other), (other, step)))
        start = "k = 5" if "*" not in self.companion or self.declares_companion else "k = text + 5000"
        if self.declares_companion or not self.declares:
            init = "%s, %s" % rng.choice(((init, start), (start, init)) if not self.declares else ((init, start),))
        return init, step

    def index(self, offset):
        rng = self.rng
        v = self.variable
        if self.along_row:
            return "r"
        if self.factor < 0:
            top = ("%d*THREADS - 6" % ROWS if self.per_thread else "1") + (" + %d" % offset if offset else "")
            return rng.choice(("%s - %s" % (top, v), "-%s + %s" % (v, top)))
        if self.factor > 1:
            v = rng.choice(("%d * %s", "%d * (%s)")) % (self.factor, v)
        return rng.choice(("%s + %d" % (v, offset), "%d + %s" % (offset, v))) if offset else v

    def integer_affinity(self):
        v = self.variable
        n = self.rng.choice((1, 2, 3, 5, 7))
        return self.rng.choice((
            "%s / %d" % (v, n), "%s / %d %% THREADS" % (v, n), "%s %% THREADS" % v, "%s * THREADS / %d" % (v, 5 * n),
            "%s * THREADS / (%d * THREADS)" % (v, n), "%s / count" % v, "%s * THREADS / count" % v,
            "(%s + %d) / %d" % (v, n, n + 1),
            "%s * 3 / %d" % (v, n), "2 * %s + %d" % (v, n), "%d - %s" % (n, v), "5 - 3 * %s" % v, "%d" % n, "count",
            "%s + count" % v))

    def make_affinity(self, arrays):
        rng = self.rng
        kind = rng.randrange(9) if not self.is_plain and not (self.is_anonymous and rng.random() < 0.7) else 5
        v = self.variable
        if kind == 0:
            return self.index(self.offset)
        if kind in (1, 8) and not self.unsigned:
            return self.integer_affinity()
        if kind == 2:
            return rng.choice(("continue", "MYTHREAD", "identity(%s)" % v, "%s * 3" % v, "(%s) & 1" % v, ""))
        array = self.target if kind < 7 else rng.choice([a for a in arrays if a.block != "[]" or not self.per_thread])
        if (array.block == "[]" and self.per_thread) or self.along_row:
            array = self.target
        column = self.column if self.along_row else rng.choice(("0", "0", "%d" % (array.columns // 2)))
        element, _ = array.shared(self.index(self.offset), column, rng.choice(list(OTHER_LAYER)))
        if element.endswith(".v") and rng.random() < 0.5:
            element = element[:-2]
        if kind == 3 and not array.columns and not array.has_layers:
            name = array.name if array.kind == "static" else array.pointer
            return "%s + (%s)" % (name, self.index(self.offset))
        if kind == 4 and array.columns and not self.along_row and not array.has_layers:
            return "%s[%s]" % (array.name if array.kind == "static" else array.pointer, self.index(self.offset))
        return "&" + element

    def is_mine(self):
        """Whether an iteration belongs to this thread, by the rules of the language only"""
        if self.affinity in ("continue", ""):
            return "1"
        if self.affinity[0] in "&apvw":
            return "(int)upc_threadof(%s) == MYTHREAD" % self.affinity
        return "has_affinity((long)(%s))" % self.affinity

    def everyone(self):
        """Whether all threads execute all iterations"""
        return self.affinity in ("continue", "MYTHREAD", "")

    def make_body(self):
        rng = self.rng
        lines = []
        column = self.column
        layer = rng.choice(list(OTHER_LAYER))
        target = self.target.shared(self.index(self.offset), column, layer)
        terms = []
        sources = self.sources + [self.target] * (self.target.has_layers and rng.random() < 0.6)
        for source in sources:
            offset = rng.choice((self.offset, self.offset, self.offset, 0, 1,
                                 2)) if not self.is_anonymous else self.offset
            index = self.index(offset)
            if self.is_anonymous:
                pass
            elif rng.random() < 0.25:   # an index from memory
                index = "%s[(%s) & 511]" % ("listed" if self.per_thread else "listed_few", index)
            elif rng.random() < 0.25:   # a computed one
                bound = "%d * THREADS - 2" % ROWS if self.per_thread else "%d" % (ROWS - 2)
                index = rng.choice(("((unsigned long)(%s) * 7919 + 3) %% (%s)",
                                    "(((unsigned)(%s) >> 1) ^ 5) %% (%s)")) % (index, bound)
            elif rng.random() < 0.5:   # a neighbour in a ring
                index = self.in_ring(index)
            terms.append(source.shared(index,
                                       "%s" % (column if column == "0"
                                               else "%s %% %d" % (column, source.columns or 1)),
                                       OTHER_LAYER[layer if source is self.target else rng.choice(list(OTHER_LAYER))]))
        if self.reads_target and not self.everyone():   # the element that this iteration writes
            terms.append(target)
        expression = [" + ".join(term[side] for term in terms) or "7" for side in (0, 1)]
        value = "(short)%s %% 50" % self.variable if not self.is_anonymous else "11"
        if self.companion and not self.is_anonymous:
            value += " + (short)%s %% 9" % self.companion_value()
        operator = rng.choice(("=", "=", "+="))
        if self.everyone():
            operator = "="
        order = rng.choice(("seen", "seen", "order", "") if not self.is_plain else ("order", "", ""))
        if order:
            note = "%s = %s * 31 + (unsigned long)%s + 1;" % (order, order,
                                                              self.variable if not self.is_anonymous else "0")
            lines.append((note, "if (%s) %s" % (self.is_mine(), note)))
        if rng.random() < 0.3 and not self.is_anonymous:
            lines.append(("if (%s %% 3 == 1) continue;" % self.variable,) * 2)
        if self.flat:
            lines.append(self.flat_rows())
            value += " + flat % 50"
        statement = tuple("%s %s (%s) + %s;" % (target[side], operator, expression[side], value) for side in (0, 1))
        if self.everyone():   # all threads store the same value
            statement = tuple(s for s in statement)
        if column == "j":
            statement = tuple("for (int j = 0; j < %d; j++) { %s }" % (self.target.columns, s) for s in statement)
        lines.append(statement)
        if not self.is_plain and rng.random() < 0.2:
            lines.append(("identity(1);",) * 2)
        if not self.is_plain and rng.random() < 0.15:
            lines.append(("{ long inner = 0; upc_forall (int k = 0; k < 5; k++; k) inner++; if (%s) report(\"inner "
                          "loop\", inner); }"
                          % ("inner != 5" if not self.everyone_controls() else "0"), ";"))
        return lines

    def in_ring(self, index):
        rng = self.rng
        size = "%d" % (ROWS - 2)
        if self.per_thread:
            size = rng.choice(("%d * THREADS - 2" % ROWS, "limit", "global_limit"))
        return rng.choice((
            "({0} + 1) % ({1})", "({0} + 1) % ({1})", "({0} + ({1}) - 1) % ({1})", "({0} + ({1}) - 1) % ({1})",
            "({0} + 3 * ({1}) - 2) % ({1})", "({0} > 0 ? {0} - 1 : ({1}) - 1)", "({0} == ({1}) - 1 ? 0 : {0} + 1)",
            "(({1}) <= {0} + 1 ? 0 : {0} + 1)", "({0} ? {0} - 1 : ({1}) - 1)", "({0} - 1 & 3)", "(3 & {0} + 2)",
            "({0} < 3 ? {0} + 1 : {0})", "({0} % ({1}))")).format("(%s)" % index, size)

    def companion_value(self):
        return "(k - text)" if "*" in self.companion and not self.declares_companion else "k"

    def flat_rows(self):
        """A sum over a row of an array that is indexed as a flat one: within a block, across blocks, or empty"""
        rng = self.rng
        block = {"": 1, "[*]": ROWS}.get(self.flat.block) or int(self.flat.block[1:-1])
        row = rng.choice((block, block, 2 * block, max(block // 2, 1), 3))
        before = rng.choice((0, 0, 1, 2))   # j begins there, and the index with it taken off again
        factor = rng.choice((1, 1, 1, 2))
        after = rng.choice((0, 0, 1, row))
        count = rng.choice((row, row, row // 2, row + 2, 0)) // factor
        shown = rng.choice(("%d" % count, "V(%d)" % count))
        number = rng.choice(("{0} * fr", "fr * {0}", "(fr + 1) * {0} - {0}", "fr * width")).format(row)
        walk = "%d * fj" % factor if factor > 1 else "fj"
        index = rng.choice(("%s + %s", "%s + (%s)")) % (number, walk)
        if factor == 1 and rng.random() < 0.25:   # the variable begins with the number of the row
            before, index = number, walk
        if before in (1, 2):
            index += " - %d" % (before * factor)
        index += " + %d" % after if after else ""
        element = self.flat.shared(index, "0", "0")
        head = rng.choice(("int fj = {0}; fj < {0} + fn; fj++", "long fj = {0}; fj <= {0} + fn - 1; fj += 1",
                           "int fj = {0} + fn - 1; fj >= {0}; fj--", "size_t fj = {0}; fj < (size_t)({0} + fn); ++fj",
                           "int fj = {0}; fj < {0} + fn && fj < 9999; fj++")).format(before)
        guard = ""
        if before == number and rng.random() < 0.5:   # as many elements as a row has
            shown, head = "%d" % row, "int fj = {0}; fj < {0} + {1}; fj++".format(number, row)
            guard = "if (fn == %d) " % row
        rows = rng.choice(("int fr = (int)%s & 3;" % self.variable, "for (int fr = 0; fr < 3; fr++)"))
        text = ("{ int width = V(%d); %s { int fn = room(fr * %d + %d, %s, %d * THREADS - 2) / %d; %sfor (%s) "
                "flat += (long)%%s; } }" % (row, rows, row, after, shown, ROWS, factor, guard, head))
        return tuple("long flat = 0; " + text % side for side in element)

    def everyone_controls(self):
        return self.affinity in ("continue", "")

    def text(self, is_upc):
        body = " ".join(line[0 if is_upc else 1] for line in self.body)
        outer = "" if self.declares or self.variable == "global_index" else "        %s i;\n" % self.type
        ends = [] if self.declares else ["(long)" + self.variable]
        if self.companion and not self.declares_companion:
            outer += "        %s k = %s;\n" % (self.companion, "text + 5000" if "*" in self.companion else "5")
            ends.append("1000 * (long)" + self.companion_value())
        after = ""
        if ends:
            after = "        %s = %s;\n" % ("end_upc" if is_upc else "end_c", " + ".join(ends))
        if is_upc:
            loop = "upc_forall (%s; %s) { %s }" % (self.head, self.affinity, body)
        else:
            loop = "for (%s) { %s }" % (self.head, body)
        if self.along_row:
            rows = self.target.rows_text if self.target.block == "[]" or self.per_thread else str(ROWS)
            loop = "for (int r = 0; r < %s - 2; r++) { %s }" % (rows if self.per_thread else str(ROWS), loop)
        return "    {\n%s        %s\n%s    }\n" % (outer, loop, after)

    def function(self):
        name = "loop%d" % self.number
        text = "static void %s(int limit)\n{\n    long end_upc = 0, end_c = 0;\n" % name
        text += "    int stride = V(%d), low = %d, count = V(%d);\n" % (self.rng.randrange(1, 6), self.first,
                                                                        self.rng.randrange(1, 12))
        text += "    unsigned long seen_upc, order = 0;\n    seen = 0;\n"
        if self.rng.random() < 0.2:
            text += "    int *leak = &limit; (void)leak;\n"
        text += self.text(True) + "    seen_upc = seen + order;\n    seen = order = 0;\n    upc_barrier;\n"
        text += self.text(False)
        text += "    if (seen_upc != seen + order) report(\"iterations of %s\", (long)seen);\n" % name
        text += "    if (end_upc != end_c) report(\"loop variable of %s\", end_upc);\n" % name
        return text + "    compare();\n    upc_barrier;\n}\n"


class LongArray(Array):
    """An array with enough elements for blocks that one thread goes through"""

    BLOCKS = ("[16]", "[32]", "[48]", "[80]", "[*]", "[*]", "[6]")

    def __init__(self, rng, number, block):
        super().__init__(rng, number, True)
        self.columns = rng.choice((0, 0, 0, 0, 0, 2))
        self.has_layers = False
        self.rows, self.rows_text = LONG_ROWS, "%d*THREADS" % LONG_ROWS
        self.block = block if rng.random() < 0.85 else rng.choice(self.BLOCKS)
        self.kind = "pointer" if rng.random() < 0.1 and self.block != "[*]" else "static"
        self.pointer = "p_" + self.name
        self.own_head = self.make_own_head(rng)


class Walk:
    """A plain for loop of one thread, in a function of its own, in UPC and in C"""

    def __init__(self, rng, arrays, number):
        self.number = number
        self.variable = rng.choice(("i", "i", "i", "global_index"))
        self.type = rng.choice(("int", "int", "int", "long", "long", "size_t", "unsigned", "short"))
        if self.variable != "i":
            self.type = "int"
        self.declares = self.variable == "i" and rng.random() < 0.5
        first = rng.choice((2, 2, 3, 17))
        limit = rng.choice(("%d*THREADS", "%d*THREADS", "THREADS*%d + 2", "%d*THREADS - 1", "%d", "%d", "limit"))
        limit = limit.replace("%d", str(LONG_ROWS - 4))
        comparison = rng.choice(("<", "<", "<", "<=", "!=" if limit != "limit" else ">="))
        steps = ("%s++", "%s++", "++%s", "%s += 1", "%s += 1", "%s += 3")
        step = rng.choice(steps if comparison != "!=" else ("%s++",))
        sides = (limit, self.variable) if comparison == ">=" else (self.variable, limit)
        self.head = "%s = %d; %s %s %s; %s" % (self.variable, first, sides[0], comparison, sides[1],
                                               step % self.variable)
        self.ends_by_equality = comparison == "!="
        self.body = self.make_body(rng, arrays)

    def element(self, rng, array, offset):
        index = "%s%+d" % (self.variable, offset) if offset else self.variable
        return array.shared(index, "k & 1", "0")

    def make_body(self, rng, arrays):
        lines = [("if (%s %% 7 == 3) continue;" % self.variable,) * 2] if rng.random() < 0.2 else []
        target = rng.choice(arrays)
        written = self.element(rng, target, rng.choice((0, 0, 1, -1)))
        like = [a for a in arrays if a.block == target.block]
        reads = [self.element(rng, rng.choice(like if rng.random() < 0.8 else arrays), rng.choice((0, 0, 0, 1, -1, -2)))
                 for _ in range(rng.randrange(3))]
        value = [" + ".join(read[side] for read in reads) or "3" for side in (0, 1)]
        form = rng.choice(("%s = (long)(%s) %% 1000 + (short)" + self.variable, "%s = (long)(%s) %% 1000",
                           "%s += ((long)(%s) & 15) + k", "sum += (long)%s + (long)(%s)",
                           "if (%s > 500) sum += (long)(%s)"))
        lines.append(tuple(form % (written[side], value[side]) + ";" for side in (0, 1)))
        leave = "if (%s == %d) %s;" % (self.variable, rng.choice((LONG_ROWS // 2, LONG_ROWS + 20)),
                                       rng.choice(("break", "return %s - sum" % self.variable)))
        change = rng.choice(("%s += %d;" % (self.variable, 0 if self.ends_by_equality else 2),
                             "if (k == 3) { int *p = &k; *p = 5; }", "sum += identity(1) - 1;", "upc_fence;",
                             "for (int j = 0; j < 2; j++) sum++;"))
        if rng.random() < 0.15:
            lines.append((leave,) * 2)
        if rng.random() < 0.15:
            lines.append((change, change.replace("upc_fence", "")))
        return lines

    def function(self):
        texts = []
        for side, name in enumerate(("upc", "c")):
            body = " ".join(line[side] for line in self.body)
            outer = "" if self.declares or self.variable == "global_index" else "    %s i;\n" % self.type
            loop = "for (%s%s) { %s }" % (self.type + " " if self.declares else "", self.head, body)
            texts.append("static long walk%d_%s(int limit, int k)\n{\n    long sum = 0;\n%s    %s\n"
                         "    return sum * 1000 + %s;\n}\n"
                         % (self.number, name, outer, loop, "k" if self.declares else self.variable))
        return "".join(texts)

    def call(self, rng):
        arguments = "%d, %d" % (rng.choice((0, LONG_ROWS - 4)), rng.randrange(4))
        one = rng.choice(("if (MYTHREAD == V(%d) %% THREADS)", "upc_forall (int t = 0; t < 1; t++; V(%d))"))
        return ("    end_of_walk = walk{0}_c({1});\n    upc_barrier;\n"
                "    {2} if (walk{0}_upc({1}) != end_of_walk) report(\"walk{0}\", end_of_walk);\n"
                "    upc_barrier;\n    compare_long();\n    upc_barrier;\n").format(self.number, arguments,
                                                                                one % rng.randrange(8))


def write_walks(rng):
    """Declarations with functions, and what main does"""
    block = rng.choice(LongArray.BLOCKS)
    arrays = [LongArray(rng, number, block) for number in range(10, 14)]
    walks = [Walk(rng, arrays, number) for number in range(4)]
    text = "static long end_of_walk;\n" + "".join(array.declare() for array in arrays)
    text += "static void compare_long(void)\n{\n%s}\n" % "".join(array.compare() for array in arrays)
    text += "".join(walk.function() for walk in walks)
    return text, "".join(array.start() for array in arrays) + "".join(walk.call(rng) for walk in walks)


def write(seed):
    rng = random.Random(seed)
    # what the back end can vectorise: named arrays, bodies without calls that observe their order
    is_plain = rng.random() < 0.4
    arrays = [Array(rng, number, is_plain) for number in range(5)]
    loops = [Loop(rng, arrays, number, is_plain) for number in range(6)]
    text = HEAD + "".join(array.declare() for array in arrays)
    text += "static void compare(void)\n{\n%s}\n" % "".join(array.compare() for array in arrays)
    text += "".join(loop.function() for loop in loops)
    functions, calls = write_walks(rng) if rng.random() < 0.5 else ("", "")
    text += functions + "int main(void)\n{\n" + "".join(array.start() for array in arrays)
    text += "    global_limit = %d * THREADS - 6;\n" % ROWS if all(a.block != "[]"
                                                                   for a in arrays) else "    global_limit = 2;\n"
    text += "    size.limit = global_limit;\n"
    text += ("    for (int i = 0; i < 512; i++) { listed[i] = i * 37 %% (%d * THREADS - 2); "
             "listed_few[i] = i * 37 %% %d; }\n") % (ROWS, ROWS - 2)
    for loop in loops:
        limit = "%d * THREADS - 6" % ROWS if loop.per_thread else "2"
        if rng.random() < 0.15:   # called within a controlling upc_forall, so all iterations run on one thread
            text += "    upc_forall (int t = 0; t < THREADS; t++; t) if (0) loop%d(1);\n" % loop.number
        text += "    loop%d(%s);\n" % (loop.number, limit)
    return text + calls + "    printf(\"%s\", failures ? \"\" : \"ok\\n\");\n    return failures != 0;\n}\n"


def main():
    options = comparison.parser("runs random upc_forall loops beside the same loops in C").parse_args()
    comparison.LoopComparison("loops", options, write).run()


if __name__ == "__main__":
    main()
