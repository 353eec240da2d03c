#!/usr/bin/env python3
"""Compares random UPC programs with a model of the language.

usage: run.py N [SEED]

Program i is what generate.py makes of the seed SEED + i (SEED is 1 unless given).  Its checksums after each phase must
be those of its model for 1, 2, 3, 4, 7 and 8 threads, in the dynamic environment and with a fixed number of threads, with
gcc and clang, optimised and not.  Without --all each program is compiled in three ways, which change with the seed.
"""

import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import comparison  # noqa: E402
import model  # noqa: E402
from comparison import THREADS  # noqa: E402
from phases import Generator  # noqa: E402


def expected(text, threads):
    """What the program prints, by its model"""
    names = dict(vars(model))
    names.update(T=threads, me=0, output=[])
    exec(compile(text, "model", "exec"), names)
    return "".join(line + "\n" for line in names["output"])


def all_ways(backends, static_only):
    """(number of threads at compile time or 0, back end, optimisation)"""
    counts = THREADS if static_only else (0,) + THREADS
    return [(count, cc, opt) for count in counts for cc in backends for opt in ("-O0", "-O3")]


class Comparison(comparison.Comparison):
    def ways(self, seed, static_only):
        ways = all_ways(self.backends, static_only)
        if self.options.all:
            return ways
        rng = random.Random(seed)
        if self.options.one_way:
            return [rng.choice(ways)]
        chosen = rng.sample(ways, 2)
        dynamic = [way for way in ways if way[0] == 0]
        return [rng.choice(dynamic)] + chosen if dynamic else chosen

    def compare(self, seed, directory):
        generator = Generator(seed)
        program, text = generator.write()
        source = os.path.join(directory, "program.upc")
        with open(source, "w") as file:
            file.write(program)
        results = {}
        for count, cc, opt in self.ways(seed, generator.static_only):
            flags = [opt, "-w", "-fwrapv"] + (["-T", str(count)] if count else [])
            executable = os.path.join(directory, "program")
            fault = self.compile(cc, flags, source, executable)
            if fault:
                return "fail", fault
            for threads in [count] if count else THREADS:
                if threads not in results:
                    results[threads] = expected(text, threads)
                result = self.execute(executable, threads)
                if result.status != 0 or result.out != results[threads]:
                    return "fail", "%s, %d threads: exit status %s, printed\n%sinstead of\n%s%s" % (
                        comparison.way(cc, flags), threads, result.status, result.out, results[threads], result.err)
        return "pass", ""


def main():
    parser = comparison.parser("compares random UPC programs with a model of the language")
    parser.add_argument("--all", action="store_true", help="compile each program in every way")
    Comparison("program", parser.parse_args()).run()


if __name__ == "__main__":
    main()
