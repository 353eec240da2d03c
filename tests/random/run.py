#!/usr/bin/env python3
"""Compares random UPC programs with a model of the language.

usage: run.py N [SEED]

Program i is what generate.py makes of the seed SEED + i (SEED is 1 unless given).  Its checksums after each phase must
be those of its model for 1, 2, 3, 4, 7 and 8 threads, in the dynamic environment and with a fixed number of threads, with
gcc and clang, optimised and not.  Without --all each program is compiled in three ways, which change with the seed.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import harness  # noqa: E402
import model  # noqa: E402
from phases import Generator  # noqa: E402

THREADS = (1, 2, 3, 4, 7, 8)
COMPILE_SECONDS = 120
RUN_SECONDS = 60


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


class Comparison:
    def __init__(self, options, workdir):
        self.upcc = harness.find_tool(options.upcc, "upcc")
        self.upcrun = harness.find_tool(options.upcrun or os.path.join(os.path.dirname(self.upcc), "upcrun"), "upcrun")
        self.all = options.all
        self.keep = options.keep
        self.backends = [cc for cc in ("gcc", "clang") if shutil.which(cc)]
        self.workdir = workdir

    def ways(self, seed, static_only):
        ways = all_ways(self.backends, static_only)
        if self.all:
            return ways
        rng = random.Random(seed)
        chosen = rng.sample(ways, 2)
        dynamic = [way for way in ways if way[0] == 0]
        return [rng.choice(dynamic)] + chosen if dynamic else chosen

    def work(self, seed):
        directory = os.path.join(self.workdir, str(seed))
        os.mkdir(directory)
        try:
            outcome, detail = self.compare(seed, directory)
            if outcome == "fail" and self.keep:
                shutil.copytree(directory, os.path.join(self.keep, str(seed)), dirs_exist_ok=True)
            yield "seed %d" % seed, outcome, detail
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def compare(self, seed, directory):
        generator = Generator(seed)
        program, text = generator.write()
        source = os.path.join(directory, "program.upc")
        with open(source, "w") as file:
            file.write(program)
        results = {}
        for count, cc, opt in self.ways(seed, generator.static_only):
            flags = [opt, "-w", "-fwrapv"] + (["-T", str(count)] if count else [])
            way = "CC=%s upcc %s" % (cc, " ".join(flags))
            executable = os.path.join(directory, "program")
            compiled = harness.run([self.upcc] + flags + [source, "-o", executable], COMPILE_SECONDS,
                                   env=harness.environment(CC=cc))
            if compiled.status != 0 or "warning:" in compiled.err:
                return "fail", "%s: exit status %s\n%s" % (way, compiled.status, compiled.err)
            for threads in [count] if count else THREADS:
                if threads not in results:
                    results[threads] = expected(text, threads)
                result = harness.run([self.upcrun, "-n", str(threads), executable], RUN_SECONDS, env=harness.environment())
                if result.status != 0 or result.out != results[threads]:
                    return "fail", "%s, %d threads: exit status %s, printed\n%sinstead of\n%s%s" % (
                        way, threads, result.status, result.out, results[threads], result.err)
        return "pass", ""


def main():
    parser = argparse.ArgumentParser(description="compares random UPC programs with a model of the language")
    parser.add_argument("count", type=int, metavar="N", help="how many programs")
    parser.add_argument("seed", type=int, nargs="?", default=1, metavar="SEED", help="seed of the first one")
    parser.add_argument("--all", action="store_true", help="compile each program in every way")
    parser.add_argument("--keep", metavar="FOLDER", help="copy the programs that fail there")
    parser.add_argument("--upcc", help="the compiler (default: build/bin/upcc)")
    parser.add_argument("--upcrun", help="the launcher (default: beside upcc)")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 2, metavar="JOBS", help="jobs at a time")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="banyan-random-") as workdir:
        comparison = Comparison(options, workdir)
        seeds = range(options.seed, options.seed + options.count)
        sys.exit(harness.run_jobs(seeds, comparison.work, harness.Report(options.count), options.j))


if __name__ == "__main__":
    main()
