#!/usr/bin/env python3
"""Runs random loops with integers of many types, optimised and not, and compares them with the same loops in C.

usage: conversions.py N [SEED]

The variable, the limit, the step, the affinity and the indices have types of 8 to 64 bits, with and without a sign,
start below 0, and are converted on the way, often implicitly.  Each loop runs as upc_forall, or as a for loop that goes
over shared elements, and as a for loop over private ones that tests the affinity as UPC defines it.  What C leaves
undefined in an expression is found by evaluating it here for all iterations and numbers of threads.
"""

import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import comparison  # noqa: E402

SIZE = 64        # elements of the arrays, and of their rows times the number of rows
ROW = 8
MOST = 150       # iterations of a loop
TYPES = {"signed char": (8, False), "unsigned char": (8, True), "short": (16, False), "unsigned short": (16, True),
         "int": (32, False), "unsigned": (32, True), "long": (64, False), "unsigned long": (64, True)}
INT, UNSIGNED, LONG, ULONG = TYPES["int"], TYPES["unsigned"], TYPES["long"], TYPES["unsigned long"]
# What the loops find: name, type, value
GIVEN = (("minus", "int", -3), ("five", "unsigned", 5), ("lower", "long", -7), ("eleven", "unsigned long", 11),
         ("two", "short", -2), ("octet", "unsigned char", 200), ("large", "unsigned", 2**32 - 6),
         ("huge", "unsigned long", 2**64 - 4))
NAMED = (("LEAST", -2**31), ("FEW", -4), ("SIX", 6))   # enumerators

HEAD = """#include <upc_relaxed.h>
#include <stdio.h>
enum { LEAST = 1 << 31, FEW = -4, SIX = 6 };
static int failures;
static void report(int loop, unsigned long got, unsigned long wanted)
{
    printf("thread %d of %d: loop%d: %lx instead of %lx\\n", MYTHREAD, THREADS, loop, got, wanted);
    failures++;
}
#define OWNS(n) (((n) % THREADS + THREADS) % THREADS == MYTHREAD)
shared int cyclic[64 * THREADS];
shared [4] int blocked[64 * THREADS];
shared [8] int rows[8 * THREADS][8];
shared [] int alone[64];
static int m_cyclic[64 * 8], m_blocked[64 * 8], m_rows[8 * 8][8], m_alone[64];
"""


class Undefined(Exception):
    pass


def converted(value, kind):
    bits, is_unsigned = kind
    value &= (1 << bits) - 1
    return value if is_unsigned or value < 1 << (bits - 1) else value - (1 << bits)


def in_range(value, kind):
    """The result of an operator: what overflows a signed type is undefined."""
    if not kind[1] and converted(value, kind) != value:
        raise Undefined
    return converted(value, kind)


def promoted(kind):
    return kind if kind[0] >= 32 else INT


def common(a, b):
    a, b = promoted(a), promoted(b)
    return (max(a[0], b[0]), (a[1] and a[0] >= b[0]) or (b[1] and b[0] >= a[0]))


def divided(a, b):
    if b == 0:
        raise Undefined
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def shifted(a, b):
    if a < 0 or not 0 <= b < 31:
        raise Undefined
    return a << b


OPERATORS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": divided,
             "%": lambda a, b: a - b * divided(a, b), "&": lambda a, b: a & b, "^": lambda a, b: a ^ b,
             "|": lambda a, b: a | b}


class Value:
    """An expression: its text, its type, and a function from the values of names to its value"""

    def __init__(self, text, kind, of):
        self.text, self.kind, self.of = text, kind, of

    def cast(self, name):
        kind = TYPES[name]
        return Value("(%s)%s" % (name, self.text), kind, lambda names: converted(self.of(names), kind))

    def minus(self):
        kind = promoted(self.kind)
        return Value("(-%s)" % self.text, kind, lambda names: in_range(-self.of(names), kind))

    def combined(self, op, other):
        kind = common(self.kind, other.kind)
        return Value("(%s %s %s)" % (self.text, op, other.text), kind, lambda names: in_range(
            OPERATORS[op](converted(self.of(names), kind), converted(other.of(names), kind)), kind))

    def shifted(self, count):
        kind = promoted(self.kind)
        return Value("(%s << %d)" % (self.text, count), kind,
                     lambda names: in_range(shifted(self.of(names), count), kind))


def number(rng, values):
    value = rng.choice(values)
    suffix, kind = rng.choice((("", INT), ("", INT), ("u", UNSIGNED), ("l", LONG), ("ul", ULONG)))
    if value >= 2**31 and kind == INT:
        kind = LONG
    if value >= 2**32 and kind == UNSIGNED:
        kind = ULONG
    return Value("%d%s" % (value, suffix), kind, lambda names: value)


def name(text, kind):
    return Value(text, kind, lambda names: names[text])


class Expressions:
    def __init__(self, rng, variable, kind):
        self.rng, self.variable = rng, name(variable, kind)

    def fixed(self):
        """Something that does not change in the loop"""
        rng = self.rng
        choice = rng.random()
        if choice < 0.6:
            return number(rng, (0, 1, 1, 2, 2, 3, 4, 5, 8, 12, 40, 64, 256, 2**31, 2**32 - 1))
        if choice < 0.7:
            text, value = rng.choice(NAMED)
            return Value(text, INT, lambda names: value)
        if choice < 0.8:
            return name("THREADS", INT)
        text, kind, _ = rng.choice(GIVEN)
        return name(text, TYPES[kind])

    def any(self, depth):
        rng = self.rng
        if depth == 0:
            return self.variable if rng.random() < 0.7 else self.fixed()
        choice = rng.random()
        if choice < 0.12:
            return self.variable
        if choice < 0.3:
            return self.any(depth - 1).cast(rng.choice(list(TYPES)))
        if choice < 0.35:
            return self.any(depth - 1).minus()
        if choice < 0.4:
            return self.any(depth - 1).shifted(rng.randrange(3))
        op = rng.choice("++++---****//%%%&^|")
        a, b = self.any(depth - 1), self.fixed() if rng.random() < 0.8 else self.any(depth - 1)
        if op in "+*&^|" and rng.random() < 0.3:
            a, b = b, a
        return a.combined(op, b)

    def simple(self):
        """One or two operators that loops often have in their affinity"""
        rng = self.rng
        e = self.variable
        for op in rng.choice(("+", "-", "*", "*", "/", "%", "*+", "*/", "+/", "%%", "/%", "*%")):
            other = number(rng, (0, 1, 2, 3, 5, 8, 9, 12, 24, 84, 10**9, 2**30)) if rng.random() < 0.8 else self.fixed()
            if rng.random() < 0.2:
                e = e.cast(rng.choice(list(TYPES)))
            e = other.combined(op, e) if op in "+*-" and rng.random() < 0.3 else e.combined(op, other)
        return e

    def index(self, depth):
        """An expression that is likely to be a small number that is not negative"""
        rng = self.rng
        e = self.any(depth)
        choice = rng.random()
        if choice < 0.3:
            return e
        if choice < 0.6:
            return e.combined("+", number(rng, (1, 3, 40, 45)))
        return e.combined(*rng.choice((("&", number(rng, (7, 31, 63))), ("%", number(rng, (5, 8, 40, 64))))))


class Loop:
    """A loop; `runs` are the values of its variable for each number of threads"""

    def __init__(self, rng, place):
        self.rng, self.place = rng, place
        self.type = rng.choice(list(TYPES))
        self.kind = TYPES[self.type]
        self.expressions = Expressions(rng, "i", self.kind)
        self.declares = rng.random() < 0.7
        while not self.make_head():
            pass
        self.body = " ".join(self.make_access() for _ in range(rng.randrange(4)))
        self.is_ordered = rng.random() < 0.7
        self.affinity, self.owns = self.make_affinity()

    def names(self, threads):
        names = {text: value for text, _, value in GIVEN}
        names["THREADS"] = threads
        return names

    def make_head(self):
        rng = self.rng
        variable = self.expressions.variable
        start = number(rng, (0, 0, 1, 3, 7, 40, 200, 250, 65500, 2**32 - 20))
        if rng.random() < 0.5:
            start = start.minus()
        if rng.random() < 0.2:
            start = rng.choice((start.cast(rng.choice(list(TYPES))), name(*rng.choice(
                [(text, TYPES[kind]) for text, kind, _ in GIVEN]))))
        limit = number(rng, (0, 1, 20, 40, 60, 2**32 - 10, 3 * 10**10))
        choice = rng.random()
        if choice < 0.2:
            limit = limit.minus()
        elif choice < 0.4:
            limit = limit.combined(rng.choice("+-*"), self.expressions.fixed())
        if rng.random() < 0.2:
            limit = limit.cast(rng.choice(list(TYPES)))
        relation = rng.choice(("<", "<", "<=", ">", ">=", "!="))
        by = number(rng, (1, 1, 1, 2, 3, 10**9, 2**30 - 1))
        if rng.random() < 0.15:
            by = by.minus()
        op = rng.choice("+-") if relation == "!=" else "+" if relation[0] == "<" else "-"
        step = "i %s= %s" % (op, by.text)
        if by.text == "1":
            step = rng.choice(("i%s%s" % (op, op), step))
        self.head = "i = %s; i %s %s; %s" % (start.text, relation, limit.text, step)
        try:
            self.runs = {threads: self.count(start, relation, limit, variable.combined(op, by), self.names(threads))
                         for threads in comparison.THREADS}
        except Undefined:
            return False
        return min(map(len, self.runs.values())) > 3 or rng.random() < 0.05

    def count(self, start, relation, limit, following, names):
        values = []
        names["i"] = converted(start.of(names), self.kind)
        kind = common(self.kind, limit.kind)
        end = converted(limit.of(names), kind)
        holds = {"<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "!=": int.__ne__}[relation]
        while holds(converted(names["i"], kind), end):
            values.append(names["i"])
            names["i"] = converted(following.of(names), self.kind)
            if len(values) > MOST:
                raise Undefined
        return values

    def fits(self, e, first=None, last=None):
        """Whether an expression is defined in all iterations, and within these limits"""
        try:
            for threads, values in self.runs.items():
                names = self.names(threads)
                for names["i"] in values:
                    value = e.of(names)
                    if first is not None and not first <= value < last:
                        return False
        except Undefined:
            return False
        return True

    def found(self, make, *limits):
        for _ in range(60):
            e = make()
            if self.fits(e, *limits):
                return e.text
        return "0"

    def make_index(self, size):
        return self.found(lambda: self.expressions.index(self.rng.choice((0, 1, 1, 2))), 0, size)

    def make_element(self):
        array = self.rng.choice(("cyclic", "blocked", "rows", "alone"))
        if array == "rows":
            return "rows[%s][%s]" % (self.make_index(SIZE // ROW), self.make_index(ROW))
        return "%s[%s]" % (array, self.make_index(SIZE))

    def make_access(self):
        return "sum += %s * %dul;" % (self.make_element(), self.rng.randrange(1, 9))

    def make_affinity(self):
        if self.rng.random() < 0.3:
            element = self.make_element()
            return "&" + element, "upc_threadof(&%s) == (size_t)MYTHREAD" % element
        simple = self.rng.random() < 0.6
        e = self.found(lambda: self.expressions.simple() if simple else self.expressions.any(self.rng.randrange(4)))
        return e, "OWNS(%s)" % e

    def text(self, is_upc):
        body = self.body
        if not is_upc:
            for array in ("cyclic", "blocked", "rows", "alone"):
                body = body.replace("%s[" % array, "m_%s[" % array)
        body = "sum = sum * %s + (unsigned long)i + 1; %s" % ("31" if self.is_ordered else "1", body)
        head = "%s%s" % (self.type + " " if self.declares else "", self.head)
        if self.is_forall() and is_upc:
            loop = "upc_forall (%s; %s) { %s }" % (head, self.affinity, body)
        elif self.is_forall():
            loop = "for (%s) if (%s) { %s }" % (head, self.owns, body)
        else:
            loop = "for (%s) { %s }" % (head, body)
        declared = "" if self.declares else "%s i; " % self.type
        after = "" if self.declares else " sum = sum * 31 + (unsigned long)i;"
        return "    { %sunsigned long sum = 0; %s%s %s = sum; }\n" % (declared, loop, after,
                                                                     "got" if is_upc else "wanted")

    def is_forall(self):
        return self.place % 4 != 0

    def function(self):
        parameters = ", ".join("%s %s" % (kind, text) for text, kind, _ in GIVEN)
        return ("static void loop%d(%s)\n{\n    unsigned long got = 0, wanted = 0;\n%s%s"
                "    if (got != wanted) report(%d, got, wanted);\n}\n"
                % (self.place, parameters, self.text(True), self.text(False), self.place))


def write(seed):
    rng = random.Random(seed)
    loops = [Loop(rng, number) for number in range(40)]
    text = HEAD + "".join("static volatile %s given_%s = %s;\n" % (
        kind, text, "%dul" % value if value >= 2**63 else value) for text, kind, value in GIVEN)
    text += "".join(loop.function() for loop in loops)
    text += """int main(void)
{
    for (int i = 0; i < 64; i++) {
        m_cyclic[i] = i * 7 + 1;
        m_blocked[i] = i * 11 + 2;
        m_rows[i / 8][i % 8] = i * 13 + 3;
        m_alone[i] = i * 17 + 4;
        if (MYTHREAD == 0) {
            cyclic[i] = m_cyclic[i];
            blocked[i] = m_blocked[i];
            rows[i / 8][i % 8] = m_rows[i / 8][i % 8];
            alone[i] = m_alone[i];
        }
    }
    upc_barrier;
"""
    arguments = ", ".join("given_" + text for text, _, _ in GIVEN)
    text += "".join("    loop%d(%s);\n" % (loop.place, arguments) for loop in loops)
    return text + "    printf(\"%s\", failures ? \"\" : \"ok\\n\");\n    return failures != 0;\n}\n"


def main():
    options = comparison.parser("runs random loops with integers of many types beside the same loops in C").parse_args()
    comparison.LoopComparison("conversions", options, write).run()


if __name__ == "__main__":
    main()
