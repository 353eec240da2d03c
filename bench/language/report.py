"""What bench/language/run and bench/libraries/run have in common: options, the printed report, the file of samples."""

import argparse
import json
import os
import sys
import time

import summary
from uoms import files

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def parser(description, parts, quick, realtime, cc):
    """A parser with the options of both; the last three say what -quick, -realtime and -cc mean."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter,
                                   add_help=False)
    made.add_argument("-help", "--help", "-h", action="help", help="show this text")
    made.add_argument("-quick", "--quick", action="store_true", help=quick)
    made.add_argument("-json", "--json", type=files.target, metavar="FILE", help="write all samples to FILE")
    made.add_argument("-only", "--only", action="append", choices=parts,
                      help="measure this part; may be given several times")
    made.add_argument("-realtime", "--realtime", action="store_true", help=realtime)
    made.add_argument("-upcc", "--upcc", default=os.path.join(ROOT, "build", "bin", "upcc"), help="the compiler to use")
    made.add_argument("-cc", "--cc", default="cc", help=cc)
    return made


def become_realtime():
    """Gives the program's threads real-time priority, so that no other program preempts them."""
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))


def write(options, facts, rows, start):
    """Prints the machine, then a table for each group, in the order of measurement; stores the samples."""
    for key, value in facts.items():
        print(f"{key + ':':17}{value}")
    print(f"{'took:':17}{time.monotonic() - start:.0f} s")
    for group in dict.fromkeys(row["group"] for row in rows):
        print(f"\n{group}\n\n{summary.table([row for row in rows if row['group'] == group])}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"machine": facts, "command": sys.argv, "rows": rows}, file, indent=1)


def scheduling(options):
    return "real-time, round robin" if options.realtime else "fair"
