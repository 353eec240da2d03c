"""What the comparisons of random programs share: tools, a folder for each program, options, the course of a run."""

import argparse
import os
import shutil
import sys
import tempfile

import harness

THREADS = (1, 2, 3, 4, 7, 8)
COMPILE_SECONDS = 120
RUN_SECONDS = 60


def parser(description):
    """The options that every comparison has."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("count", type=int, metavar="N", help="how many programs")
    made.add_argument("seed", type=int, nargs="?", default=1, metavar="SEED", help="seed of the first one")
    made.add_argument("--one-way", action="store_true", help="compile each program in one way, which changes with the seed")
    made.add_argument("--keep", metavar="FOLDER", help="copy the programs that fail there")
    made.add_argument("--upcc", help="the compiler (default: build/bin/upcc)")
    made.add_argument("--upcrun", help="the launcher (default: beside upcc)")
    made.add_argument("-j", type=int, default=os.cpu_count() or 2, metavar="JOBS", help="jobs at a time")
    return made


class Comparison:
    """compare(seed, directory), which a derived class has, is a pair: "pass" or "fail", and a detail."""

    def __init__(self, name, options):
        self.name, self.options = name, options
        self.upcc = harness.find_tool(options.upcc, "upcc")
        self.upcrun = harness.find_tool(options.upcrun or os.path.join(os.path.dirname(self.upcc), "upcrun"), "upcrun")
        self.backends = [cc for cc in ("gcc", "clang") if shutil.which(cc)]

    def compile(self, cc, flags, source, executable):
        """Null if that went well without a warning, else what went wrong."""
        compiled = harness.run([self.upcc] + flags + [source, "-o", executable], COMPILE_SECONDS,
                               env=harness.environment(CC=cc))
        if compiled.status != 0 or "warning:" in compiled.err:
            return "%s: exit status %s\n%s" % (way(cc, flags), compiled.status, compiled.err)
        return None

    def execute(self, executable, threads):
        return harness.run([self.upcrun, "-n", str(threads), executable], RUN_SECONDS, env=harness.environment())

    def _work(self, workdir, seed):
        directory = os.path.join(workdir, str(seed))
        os.mkdir(directory)
        try:
            outcome, detail = self.compare(seed, directory)
            if outcome == "fail" and self.options.keep:
                shutil.copytree(directory, os.path.join(self.options.keep, str(seed)), dirs_exist_ok=True)
            yield "%s, seed %d" % (self.name, seed), outcome, detail
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def run(self):
        """Compares all seeds and ends the program."""
        options = self.options
        with tempfile.TemporaryDirectory(prefix="banyan-random-") as workdir:
            seeds = range(options.seed, options.seed + options.count)
            sys.exit(harness.run_jobs(seeds, lambda seed: self._work(workdir, seed), harness.Report(options.count),
                                      options.j))


def way(cc, flags):
    """How to repeat a compilation."""
    return "CC=%s upcc %s" % (cc, " ".join(flags))
