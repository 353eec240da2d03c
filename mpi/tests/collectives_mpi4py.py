"""All collectives of mpi4py, with NumPy arrays and with pickled objects, each compared with the expected result.

mpi4py_test.py starts this program, which does not depend on Banyan."""

import sys

import numpy as np
from mpi4py import MPI

COUNTS = (0, 1, 7, 1000, 30000)
KINDS = ("i4", "f8", "c16")


def data(kind, count, rank, salt=0):
    """The data of a process: small whole numbers, so that sums of doubles are exact"""
    return ((np.arange(count, dtype="i8") * 7 + rank * 13 + salt) % 11).astype(kind)


def same(got, want):
    if not np.array_equal(got, want):
        raise AssertionError("wrong result: %s instead of %s" % (got[:8], np.asarray(want)[:8]))


def moves(comm, kind, count):
    n, me, root = comm.size, comm.rank, count % comm.size
    buffer = data(kind, count, me)
    comm.Bcast(buffer, root)
    same(buffer, data(kind, count, root))

    all_of_root = np.concatenate([data(kind, count, root, rank) for rank in range(n)])
    mine = np.empty(count, kind)
    comm.Scatter(all_of_root if me == root else None, mine, root)
    same(mine, data(kind, count, root, me))

    gathered = np.empty(n * count, kind)
    everybody = np.concatenate([data(kind, count, rank) for rank in range(n)])
    comm.Gather(data(kind, count, me), gathered if me == root else None, root)
    if me == root:
        same(gathered, everybody)
    gathered = np.empty(n * count, kind)
    comm.Allgather(data(kind, count, me), gathered)
    same(gathered, everybody)

    gathered = np.zeros(n * count, kind)
    gathered[me * count:(me + 1) * count] = data(kind, count, me)
    comm.Allgather(MPI.IN_PLACE, gathered)
    same(gathered, everybody)

    comm.Alltoall(np.concatenate([data(kind, count, me, rank) for rank in range(n)]), gathered)
    same(gathered, np.concatenate([data(kind, count, rank, me) for rank in range(n)]))


def moves_of_parts(comm, kind, count):
    """Operations in which each process has its own number of elements, possibly 0"""
    n, me, root = comm.size, comm.rank, (count + 1) % comm.size
    counts = [(count * rank) // n for rank in range(n)]
    places = [sum(counts[:rank]) for rank in range(n)]
    parts = [data(kind, counts[rank], rank) for rank in range(n)]
    whole = np.concatenate(parts)
    got = np.empty(sum(counts), kind)
    comm.Allgatherv(parts[me], [got, counts, places, MPI._typedict[np.dtype(kind).char]])
    same(got, whole)
    comm.Gatherv(parts[me], [got, counts] if me == root else None, root)
    if me == root:
        same(got, whole)
    mine = np.empty(counts[me], kind)
    comm.Scatterv([whole, counts] if me == root else None, mine, root)
    same(mine, parts[me])
    got = np.empty(n * counts[me], kind)
    comm.Alltoallv([whole, counts], [got, [counts[me]] * n])
    same(got, np.tile(parts[me], n))


def reductions(comm, kind, count):
    n, me, root = comm.size, comm.rank, count % comm.size
    everybody = np.stack([data(kind, count, rank) for rank in range(n)])
    with np.errstate(over="ignore"):
        total, before = everybody.sum(0, dtype=kind), everybody.cumsum(0, dtype=kind)
    got = np.empty(count, kind)
    comm.Reduce(everybody[me].copy(), got if me == root else None, MPI.SUM, root)
    if me == root:
        same(got, total)
    got = everybody[me].copy()
    comm.Allreduce(MPI.IN_PLACE, got, MPI.SUM)
    same(got, total)
    comm.Scan(everybody[me].copy(), got, MPI.SUM)
    same(got, before[me])
    comm.Exscan(everybody[me].copy(), got, MPI.SUM)
    if me:
        same(got, before[me - 1])
    if kind not in ("c16",):
        comm.Allreduce(everybody[me].copy(), got, MPI.MAX)
        same(got, everybody.max(0))
    parts = np.concatenate([data(kind, count, me, rank) for rank in range(n)])
    want = np.stack([data(kind, count, rank, me) for rank in range(n)]).sum(0, dtype=kind)
    comm.Reduce_scatter_block(parts, got, MPI.SUM)
    same(got, want)
    comm.Reduce_scatter(parts, got, [count] * n, MPI.SUM)
    same(got, want)


def objects(comm):
    """Pickled objects, which are sent as any number of bytes"""
    n, me = comm.size, comm.rank
    things = [{"rank": rank, "text": "x" * (rank * 1000), "list": list(range(rank))} for rank in range(n)]
    for root in range(n):
        assert comm.bcast(things[root] if me == root else None, root) == things[root]
        assert comm.scatter(things if me == root else None, root) == things[me]
        assert comm.gather(things[me], root) == (things if me == root else None)
        assert comm.reduce([me], root=root) == (list(range(n)) if me == root else None)
    assert comm.allgather(things[me]) == things
    assert comm.alltoall([(me, rank) for rank in range(n)]) == [(rank, me) for rank in range(n)]
    assert comm.allreduce([me]) == list(range(n))   # lists are joined, in order
    assert comm.scan(me) == sum(range(me + 1))
    assert comm.exscan(me) == (sum(range(me)) if me else None)
    assert comm.allreduce((me % 3, me), MPI.MAXLOC) == max(((r % 3, r) for r in range(n)), key=lambda p: (p[0], -p[1]))
    comm.barrier()


def main():
    world = MPI.COMM_WORLD
    reversed_ranks = world.Split(0, -world.rank)
    halves = world.Split(world.rank % 2, world.rank)
    for comm in (world, reversed_ranks, halves, MPI.COMM_SELF):
        for kind in KINDS:
            for count in COUNTS:
                moves(comm, kind, count)
                moves_of_parts(comm, kind, count)
                reductions(comm, kind, count)
        objects(comm)
    column = MPI.DOUBLE.Create_vector(100, 1, 3).Commit()
    matrix = np.full((100, 3), float(world.rank))
    world.Bcast([matrix, 1, column], world.size - 1)
    same(matrix[:, 0], np.full(100, world.size - 1.0))
    same(matrix[:, 1:], np.full((100, 2), float(world.rank)))
    column.Free()
    for comm in (reversed_ranks, halves):
        comm.Free()
    world.Barrier()
    print("right", flush=True)


if __name__ == "__main__":
    try:
        main()
    except BaseException as error:   # the others are waiting for this process
        print("%s: %s" % (type(error).__name__, error), file=sys.stderr, flush=True)
        MPI.COMM_WORLD.Abort(1)
