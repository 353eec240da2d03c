#!/usr/bin/env python3
"""Generates a large plain C program, compiles it with gcc and with upcc, and compares the outputs.

usage: biglib.py [--lines N] [--units N] [--seed N]

The program has at least N lines (100,000) in several translation units with one header.  It includes the common headers
of glibc and uses what real C libraries use: bit-fields, unions, anonymous members, packed and aligned structs, function
pointers, variable arguments, designated initialisers, compound literals, flexible and variable length arrays, switches
with ranges, goto and computed goto, statement expressions, typeof, _Generic, complex numbers, atomics, vectors, inline
assembly, old-style functions, X-macros, long expressions and strings.  The generator is deterministic.  Every function
returns a number; main prints one checksum for each 100 of them.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import harness  # noqa: E402

HEADERS = """assert complex ctype errno fcntl float inttypes limits locale math pthread setjmp signal stdarg stdatomic
stdbool stddef stdint stdio stdlib string strings sys/mman sys/socket sys/stat sys/time sys/types sys/wait time unistd
wchar""".split()

HEADER_TEXT = r"""
#if defined __x86_64__
#include <immintrin.h>
#endif

/* names that are keywords of UPC only with other letters, and words that UPC programs use */
enum barrier { barrier_notify, barrier_wait, forall };
typedef uint64_t word;

struct shape {
    unsigned kind : 3, colour : 5;
    signed depth : 9;
    union {
        struct { int16_t low, high; };
        int32_t both;
        unsigned char bytes[4];
    };
    word (*measure)(const struct shape *, word);
    struct shape *next;
};
struct packed { char tag; uint32_t value; uint16_t more; } __attribute__((packed));
struct __attribute__((aligned(32))) aligned { double d[2]; char c; };
struct text { size_t length; char bytes[]; };
typedef int vector __attribute__((vector_size(16)));

#define ROTATE(x, n) (((word)(x) << ((n) & 63)) | ((word)(x) >> (-(n) & 63)))
#define MIX(a, b) (ROTATE((word)(a) * UINT64_C(0x9e3779b97f4a7c15), 29) ^ ((word)(b) + UINT64_C(0x632be59bd9b4e019)))
#define LARGER(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })
#define KIND(x) _Generic((x), int: 1, unsigned: 2, long: 3, word: 4, double: 5, char *: 6, default: 7)
#define LIST(X) X(alpha, 1) X(beta, 2) X(gamma, 3) X(delta, 4) X(epsilon, 5)
#define ENUMERATOR(name, value) list_##name = value,
enum list { LIST(ENUMERATOR) };
#define COUNTED(name, value) +1
enum { LIST_LENGTH = 0 LIST(COUNTED) };

extern word counters[64];
word sum_of(int count, ...);

static inline word measure_both(const struct shape *s, word w) { return MIX(s->both, w); }
static inline word measure_sum(const struct shape *s, word w) { return MIX(s->low + s->high, w + (word)s->depth); }
"""

SUPPORT_TEXT = r"""
word counters[64];

word sum_of(int count, ...)
{
    va_list list;
    word sum = 0;
    va_start(list, count);
    while (count-- > 0)
        sum = MIX(sum, va_arg(list, word));
    va_end(list);
    return sum;
}
"""


class Generator:
    """Writes functions; expression() and statement() choose at random, depending on the seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []

    def emit(self, depth, *lines):
        for line in lines:
            self.lines.append("    " * depth + line)

    def pick(self, *choices):
        return self.random.choice(choices)

    def number(self):
        return self.pick("%d" % self.random.randint(0, 9), "0x%xu" % self.random.getrandbits(31),
                         "UINT64_C(0x%x)" % self.random.getrandbits(63), "%dL" % self.random.randint(10, 10**6),
                         "'%s'" % self.random.choice("abcxyz"), "%du" % self.random.getrandbits(16),
                         "0%o" % self.random.getrandbits(9))

    def expression(self, names, depth):
        """An expression of type word (which is unsigned, so that nothing overflows)."""
        if depth <= 0 or self.random.random() < 0.12:
            return self.pick(self.random.choice(names), "(word)" + self.number(), "(word)sizeof(struct shape)")
        def sub():
            return self.expression(names, depth - 1)
        form = self.random.randrange(14)
        if form < 5:
            return "(%s %s %s)" % (sub(), self.pick("+", "-", "*", "^", "&", "|"), sub())
        if form == 5:
            return "(%s >> (%s & 31))" % (sub(), sub())
        if form == 6:
            return "(%s / (%s | 1))" % (sub(), sub())
        if form == 7:
            return "(%s %s %s ? %s : %s)" % (sub(), self.pick("<", ">", "<=", "==", "!="), sub(), sub(), sub())
        if form == 8:
            return "MIX(%s, %s)" % (sub(), sub())
        if form == 9:
            return "(word)(uint%d_t)(%s)" % (self.pick(8, 16, 32), sub())
        if form == 10:
            return "LARGER(%s, %s)" % (sub(), sub())
        if form == 11:
            return "(word)%s%s" % (self.pick("!", "!!", "~", "-"), sub())
        if form == 12:
            return "(word)((%s) && (%s) || (%s))" % (sub(), sub(), sub())
        return "__builtin_popcountll(%s)" % sub() if self.random.random() < 0.5 else "((void)%s, %s)" % (sub(), sub())

    def statement(self, names, depth, nesting):
        expr = lambda: self.expression(names, self.random.randint(1, 3))  # noqa: E731
        target = self.random.choice(names)
        form = self.random.randrange(9)
        if nesting <= 0 or form < 3:
            self.emit(depth, "%s %s %s;" % (target, self.pick("=", "+=", "^=", "-=", "*=", "|="), expr()))
        elif form == 3:
            self.emit(depth, "if (%s) {" % expr())
            self.statement(names, depth + 1, nesting - 1)
            self.emit(depth, "} else if (%s)" % expr())
            self.statement(names, depth + 1, 0)
            self.emit(depth, "else")
            self.statement(names, depth + 1, 0)
        elif form == 4:
            variable = "i%d" % nesting
            self.emit(depth, "for (unsigned %s = 0; %s < %du; %s++) {" % (variable, variable, self.random.randint(1, 4),
                                                                          variable))
            if self.random.random() < 0.3:
                self.emit(depth + 1, "if (%s == 2) %s;" % (variable, self.pick("break", "continue")))
            self.statement(names, depth + 1, nesting - 1)
            self.emit(depth, "}")
        elif form == 5:
            self.emit(depth, "switch (%s & 7) {" % expr(), "case 0:")
            self.statement(names, depth + 1, 0)
            self.emit(depth + 1, self.pick("break;", "/* fall through */"))
            self.emit(depth, "case 1 ... 3:")
            self.statement(names, depth + 1, nesting - 1)
            self.emit(depth + 1, "break;")
            self.emit(depth, "default:")
            self.statement(names, depth + 1, 0)
            self.emit(depth, "}")
        elif form == 6:
            inner = "v%d" % self.random.randrange(10**6)
            self.emit(depth, "{", "    word %s = %s;" % (inner, expr()))
            self.statement(names + [inner], depth + 1, nesting - 1)
            self.emit(depth, "    %s ^= %s;" % (target, inner), "}")
        elif form == 7:
            variable = "n%d" % nesting
            self.emit(depth, "{", "    int %s = %d;" % (variable, self.random.randint(1, 3)), "    do {")
            self.statement(names, depth + 2, nesting - 1)
            self.emit(depth, "    } while (--%s > 0);" % variable, "}")
        else:
            self.emit(depth, "%s = ({ word inside = %s; inside + %s; });" % (target, expr(), target))

    # Each of these writes statements on the words a, b and r.
    def use_shape(self, n):
        self.emit(1, "struct shape s%d = {.kind = %d, .colour = (unsigned)(a & 31), .depth = %d, .both = (int32_t)b, "
                     ".measure = %s};"
                  % (n, self.random.randrange(8), self.random.randint(-200, 200),
                     self.pick("measure_both", "measure_sum")),
                  "struct shape *p%d = &(struct shape){.kind = 1, .low = 3, .next = &s%d, .measure = measure_sum};" %
                  (n, n),
                  "p%d->next->colour += 3, s%d.kind++;" % (n, n),
                  "r = MIX(r, p%d->next->measure(p%d->next, a) + (*p%d).measure(p%d, s%d.kind + s%d.colour));" %
                  ((n,) * 6),
                  "r ^= s%d.bytes[%d] + (word)sizeof s%d.bytes;" % (n, self.random.randrange(4), n))

    def use_packed(self, n):
        self.emit(1, "struct packed q%d[2] = {[1] = {'t', (uint32_t)a, .more = (uint16_t)b}};" % n,
                  "r += q%d[1].value + q%d[1].more * sizeof q%d + offsetof(struct packed, more) + _Alignof(struct "
                  "aligned);" % (n, n, n))

    def use_arrays(self, n):
        size = self.random.randint(2, 9)
        self.emit(1, "static const word table%d[][%d] = {{%s}, {[%d] = %s}, {0}};"
                  % (n, size, ", ".join(self.number() for _ in range(size)), self.random.randrange(size),
                     self.number()),
                  "word vla%d[(a & 7) + 1];" % n,
                  "for (size_t i = 0; i < sizeof vla%d / sizeof *vla%d; i++)" % (n, n),
                  "    vla%d[i] = table%d[i %% 3][i %% %d] + i;" % (n, n, size),
                  "for (word *w = vla%d; w < vla%d + (a & 7) + 1; ++w)" % (n, n),
                  "    r = MIX(*w, r);")

    def use_strings(self, n):
        words = " ".join(self.pick("shared", "strict", "relaxed", "upc_forall", "THREADS", "\\\"", "\\x41", "%%d",
                                   "??") for _ in range(6))
        self.emit(1, 'const char *text%d = "%s" "\\t" /* shared [3] int */ "end"; // upc_barrier' % (n, words),
                  "char copy%d[128];" % n,
                  'snprintf(copy%d, sizeof copy%d, "%%s %%%sx %%.3f %%c", text%d, (%s)(a %% 1000), (double)(b %% 100) '
                  '/ 8, (int)(\'a\' + a %% 26));'
                  % (n, n, self.pick("l", "ll", ""), n, "PLACE"),
                  "for (const char *c = copy%d; *c != '\\0'; c++)" % n, "    r = r * 31 + (unsigned char)*c;")
        width = self.lines[-3]
        self.lines[-3] = width.replace("PLACE", "unsigned long long" if "%llx" in width else "unsigned long"
                                       if "%lx" in width else "unsigned")

    def use_floats(self, n):
        self.emit(1, "double _Complex z%d = (double)(a %% 10) + (double)(b %% 7) * I;" % n,
                  "z%d *= z%d;" % (n, n),
                  "r += (word)(int64_t)creal(z%d) * 3 + (word)(int64_t)cimag(z%d) + (word)KIND(cabs(z%d));" % (n, n, n),
                  "r += (word)fabs(floor((double)(a % 1000) / 7.0)) + (word)lrint(sqrt((double)(b % 10000))) + "
                  "(word)KIND(1u) + (word)KIND(r);")

    def use_goto(self, n):
        self.emit(1, "int turns%d = %d;" % (n, self.random.randint(1, 5)), "again%d:" % n, "r = MIX(r, turns%d);" % n,
                  "if (--turns%d > 0)" % n, "    goto again%d;" % n,
                  "static const void *const labels%d[] = {&&even%d, &&odd%d};" % (n, n, n),
                  "goto *labels%d[r & 1];" % n, "even%d:" % n, "r += 2;", "odd%d:" % n, "r ^= %s;" % self.number())

    def use_machine(self, n):
        self.emit(1, "vector v%d = {(int)a, 2, 3, (int)b}, w%d = v%d + (vector){1, 2, 3, 4};" % (n, n, n),
                  "r += (word)(unsigned)w%d[%d] + (word)(unsigned)(v%d ^ w%d)[1];" % (n, self.random.randrange(4), n,
                                                                                      n),
                  "_Atomic word atom%d = a;" % n,
                  "atomic_fetch_add(&atom%d, b);" % n,
                  "r ^= atomic_load(&atom%d);" % n,
                  "__asm__ volatile(\"\" : \"+r\"(r) : \"r\"(a) : \"memory\");",
                  "__int128 wide%d = (__int128)a * (int64_t)(b & 0xffff);" % n,
                  "r += (word)(wide%d >> 64) ^ (word)wide%d;" % (n, n))

    def use_calls(self, n):
        self.emit(1, "r += sum_of(%d, (word)1, a, b, r);" % self.random.randint(1, 4),
                  "word (*call%d)(word, word) = %s;" % (n, self.pick("helper", "old_style")),
                  "r = MIX(call%d(a, r), (*call%d)(r, b));" % (n, n),
                  "counters[r & 63]++;",
                  "r += counters[a & 63] + (word)list_%s + LIST_LENGTH;" % self.pick("alpha", "beta", "gamma"))

    def use_memory(self, n):
        self.emit(1, "struct text *t%d = malloc(sizeof *t%d + 16);" % (n, n),
                  "t%d->length = a %% 16;" % n,
                  "memset(t%d->bytes, (int)(b & 127), 16);" % n,
                  "r += t%d->length * (word)t%d->bytes[t%d->length %% 16];" % (n, n, n),
                  "free(t%d);" % n)

    def function(self, number):
        pieces = [self.use_shape, self.use_packed, self.use_arrays, self.use_strings, self.use_floats, self.use_goto,
                  self.use_machine, self.use_calls, self.use_memory]
        self.emit(0, "", "/* function %d: shared, strict and relaxed are just words here */" % number)
        if self.random.random() < 0.3:
            self.emit(0, "static word local_table_%d[4] = {%s};" % (number, ", ".join(self.number() for _ in range(3))))
        self.emit(0, self.pick("", "__attribute__((noinline)) ", "extern ") +
                  "word function_%d(word a, word b)" % number, "{",
                  "    word r = a ^ b, c = %s;" % self.number())
        for index, piece in enumerate(self.random.sample(pieces, 3)):
            piece(index)
        for _ in range(self.random.randint(6, 14)):
            self.statement(["a", "b", "c", "r"], 1, 3)
        self.emit(1, "return MIX(r, c) ^ a ^ b;")
        self.emit(0, "}")

    def unit(self, numbers):
        self.lines = ['#include "biglib.h"', "", "static word helper(word a, word b)", "{", "    return MIX(a, b);",
                      "}", "",
                      "static word old_style(a, b)", "    word a, b;", "{", "    return ROTATE(a + b, 5);", "}"]
        for number in numbers:
            self.function(number)
        self.emit(0, "", "static word (*const all[])(word, word) = {")
        for number in numbers:
            self.emit(1, "function_%d," % number)
        self.emit(0, "};", "", "void run_unit_%d(void)" % numbers[0], "{",
                  "    word sum = (word)(helper != old_style);",
                  "    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {",
                  "        sum = MIX(sum, all[i](i, sum));",
                  "        if (i % 100 == 99)", '            printf("%d: %%016" PRIx64 "\\n", sum);' % numbers[0],
                  "    }",
                  '    printf("%d: %%016" PRIx64 "\\n", sum);' % numbers[0], "}")
        return "\n".join(self.lines) + "\n"


def generate(directory, lines, units, seed):
    """Writes the program; returns its source files and the number of lines."""
    with open(os.path.join(directory, "biglib.h"), "w") as file:
        file.write("#pragma once\n#define _GNU_SOURCE 1\n" + "".join("#include <%s.h>\n" % name for name in HEADERS) +
                   HEADER_TEXT)
    sources, written, first = [], 0, 0
    generator = Generator(seed)
    starts = []
    while written < lines:
        probe = 40
        text = None
        while text is None or text.count("\n") < lines // units:
            state = generator.random.getstate()
            text = generator.unit(list(range(first, first + probe)))
            if text.count("\n") < lines // units:
                generator.random.setstate(state)
                probe += 40
        path = os.path.join(directory, "unit%d.c" % len(sources))
        with open(path, "w") as file:
            file.write(text)
        sources.append(path)
        starts.append(first)
        first += probe
        written += text.count("\n")
    path = os.path.join(directory, "main.c")
    with open(path, "w") as file:
        file.write('#include "biglib.h"\n' + SUPPORT_TEXT + "".join("void run_unit_%d(void);\n" % n for n in starts))
        file.write("int main(void)\n{\n" + "".join("    run_unit_%d();\n" % n for n in starts) + "    return 0;\n}\n")
    return sources + [path], written


def build(compiler, flags, sources, directory, name):
    """Compiles the units one by one; returns the program, or exits with the compiler's messages."""
    objects, seconds = [], 0.0
    for source in sources:
        target = os.path.join(directory, "%s.%s.o" % (os.path.basename(source), name))
        result = harness.run(compiler + flags + ["-c", source, "-o", target], timeout=600,
                             env=harness.environment(CC="gcc"))
        seconds += result.seconds
        if result.status != 0 or result.err:
            sys.exit("%s: %s\n%s" % (name, os.path.basename(source), result.err[:4000]))
        objects.append(target)
    program = os.path.join(directory, name)
    result = harness.run(compiler + flags + objects + ["-o", program, "-lm", "-pthread"],
                         env=harness.environment(CC="gcc"))
    if result.status != 0:
        sys.exit("%s: %s" % (name, result.err))
    print("%s: compiled in %.1f s" % (name, seconds), flush=True)
    return program


def main():
    parser = argparse.ArgumentParser(description="compares upcc with gcc on a large C program")
    parser.add_argument("--lines", type=int, default=100000, help="lines at least (default 100000)")
    parser.add_argument("--units", type=int, default=5, help="translation units, about (default 5)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the generator")
    parser.add_argument("--upcc", help="the compiler (default: build/bin/upcc)")
    parser.add_argument("--keep", metavar="DIRECTORY", help="write the program there and keep it")
    options = parser.parse_args()
    if not shutil.which("gcc"):
        print("skipped: gcc is not installed")
        sys.exit(harness.SKIP)
    upcc = harness.find_tool(options.upcc, "upcc")

    with tempfile.TemporaryDirectory(prefix="banyan-biglib-") as temporary:
        directory = options.keep or temporary
        os.makedirs(directory, exist_ok=True)
        sources, written = generate(directory, options.lines, options.units, options.seed)
        print("%d lines in %d units" % (written, len(sources)), flush=True)
        flags = ["-O1", "-w"]
        expected = harness.run([build(["gcc"], flags, sources, directory, "gcc")])
        if expected.status != 0:
            sys.exit("the program made fails with gcc: status %s" % expected.status)
        for name, more in (("upcc", []), ("upcc-full-parse", ["-fupc-full-parse"])):
            program = build([upcc], flags + more, sources, directory, name)
            result = harness.run([program], env=harness.environment())
            if (result.status, result.out) != (expected.status, expected.out):
                sys.exit("%s: status %s and another output:\n%s\ninstead of\n%s" % (name, result.status,
                                                                                    result.out[:2000],
                                                                                    expected.out[:2000]))
        print("equal: %d check sums" % expected.out.count("\n"))


if __name__ == "__main__":
    main()
