/*
 * habits.c: many small calls with counts, some large ones, and so once more: what becomes a habit (mpi/host/habit.h)
 * and is given up again.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 8, LARGE = 32 << 10, SMALL_CALLS = 3000, LARGE_CALLS = 600, PHASES = 2 };

static int me, size, *counts, *offsets;
static unsigned char *from, *to;

static void fail(const char *what, int call)
{
    fprintf(stderr, "rank %d: %s is wrong in call %d\n", me, what, call);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The first byte of each block says whose it is, for whom, and in which call. */
static unsigned char mark(int source, int target, int call)
{
    return (unsigned char)(source * 37 + target * 11 + call * 3 + 1);
}

static void fill(int nbytes, int call)
{
    memset(to, 0, (size_t)size * (size_t)nbytes);
    for (int rank = 0; rank < size; rank++)
        from[rank * nbytes] = mark(me, rank, call);
}

static void expect(const char *what, int block, int nbytes, int source, int target, int call)
{
    if (to[block * nbytes] != mark(source, target, call))
        fail(what, call);
}

static void call_all(int nbytes, int call)
{
    int root = call % size;
    for (int rank = 0; rank < size; rank++) {
        counts[rank] = nbytes;
        offsets[rank] = rank * nbytes;
    }
    fill(nbytes, call);
    MPI_Alltoallv(from, counts, offsets, MPI_BYTE, to, counts, offsets, MPI_BYTE, MPI_COMM_WORLD);
    for (int rank = 0; rank < size; rank++)
        expect("alltoallv", rank, nbytes, rank, me, call);
    fill(nbytes, call);
    MPI_Scatterv(from, counts, offsets, MPI_BYTE, to, nbytes, MPI_BYTE, root, MPI_COMM_WORLD);
    expect("scatterv", 0, nbytes, root, me, call);
    fill(nbytes, call);
    MPI_Gatherv(from + root * nbytes, nbytes, MPI_BYTE, to, counts, offsets, MPI_BYTE, root, MPI_COMM_WORLD);
    for (int rank = 0; rank < size && me == root; rank++)
        expect("gatherv", rank, nbytes, rank, root, call);
    fill(nbytes, call);
    MPI_Allgatherv(from, nbytes, MPI_BYTE, to, counts, offsets, MPI_BYTE, MPI_COMM_WORLD);
    for (int rank = 0; rank < size; rank++)
        expect("allgatherv", rank, nbytes, rank, 0, call);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    counts = malloc((size_t)size * sizeof *counts);
    offsets = malloc((size_t)size * sizeof *offsets);
    from = calloc((size_t)size, LARGE);
    to = calloc((size_t)size, LARGE);
    for (int phase = 0; phase < PHASES; phase++) {
        for (int call = 0; call < SMALL_CALLS; call++)
            call_all(SMALL, call);
        for (int call = 0; call < LARGE_CALLS; call++)
            call_all(LARGE, call);
    }
    free(counts);
    free(offsets);
    free(from);
    free(to);
    MPI_Finalize();
    if (me == 0)
        puts("ok");
    return 0;
}
