#!/usr/bin/env python3
"""Checks a model of one of the runtime's protocols with Spin: every order of its steps.

usage: run.py [--long] MODEL.pml

Without --long, the short runs; with it, the long ones and the mutants.  The comment at the head of a model lists them,
with definitions as for a C compiler:

    run: THREADS=2 ROUNDS=3; THREADS=3 ROUNDS=2      each of these must be free of errors, searched to the end
    long run: THREADS=4 ROUNDS=2                     the same
    mutants: 1 2 3                                   -DMUTANT=n plants a bug, and
    mutant run: THREADS=3 ROUNDS=1                   this run must find it

Errors are failed assertions and end states in which a thread waits for ever.  Exit status 77 if spin or a C compiler is
missing.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

# Options of the C compiler.  A short search takes less time than optimising its program; a long one also pays for
# states that take less memory.
SHORT, LONG = ["-O0"], ["-O1", "-DCOLLAPSE"]
COMPILER = os.environ.get("CC", "cc")
# Far more than any model needs.  The search allocates memory for each step of the depth, which for millions of steps
# would take longer than most searches; a search that exceeds the depth fails.
DEPTH = 100000
# Spin's own warnings that a search was cut short
INCOMPLETE = re.compile(r"Search not completed|max search depth too small|out of memory", re.IGNORECASE)


class ModelError(Exception):
    """A model that cannot be run."""


class Outcome:
    """The result of a search."""

    def __init__(self, output):
        errors = re.search(r"errors: (\d+)", output)
        states = re.search(r"(\d+)(?:\.\d+)?(?:e\+(\d+))? states, stored", output)
        if errors is None or states is None:
            raise ModelError(output)
        self.has_error = int(errors.group(1)) > 0
        self.is_complete = INCOMPLETE.search(output) is None
        self.states = int(states.group(1)) * 10 ** int(states.group(2) or 0)
        reason = re.search(r"pan:\d+: (.*?) \(at depth", output)
        self.reason = reason.group(1) if reason else ""


def directives(path):
    """({"run": runs, "long run": runs}, [(mutants, run)]) from the head of the model."""
    with open(path, encoding="utf-8") as file:
        head = file.read().split("*/")[0]
    runs = {"run": [], "long run": []}
    planted = []
    for key, value in re.findall(r"^ \* (run|long run|mutants|mutant run): (.*)$", head, re.MULTILINE):
        if key in runs:
            runs[key] += [run.split() for run in value.split(";")]
        elif key == "mutants":
            planted.append([value.split(), None])
        else:
            planted[-1][1] = value.split()
    if not runs["run"] or not planted or any(run is None for _, run in planted):
        raise ModelError("%s does not say how it is run" % path)
    return runs, planted


def search(path, definitions, options):
    """Runs one search, with a program that is compiled with these options, SHORT or LONG."""
    with tempfile.TemporaryDirectory(prefix="banyan-model-") as folder:
        commands = (
            ["spin", "-a"] + ["-D" + definition for definition in definitions] + [path],
            [COMPILER, *options, "-w", "-DSAFETY", "-DNOFAIR", "-o", "pan", "pan.c"],
            ["./pan", "-n", "-m%d" % DEPTH],
        )
        for command in commands:
            done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  check=False)
            if done.returncode != 0 and command is not commands[-1] or "Error:" in done.stdout:
                raise ModelError("%s\n%s" % (" ".join(command), done.stdout))
        return Outcome(done.stdout)


def check(path, key):
    """Searches the correct model; returns the number of failed runs."""
    failures = 0
    for run in directives(path)[0][key]:
        outcome = search(path, run, SHORT if key == "run" else LONG)
        is_ok = not outcome.has_error and outcome.is_complete
        failures += not is_ok
        print("%-4s %s: %s, %d states" % ("ok" if is_ok else "FAIL", " ".join(run),
                                          outcome.reason or ("complete" if outcome.is_complete else "not complete"),
                                          outcome.states), flush=True)
    return failures


def check_mutants(path):
    """Searches for the planted bugs; returns the number of those that were not found."""
    failures = 0
    for mutants, run in directives(path)[1]:
        for mutant in mutants:
            outcome = search(path, run + ["MUTANT=" + mutant], SHORT)   # ends at the bug
            failures += not outcome.has_error
            print("%-4s mutant %s of %s: %s" % ("ok" if outcome.has_error else "FAIL", mutant, " ".join(run),
                                                "found, " + outcome.reason if outcome.has_error else "NOT FOUND"),
                  flush=True)
    return failures


def main():
    """Runs the command."""
    is_long = sys.argv[1:2] == ["--long"]
    if len(sys.argv) != 2 + is_long:
        sys.exit(__doc__)
    for tool in ("spin", COMPILER):
        if shutil.which(tool) is None:
            print("skipped: %s is missing (scripts/deps check)" % tool)
            return 77
    path = os.path.abspath(sys.argv[-1])
    try:
        failures = check(path, "long run") + check_mutants(path) if is_long else check(path, "run")
        return 1 if failures else 0
    except ModelError as error:
        print(error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
