#!/usr/bin/env python3
"""Times insertion into a hash table, in OpenMP and in UPC with three kinds of atomic operation, in turns: milliseconds.
OpenMP has the table as one array, and cyclic like UPC's, by a thread count known at compile time and by one known at
run time.  UPC has the table cyclic, and in blocks of 512 places.

usage: hash.py [-upcc UPCC]... [-cc CC] [-turns TURNS] [THREADS...]

Each -upcc adds columns, so that two versions of the runtime can be compared; BANYAN_HUGE_PAGES=no turns huge pages off.
The sums of the tables' contents are compared.
"""

import argparse
import os
import subprocess
import tempfile

import rows

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
WAYS = ("domain", "typed", "private")
BLOCKS = (1, 512)


def main():
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-upcc", "--upcc", action="append")
    parser.add_argument("-cc", "--cc", default="gcc")
    parser.add_argument("-turns", "--turns", type=int, default=9)
    parser.add_argument("threads", nargs="*", type=int, default=[1, 2])
    options = parser.parse_args()
    compilers = options.upcc or [os.path.join(ROOT, "build", "bin", "upcc")]
    columns = [(compiler, block, way) for compiler in compilers for block in BLOCKS for way in WAYS]
    names = [f"{way}{', blocks' if block > 1 else ''}, {compiler}" for compiler, block, way in columns]
    twins = ("OpenMP", "OpenMP, dealt", "OpenMP, dealt by products")
    print("| n | " + " | ".join([*twins, *names]) + " | ms: median, least .. most; ratio to OpenMP |")
    print("|---|" + "---|" * (len(twins) + len(columns) + 1))
    with tempfile.TemporaryDirectory(prefix="banyan-bench-") as folder:
        build = [options.cc, "-O2", "-fopenmp", os.path.join(HERE, "hash_openmp.c")]
        twin, dealt, products = (os.path.join(folder, name) for name in ("twin", "dealt", "products"))
        subprocess.run([*build, "-o", twin], check=True)
        subprocess.run([*build, "-DHASH_DEALT_BY_PRODUCTS", "-o", products], check=True)
        programs = {(compiler, block): os.path.join(folder, f"hash{number}_{block}")
                    for number, compiler in enumerate(compilers) for block in BLOCKS}
        for (compiler, block), program in programs.items():
            subprocess.run([compiler, "-O2", f"-DHASH_BLOCK={block}", os.path.join(HERE, "hash.upc"), "-o", program],
                           check=True)
        for threads in options.threads:
            subprocess.run([*build, f"-DHASH_DEALT={threads}", "-o", dealt], check=True)
            commands = [[twin], [dealt], [products],
                        *([programs[compiler, block], "-n", str(threads), way] for compiler, block, way in columns)]
            samples = [[] for _ in commands]
            sums = set()
            for _ in range(options.turns):
                for column, command in zip(samples, commands):
                    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=600,
                                            env=dict(os.environ, OMP_NUM_THREADS=str(threads))).stdout.split()
                    column.append(float(output[0]))
                    sums.add(output[1])
            print(rows.row(threads, samples, sums), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
