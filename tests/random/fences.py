#!/usr/bin/env python3
"""Runs random strict and relaxed accesses, as ordered by upcc, on two abstract machines in every possible order.

usage: fences.py N [SEED] [--upcc UPCC]

A program is a function for each of two or three threads.  It is translated twice: with a full fence before each strict
read, and with the fences that compiler/lower/fences.cc leaves.  The values read and the final contents of memory must
be possible with all fences, too, on both machines, for all threads together and for each thread combined with one that
writes one object and then reads another:

- tso: x86-64.  Writes wait in a buffer of their thread, in order; its own reads look there first.  A full fence empties
  it.
- weak: accesses of a thread happen in any order that its fences and equal addresses allow, each for all threads at
  once.

Programs with only strict accesses must be sequentially consistent.  Finally the test checks itself: without full fences
before strict reads, some forbidden outcome must occur.
"""

import argparse
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE)]
import harness  # noqa: E402

STRICT = ("s", "t")
RELAXED = ("x", "y")
MAX_ACCESSES = {1: 10, 2: 7, 3: 4}   # per thread, by the number of threads
PARAMETERS = "(long *p, long *q, long r, int yes, int no)"

HEAD = """#include <upc_relaxed.h>
strict shared long s, t;
shared long x, y;
void call(void);
"""

# Replaces the functions that the emitted C calls: records the calls instead of doing them
RECORDER = """#include <stdio.h>
static struct { char what, name; } ops[10000];
static int count;
static long ignored;
static long *add(char what, char name) { ops[count].what = what; ops[count++].name = name; return &ignored; }
static long found(char name) { add('R', name); return 9; }
static long *both(char name) { add('R', name); return add('W', name); }
static void bn_fence(void) { add('F', '-'); }
static void bn_before_strict_read(void) { add('B', '-'); }
static void bn_before_settled_read(void) { add('A', '-'); }
static void bn_before_settled_change(void) { add('A', '-'); }
static void bn_after_strict_read(void) { add('A', '-'); }
static void bn_before_strict_write(void) { add('L', '-'); }
static void bn_after_strict_write(void) { add('F', '-'); }
static void call(void) { add('W', 'x'); }
static void show(const char *name)
{
    printf("%s", name);
    for (int i = 0; i < count; i++)
        printf(" %c%c", ops[i].what, ops[i].name);
    printf("\\n");
    count = 0;
}
"""


class Generator:
    """Statements of a thread.  Loops end after two iterations, conditions are parameters, `p` points to x and `q` to a
    private variable."""

    def __init__(self, rng, strict_only):
        self.rng = rng
        self.strict_only = strict_only
        self.names = STRICT if strict_only else STRICT + RELAXED
        self.written = 0

    def simple(self):
        kind = self.rng.random()
        if kind < 0.4:
            self.written += 1
            return "%s = %d;" % (self.rng.choice(self.names), self.written)
        if kind < 0.8:
            return "r = %s;" % self.rng.choice(self.names)
        if self.strict_only:
            return self.rng.choice(("s += 100;", "t++;", "upc_fence;", "r = s + t;", "if (s) t++;"))
        return self.rng.choice(("s += 100;", "upc_fence;", "call();", "*p = 50;", "q[0] = t;", "r = t, x = r;",
                                "r = s + (y = 60);",
                                "(y = 70, r = s);"))

    def block(self, depth):
        return "{ " + " ".join(self.statement(depth) for _ in range(self.rng.choice((1, 2)))) + " }"

    def statement(self, depth):
        kind = self.rng.random()
        if depth == 0 or kind < 0.65:
            return self.simple()
        inner = self.block(depth - 1)
        return self.rng.choice((
            "if (%s) %s else %s" % (self.rng.choice(("yes", "no")), inner, self.block(depth - 1)),
            "for (int i = 0; i < 2; i++) " + inner,
            "for (int i = 0; i < 2 && s; i++) " + inner,
            "for (int i = 0; i < 2; i++) { if (t == yes) break; %s }" % self.simple(),
            "{ int i = 0; do %s while (t && i++ < 1); }" % inner,
            "{ int i = 0; while (s && i++ < 1) %s }" % inner,
            "switch (%s) { case 1: %s case 2: %s break; default: %s }" % (self.rng.choice(("yes", "no", "2")),
                                                                          self.simple(), self.simple(),
                                                                         self.simple()),
        ))

    def body(self):
        return " ".join(self.statement(2) for _ in range(self.rng.choice((2, 3, 4))))


# ---- Traces: what a thread does, as a list of (what, name) with R read, W write, and fences: F full, B full before a
# strict read, A acquire, L release ----

PLACE = re.compile(r"(\+\+)?\(\*\((?:volatile )?long \*\)(\w)\)(\+\+| \+= | = )?")


def recorded(match):
    before, name, after = match.groups()
    if before or after in ("++", " += "):
        return "%s(*both('%s'))%s" % (before or "", name, after or "")
    return "*add('W', '%s') = " % name if after else "found('%s')" % name


def run(words, **more):
    result = subprocess.run(words, capture_output=True, text=True, **more)
    if result.returncode != 0:
        sys.exit("%s: exit status %d\n%s" % (" ".join(words), result.returncode, result.stderr))
    return result.stdout


def traces(upcc, flags, folder):
    """Traces by the name of the function"""
    c = run([upcc, "-O2", "-w", "-trans", *flags, "programs.upc", "-o", "-"], cwd=folder)
    functions = re.findall(r"^void (f\w+)\(.*?\) (\{.*\})$", c, re.MULTILINE)
    recorder = RECORDER
    for name, text in functions:
        text = PLACE.sub(recorded, text).replace("*p = ", "*add('W', 'x') = ")
        recorder += "static void %s%s %s\n" % (name, PARAMETERS, text)
    calls = "".join('%s(0, q, 0, 1, 0); show("%s");\n' % (name, name) for name, text in functions)
    with open(os.path.join(folder, "recorder.c"), "w") as file:
        file.write(recorder + "int main(void) { long q[1]; " + calls + "}\n")
    run(["cc", "-w", "recorder.c", "-o", "recorder"], cwd=folder)
    lines = [line.split() for line in run([os.path.join(folder, "recorder")]).splitlines()]
    return {name: [(op[0], op[1]) for op in ops] for name, *ops in lines}


# ---- Machines: every outcome of a program.  A write has the value (thread, how many accesses of the thread came before
# it). ----

def accesses(trace):
    return [op for op in trace if op[0] in "RW"]


def numbered(trace):
    """(what, name, index among the accesses)"""
    result = []
    for what, name in trace:
        result.append((what, name, len(accesses(result))))
    return result


def outcomes(start, steps):
    """The results of all final states that the steps lead to; a final state has no further steps"""
    seen = {start}
    found = set()
    todo = [start]
    while todo:
        state = todo.pop()
        following = steps(state)
        if not following:
            found.add(state[-2:])
        for after in following:
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return found


def replaced(row, index, value):
    return row[:index] + (value,) + row[index + 1:]


def written(memory, name, value):
    return tuple((n, value if n == name else v) for n, v in memory)


MEMORY = tuple((name, None) for name in STRICT + RELAXED)


def on_tso(program):
    program = [numbered(trace) for trace in program]

    def steps(state):
        places, buffers, memory, reads = state
        result = []
        for thread, trace in enumerate(program):
            buffer = buffers[thread]
            if buffer:
                result.append((places, replaced(buffers, thread, buffer[1:]), written(memory, *buffer[0]), reads))
            if places[thread] == len(trace):
                continue
            what, name, number = trace[places[thread]]
            after = replaced(places, thread, places[thread] + 1)
            if what == "W":
                result.append((after, replaced(buffers, thread, buffer + ((name, (thread, number)),)), memory, reads))
            elif what == "R":
                own = [value for n, value in buffer if n == name]
                value = own[-1] if own else dict(memory)[name]
                result.append((after, buffers, memory, reads | {(thread, number, value)}))
            elif what not in "FB" or not buffer:
                result.append((after, buffers, memory, reads))
        return result

    count = len(program)
    return outcomes(((0,) * count, ((),) * count, MEMORY, frozenset()), steps)


def is_ordered(trace, first, second):
    """Whether an access must happen before a later one of its thread"""
    if trace[first][1] == trace[second][1]:
        return True
    for what, _, _ in trace[first + 1:second]:
        if what in "FB" or (what == "A" and trace[first][0] == "R") or (what == "L" and trace[second][0] == "W"):
            return True
    return False


def on_weak(program):
    program = [numbered(trace) for trace in program]
    places = [[i for i, op in enumerate(trace) if op[0] in "RW"] for trace in program]
    before = [{i: [j for j in row if j < i and is_ordered(trace, j, i)] for i in row} for trace,
              row in zip(program, places)]

    def steps(state):
        done, memory, reads = state
        result = []
        for thread, trace in enumerate(program):
            for i in places[thread]:
                if i in done[thread] or any(j not in done[thread] for j in before[thread][i]):
                    continue
                what, name, number = trace[i]
                after = replaced(done, thread, done[thread] | {i})
                if what == "W":
                    result.append((after, written(memory, name, (thread, number)), reads))
                else:
                    result.append((after, memory, reads | {(thread, number, dict(memory)[name])}))
        return result

    return outcomes(((frozenset(),) * len(program), MEMORY, frozenset()), steps)


def in_order(program):
    """Outcomes under sequential consistency"""
    return on_tso([[op for access in accesses(trace) for op in (access, ("F", "-"))] for trace in program])


MACHINES = {"tso": on_tso, "weak": on_weak}


def without_fences_before_reads(trace):
    return [op for op in trace if op[0] != "B"]


class Counts:
    programs = faults = saved = noticed = 0


def compare(name, strict_only, full, fewer, counts):
    counts.programs += 1
    for machine, run_on in MACHINES.items():
        allowed = run_on(full)
        got = run_on(fewer)
        if strict_only and allowed != in_order(full):
            print("%s on %s: strict accesses are out of order even with all fences" % (name, machine))
            counts.faults += 1
        if got - allowed:
            print("%s on %s: %s\nmust not come out" % (name, machine, sorted(map(str, got - allowed))[0]))
            counts.faults += 1
        counts.noticed += bool(run_on([without_fences_before_reads(full[0])] + full[1:]) - allowed)


def is_small(threads):
    return all(len(accesses(trace)) <= MAX_ACCESSES[len(threads)] for trace in threads)


def compare_program(name, strict_only, full, fewer, counts):
    if [accesses(trace) for trace in full] != [accesses(trace) for trace in fewer]:
        sys.exit("%s: the accesses differ\n%s\n%s" % (name, full, fewer))
    counts.saved += sum(op[0] in "FB" for trace in full
                        for op in trace) - sum(op[0] in "FB" for trace in fewer for op in trace)
    if is_small(full):
        compare(name, strict_only, full, fewer, counts)
    if not is_small(full[:1]):
        return
    names = sorted({name for _, name in accesses(full[0])})
    for write, read in itertools.permutations(names, 2):
        observer = [("W", write), ("F", "-"), ("R", read)]
        compare("%s, first thread beside one that writes %s and reads %s" % (name, write, read), False,
                [full[0], observer],
                [fewer[0], observer], counts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, metavar="N", help="how many programs")
    parser.add_argument("seed", type=int, nargs="?", default=1, metavar="SEED", help="seed of the first one")
    parser.add_argument("--upcc", help="the compiler (default: build/bin/upcc)")
    options = parser.parse_args()
    upcc = os.path.abspath(harness.find_tool(options.upcc, "upcc"))
    programs = {}
    text = HEAD
    for seed in range(options.seed, options.seed + options.count):
        rng = random.Random(seed)
        strict_only = rng.random() < 0.3
        generator = Generator(rng, strict_only)
        names = ["f%d_%d" % (seed, thread) for thread in range(rng.choice((2, 2, 3)))]
        programs["seed %d" % seed] = (names, strict_only)
        for name in names:
            text += "void %s%s { %s }\n" % (name, PARAMETERS, generator.body())
    counts = Counts()
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "programs.upc"), "w") as file:
            file.write(text)
        full = traces(upcc, ["-fno-upc-opt-fences"], folder)
        fewer = traces(upcc, [], folder)
    for name, (functions, strict_only) in programs.items():
        compare_program(name, strict_only, [full[f] for f in functions], [fewer[f] for f in functions], counts)
    print("%d programs compared, %d faults; %d full fences fewer; without fences before reads %d go wrong"
          % (counts.programs, counts.faults, counts.saved, counts.noticed))
    if counts.programs < options.count or counts.saved <= 0 or counts.noticed == 0:
        sys.exit("that shows too little")
    return 1 if counts.faults else 0


if __name__ == "__main__":
    sys.exit(main())
