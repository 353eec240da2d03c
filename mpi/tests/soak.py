#!/usr/bin/env python3
"""Runs many random collectives (run.py) in pieces, each with its own seed; a later run continues where this one ended.

    mpi/tests/soak.py [--cases N] [--pieces P] [--piece CASES] [--folder FOLDER] [-- OPTIONS OF run.py]
    mpi/tests/soak.py --summary [--folder FOLDER]

Ends when N cases have been run in FOLDER, or after P pieces.  The output of a piece is in FOLDER/SEED.txt;
FOLDER/pieces has a line for each finished piece, so an interruption loses at most one piece, and FOLDER/ways.json the
calls by each way of Banyan's collectives.  The exit status is 0 if nothing has failed in FOLDER, the pieces of this run
could run, and, after enough cases, each way has carried out calls.
"""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys

from run import Ways

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SKIP = 77
END = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)? in ", re.M)
PASSED = re.compile(r"^pass: ([^,]+), n = (\d+), .* (\d+) cases$", re.M)


class Pieces:
    """The finished pieces: a line "SEED CASES PASSED FAILED SKIPPED" for each"""

    def __init__(self, folder):
        self.folder, self.path, self.ways_path = folder, folder / "pieces", folder / "ways.json"
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        self.all = [tuple(int(word) for word in line.split()) for line in lines]

    def add(self, *numbers):
        self.all.append(numbers)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(" ".join(map(str, numbers)) + "\n")

    def cases(self):
        return sum(piece[1] for piece in self.all)

    def failed(self):
        return sum(piece[3] for piece in self.all)

    def summary(self):
        """Cases passed for each MPI and number of processes; failed or skipped runs, each once with its frequency; and
        the totals"""
        named, passed = collections.Counter(), collections.Counter()
        for seed, *_ in self.all:
            said = (self.folder / ("%d.txt" % seed)).read_text(encoding="utf-8")
            named.update(re.sub(r", \d+ cases$", "", line) for line in said.splitlines()
                         if re.match(r"(fail|skip): ", line))
            for system, n, cases in PASSED.findall(said):
                passed[(system, int(n))] += int(cases)
        for (system, n), cases in sorted(passed.items()):
            print("%7d cases over %s, n = %d" % (cases, system, n))
        for name, count in sorted(named.items()):
            print("%4d times %s" % (count, name))
        print("%d cases in %d pieces: %d runs passed, %d failed, %d were skipped"
              % (self.cases(), len(self.all), *(sum(piece[column] for piece in self.all) for column in (2, 3, 4))))


def run(pieces, options):
    """Runs one piece; returns its exit status."""
    seed = 1 + max((piece[0] for piece in pieces.all), default=options.seed - 1)
    command = [sys.executable, str(HERE / "run.py"), "--verbose", "--cases", str(options.piece), "--seed",
               str(seed * 1000), "--ways", str(pieces.ways_path), *options.run]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    end = END.search(done.stdout)
    if done.returncode == SKIP or not end:
        print(done.stdout[-3000:])
        return done.returncode or 1
    (pieces.folder / ("%d.txt" % seed)).write_text(" ".join(command) + "\n" + done.stdout, encoding="utf-8")
    pieces.add(seed, options.piece, *(int(number or 0) for number in end.groups()))
    print("seed %d: %s" % (seed * 1000, done.stdout.splitlines()[-1]), flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=200000, help="in all (default 200000)")
    parser.add_argument("--piece", type=int, default=5000, help="cases of a piece (default 5000)")
    parser.add_argument("--pieces", type=int, default=None, help="end after so many")
    parser.add_argument("--seed", type=int, default=1, help="of the first piece, in thousands")
    parser.add_argument("--folder", type=pathlib.Path,
                        default=pathlib.Path(os.environ.get("TESTED_BUILD", ROOT / "build")) / "mpi" / "tests" / "soak")
    parser.add_argument("--summary", action="store_true", help="says what has been run, and ends")
    parser.add_argument("run", nargs="*", help="after --: options of run.py")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    pieces = Pieces(options.folder)
    left, status = options.pieces, 0
    while not options.summary and not status and left != 0 and pieces.cases() < options.cases:
        status = run(pieces, options)
        left = None if left is None else left - 1
    ways = Ways(pieces.ways_path)
    if ways.cases:
        print(ways)
    pieces.summary()
    return status or (1 if pieces.failed() or ways.is_fault() else 0)


if __name__ == "__main__":
    sys.exit(main())
