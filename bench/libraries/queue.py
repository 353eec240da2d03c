#!/usr/bin/env python3
"""Times a work queue under a lock, in UPC and in OpenMP, in turns: milliseconds; the sums of both are compared.

usage: queue.py [-upcc UPCC]... [-cc CC] [-turns TURNS] [THREADS...]

Each -upcc adds a column, so that two versions of the runtime can be compared.
"""

import argparse
import os
import subprocess
import tempfile

import rows

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ROUNDS = 5


def run(command, variables):
    """Returns ([milliseconds], sum) of one launch."""
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=600,
                            env=dict(os.environ, **variables)).stdout
    lines = [line.split() for line in output.splitlines()]
    return [float(words[0]) for words in lines], {words[1] for words in lines}


def main():
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-upcc", "--upcc", action="append")
    parser.add_argument("-cc", "--cc", default="gcc")
    parser.add_argument("-turns", "--turns", type=int, default=7)
    parser.add_argument("threads", nargs="*", type=int, default=[1, 2, 3, 4, 8])
    options = parser.parse_args()
    compilers = options.upcc or [os.path.join(ROOT, "build", "bin", "upcc")]
    print("| n | " + " | ".join(["OpenMP", *compilers]) + " | ms: median, least .. most; ratio to OpenMP |")
    print("|---|" + "---|" * (len(compilers) + 2))
    with tempfile.TemporaryDirectory(prefix="banyan-bench-") as folder:
        twin = os.path.join(folder, "queue_openmp")
        subprocess.run([options.cc, "-O2", "-fopenmp", os.path.join(HERE, "queue_openmp.c"), "-o", twin], check=True)
        programs = [os.path.join(folder, f"queue{number}") for number in range(len(compilers))]
        for compiler, program in zip(compilers, programs):
            subprocess.run([compiler, "-O2", os.path.join(HERE, "queue.upc"), "-o", program], check=True)
        for threads in options.threads:
            samples = [[] for _ in range(len(programs) + 1)]
            sums = set()
            for _ in range(options.turns):
                for column, program in enumerate([twin, *programs]):
                    command = [program, str(ROUNDS)] if column == 0 else [program, "-n", str(threads), str(ROUNDS)]
                    times, sum_of = run(command, {"OMP_NUM_THREADS": str(threads)})
                    samples[column] += times
                    sums |= sum_of
            print(rows.row(threads, samples, sums), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
