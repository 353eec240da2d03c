#!/usr/bin/env python3
"""Compares trees and rings of collectives on the machines of tests/fixtures/machines with expected text.

    machines.py --banyan-info PROGRAM [--filter TEXT] [--approve]

Each file describes a machine and contains what banyan-info must print about it:

    # what machine this is
    machine: hwloc's notation, or the name of an XML file in the same folder

    $ options of banyan-info
    the text that it prints with these and --machine

--approve writes the current output into the files: look at the difference before you commit it.  This test shows only
that trees are unchanged; that they are right is tested by tests/unit/runtime/coll on the same machines.
"""
import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "fixtures" / "machines"
SKIPPED = 77
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("BANYAN_")}


def run(program, description, options):
    words = shlex.split(options)
    if "--machine" in words:
        words.remove("--machine")
    done = subprocess.run([program, "--machine", description, *words], capture_output=True, text=True, timeout=60,
                          cwd=FOLDER, env=ENVIRONMENT, check=False)
    shown = done.stdout
    if not description.endswith(".xml") and "memory" not in description:
        # Without a size in the description, hwloc 2.15 gives each region 1 GiB, and 2.9 nothing.
        shown = re.sub(r"(memory regions?), 1 GiB(?: each)?$", r"\1", shown, flags=re.MULTILINE)
    return done.returncode, shown, done.stderr


def parse(path):
    """The head of a file, the description of the machine, and [options, expected text] of each case."""
    head, *cases = path.read_text().split("\n$ ")
    description = next(line for line in head.splitlines() if line.startswith("machine: ")).removeprefix("machine: ")
    return head, description, [case.partition("\n")[::2] for case in cases]


def check(program, path, approves):
    head, description, cases = parse(path)
    failures = 0
    text = head
    for options, expected in cases:
        status, got, errors = run(program, description, options)
        text += f"\n$ {options}\n{got}"
        if status != 0 or errors:
            failures += 1
            print(f"{path.name}: {options}: status {status}\n{errors}")
        elif got.rstrip("\n") != expected.rstrip("\n") and not approves:
            failures += 1
            print(f"{path.name}: {options}")
            print("\n".join(difflib.unified_diff(expected.splitlines(), got.splitlines(), "expected", "got",
                                                 lineterm="",
                                                 n=1)))
    if approves and failures == 0:
        path.write_text(text)
    return len(cases), failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--banyan-info", required=True, metavar="PROGRAM")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only machines with TEXT in their names")
    parser.add_argument("--approve", action="store_true", help="what is printed now is right")
    args = parser.parse_args()
    program = str(Path(args.banyan_info).resolve())
    if not Path(program).is_file():
        print("banyan-info was not built")
        return SKIPPED
    status, _, errors = run(program, "core:1 pu:1", "")
    if status != 0 and "can be read by hwloc only" in errors:
        print("libhwloc is not there")
        return SKIPPED
    total = failed = 0
    for path in sorted(FOLDER.glob("*.txt")):
        if args.filter not in path.stem:
            continue
        count, failures = check(program, path, args.approve)
        total += count
        failed += failures
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
