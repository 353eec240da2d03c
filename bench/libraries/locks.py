#!/usr/bin/env python3
"""Measures how fair the lock is, and how fast it is handed over, compared with a process-shared POSIX mutex.

usage: locks.py [-realtime] [-upcc UPCC] [-turns TURNS] [-held LOOPS] [-between LOOPS] [THREADS...]

"Least / most" is the number of times that the least successful thread got the lock, divided by that of the most
successful one, in the median turn; "hand-over" is the time divided by the number of times that the lock went to another
thread than before.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "bench", "language"))
import summary  # noqa: E402  (bench/language)


def become_realtime():
    """Gives the program's threads real-time priority, so that no other program preempts them."""
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))


def line(kind, threads, turns):
    """A row of the table, for all turns of one kind."""
    shares = sorted(min(turn["times"]) / max(max(turn["times"]), 1) for turn in turns)
    columns = [summary.duration(statistics.median(turn[key] for turn in turns))
               for key in ("ns", "hand_over_ns", "longest_ns")]
    middle = sorted(turns, key=lambda turn: min(turn["times"]) / max(max(turn["times"]), 1))[len(turns) // 2]
    cells = [kind, str(threads), columns[0], columns[1], columns[2], f"{shares[len(shares) // 2]:.3f}",
             f"{min(middle['times'])} .. {max(middle['times'])}"]
    return "| " + " | ".join(cells) + " |"


def main():
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-realtime", "--realtime", action="store_true", help="with real-time priority; needs root")
    parser.add_argument("-upcc", "--upcc", default=os.path.join(ROOT, "build", "bin", "upcc"))
    parser.add_argument("-turns", "--turns", type=int, default=11)
    parser.add_argument("-held", "--held", type=int, default=0, help="empty loops while the lock is held")
    parser.add_argument("-between", "--between", type=int, default=0, help="empty loops between release and lock")
    parser.add_argument("threads", nargs="*", type=int, default=[1, 2, 4, 8, 16])
    options = parser.parse_args()
    print("| | n | per acquisition | hand-over | longest wait | least / most | acquisitions per thread |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="banyan-bench-") as folder:
        program = os.path.join(folder, "locks")
        subprocess.run([options.upcc, "-O2", os.path.join(HERE, "locks.upc"), "-o", program, "-lpthread"], check=True)
        for threads in options.threads:
            command = [program, "-n", str(threads), str(options.turns), "50", str(options.held), str(options.between)]
            output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=600,
                                    preexec_fn=become_realtime if options.realtime else None).stdout
            found = [json.loads(text) for text in output.splitlines()]
            for kind in dict.fromkeys(turn["kind"] for turn in found):
                print(line(kind, threads, [turn for turn in found if turn["kind"] == kind]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
