"""asp_mpi: the program of asp_mpi.c in Python, by mpi4py and NumPy.

usage: asp_mpi.py [n]
"""

import sys

import numpy
from mpi4py import MPI

FAR = 1_000_000_000
world = MPI.COMM_WORLD


def edges(first, rows, n):
    """Rows of the matrix of edge() of graph.h"""
    start = numpy.arange(first, first + rows, dtype=numpy.int64)[:, None]
    end = numpy.arange(n, dtype=numpy.int64)[None, :]
    mixed = (start * 7919 + end * 104729 + start * end % 8191 * 613) % 16381
    is_edge = (mixed % 4 == 0) | (end == (start + 1) % n)
    return numpy.where(start == end, 0, numpy.where(is_edge, mixed % 997 + 1, FAR)).astype(numpy.int32)


def solve(mine, block, n):
    """All steps; returns the seconds that this process spent in broadcasts."""
    in_broadcast = 0.0
    row_k = numpy.empty(n, dtype=numpy.int32)
    for k in range(n):
        owner = k // block
        if owner == world.rank:
            row_k[:] = mine[k % block]
        start = MPI.Wtime()
        world.Bcast(row_k, owner)
        in_broadcast += MPI.Wtime() - start
        numpy.minimum(mine, mine[:, k : k + 1] + row_k, out=mine)
    return in_broadcast


def main(words):
    if len(words) > 1 or not all(word.isdecimal() and 1 <= int(word) <= 40000 for word in words):
        if world.rank == 0:
            print("usage: asp_mpi.py [n]        n is between 1 and 40000", file=sys.stderr)
        return 2
    n = int(words[0]) if words else 1000
    block = (n + world.size - 1) // world.size
    first = world.rank * block
    mine = edges(first, max(0, min(block, n - first)), n)

    world.Barrier()
    start = MPI.Wtime()
    in_broadcast = solve(mine, block, n)
    world.Barrier()
    seconds = MPI.Wtime() - start

    total = world.reduce(int(mine.sum(dtype=numpy.int64)))
    all_broadcast = world.reduce(in_broadcast)
    if world.rank == 0:
        print(
            f"asp: {n} vertices, sum {total}, {seconds:.3f} s, of it {all_broadcast / world.size:.3f} s in broadcast, "
            f"{1e-6 * n**3 / seconds:.1f} million paths per second"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
