#include <upc_relaxed.h>

#include <mpi.h>

static shared int squares[THREADS];
static shared [4] long ring[4 * THREADS];

/* Each thread writes its square; returns the number of squares that differ from what MPI expects. */
int check_neighbours(const int *expected)
{
    int wrong = 0;
    squares[MYTHREAD] = MYTHREAD * MYTHREAD;
    upc_barrier;
    for (int i = 0; i < THREADS; i++)
        wrong += squares[i] != expected[i];
    upc_barrier;
    return wrong;
}

/* Passes the same numbers around by MPI and by UPC. */
int ring_in_upc(MPI_Comm world)
{
    long sum, mine = MYTHREAD + 1;
    ring[4 * ((MYTHREAD + 1) % THREADS) + 3] = mine;
    upc_barrier;
    long got = ring[4 * MYTHREAD + 3];
    MPI_Allreduce(&got, &sum, 1, MPI_LONG, MPI_SUM, world);
    return got != (MYTHREAD + THREADS - 1) % THREADS + 1 || sum != (long)THREADS * (THREADS + 1) / 2;
}
