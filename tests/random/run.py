#!/usr/bin/env python3
"""Compares random UPC programs with a model of the language.

usage: run.py N [SEED] [--network shmem [--far | --hosts N]]

Program i is what generate.py generates from the seed SEED + i (SEED is 1 by default).  Its checksums after each phase
must equal those of its model for 1, 2, 3, 4, 7 and 8 threads, in the dynamic environment and with a fixed number of
threads, with gcc and clang, optimised and not.  Without --all each program is compiled in three ways, which depend on
the seed.  With -network=shmem, where a start takes a second, it runs with two of these numbers of threads.
"""

import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import comparison  # noqa: E402
import model  # noqa: E402
from phases import Generator  # noqa: E402


def expected(text, threads):
    """The expected output, according to the model"""
    names = dict(vars(model))
    names.update(T=threads, me=0, output=[])
    exec(compile(text, "model", "exec"), names)
    return "".join(line + "\n" for line in names["output"])


OPTIMISATIONS = {"smp": ("-O0", "-O3"), "shmem": ("-O0", "-O2", "-O2 -fno-upc-opt", "-O3")}


class Comparison(comparison.Comparison):
    def all_ways(self, static_only):
        """(number of threads at compile time or 0, back end, optimisation)"""
        counts = self.threads if static_only else [0] + self.threads
        opts = OPTIMISATIONS[self.options.network]
        return [(count, cc, opt) for count in counts for cc in self.backends for opt in opts]

    def ways(self, rng, static_only):
        ways = self.all_ways(static_only)
        if self.options.all:
            return ways
        if self.options.one_way:
            return [rng.choice(ways)]
        chosen = rng.sample(ways, 2)
        dynamic = [way for way in ways if way[0] == 0]
        return [rng.choice(dynamic)] + chosen if dynamic else chosen

    def is_same(self, out, wanted):
        """OpenSHMEM's launcher does not preserve the order of lines of different threads."""
        return out == wanted if self.is_smp else sorted(out.splitlines()) == sorted(wanted.splitlines())

    def compare(self, seed, directory):
        generator = Generator(seed)
        program, text = generator.write()
        source = os.path.join(directory, "program.upc")
        with open(source, "w") as file:
            file.write(program)
        results = {}
        rng = random.Random(seed)
        for count, cc, opt in self.ways(rng, generator.static_only):
            flags = opt.split() + ["-w", "-fwrapv"] + (["-T", str(count)] if count else [])
            executable = os.path.join(directory, "program")
            fault = self.compile(cc, flags, source, executable)
            if fault:
                return "fail", fault
            for threads in [count] if count else self.some_threads(rng, len(self.threads)):
                if threads not in results:
                    results[threads] = expected(text, threads)
                result = self.execute(executable, threads)
                if result.status != 0 or not self.is_same(result.out, results[threads]):
                    return "fail", "%s, %d threads: exit status %s, printed\n%sinstead of\n%s%s" % (
                        comparison.way(cc, flags), threads, result.status, result.out, results[threads], result.err)
        return "pass", ""


def main():
    parser = comparison.parser("compares random UPC programs with a model of the language")
    parser.add_argument("--all", action="store_true", help="compile each program in every way")
    Comparison("program", parser.parse_args()).run()


if __name__ == "__main__":
    main()
