#!/usr/bin/env python3
"""Compares upcc with gcc on random C programs.

usage: run.py N [SEED]

Program i is what csmith generates from the seed SEED + i (SEED is 1 by default).  It is compiled by gcc, by upcc, by
upcc with every function parsed in full, and with all objects thread-local; these programs must print the same checksum.
Programs that run too long with gcc are replaced by others.  Exit status 77 if csmith is not installed.
"""

import argparse
import glob
import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import harness  # noqa: E402

HEADERS = ["/usr/include/csmith*", "/usr/local/include/csmith*"]
WAYS = (
    ("upcc", []),
    ("upcc -fupc-full-parse", ["-fupc-full-parse"]),
    ("upcc -pthreads", ["-pthreads"]),
)
RUN_SECONDS = 10


def find_headers():
    for pattern in HEADERS:
        for folder in sorted(glob.glob(pattern)):
            if os.path.exists(os.path.join(folder, "csmith.h")):
                return folder
    return None


class Comparison:
    def __init__(self, csmith, headers, upcc, workdir):
        self.csmith = csmith
        self.flags = ["-w", "-O1", "-I" + headers]
        self.upcc = upcc
        self.workdir = workdir

    def reference(self, seed, directory):
        """Makes a program that gcc compiles and that ends: (source, output), or None."""
        source = os.path.join(directory, "random%d.c" % seed)
        made = harness.run([self.csmith, "--seed", str(seed), "--output", source], cwd=directory)
        program = os.path.join(directory, "reference")
        if made.status != 0 or harness.run(["gcc"] + self.flags + [source, "-o", program], 120).status != 0:
            return None
        result = harness.run([program], RUN_SECONDS)
        return (source, result.out) if result.status == 0 else None

    def work(self, number):
        directory = os.path.join(self.workdir, str(number))
        os.mkdir(directory)
        try:
            # Replacements use distant seeds, so that no program is used twice.
            seed, found = number, None
            for attempt in range(20):
                seed = number + attempt * 1000003
                found = self.reference(seed, directory)
                if found:
                    break
            if not found:
                yield "seed %d" % number, "skip", "csmith made no program that ends in time"
                return
            yield "seed %d" % seed, *self.compare(directory, *found)
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def compare(self, directory, source, expected):
        for name, more in WAYS:
            program = os.path.join(directory, "program")
            compiled = harness.run([self.upcc] + self.flags + more + [source, "-o", program], 120,
                                   env=harness.environment(CC="gcc"))
            if compiled.status != 0:
                return "fail", "%s:\n%s" % (name, compiled.err)
            result = harness.run([program], 10 * RUN_SECONDS, env=harness.environment())
            if result.status != 0 or result.out != expected:
                return "fail", "%s: exit status %s, printed %s instead of %s\n%s" % (
                    name, result.status, result.out.strip(), expected.strip(), result.err)
        return "pass", ""


def main():
    parser = argparse.ArgumentParser(description="compares upcc with gcc on random C programs")
    parser.add_argument("count", type=int, metavar="N", help="how many programs")
    parser.add_argument("seed", type=int, nargs="?", default=1, metavar="SEED", help="seed of the first one")
    parser.add_argument("--upcc", help="the compiler (default: build/bin/upcc)")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 2, metavar="JOBS", help="jobs at a time")
    options = parser.parse_args()

    csmith, headers = shutil.which("csmith"), find_headers()
    if not csmith or not headers or not shutil.which("gcc"):
        print("skipped: csmith, its headers or gcc are not installed")
        sys.exit(harness.SKIP)
    upcc = harness.find_tool(options.upcc, "upcc")
    with tempfile.TemporaryDirectory(prefix="banyan-csmith-") as workdir:
        comparison = Comparison(csmith, headers, upcc, workdir)
        numbers = range(options.seed, options.seed + options.count)
        sys.exit(harness.run_jobs(numbers, comparison.work, harness.Report(options.count), options.j))


if __name__ == "__main__":
    main()
