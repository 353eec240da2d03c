/*
 * stencil_hybrid: seven points in three dimensions, with MPI and OpenMP.
 *
 * usage: stencil_hybrid SIDE STEPS [--funnelled]      OMP_NUM_THREADS says how many threads a process has
 *
 * A process has a slab of planes, and each of its threads a strip of the rows of all planes.  A thread receives the
 * strips of the planes before and behind that it needs, sends its own, computes the inner planes meanwhile, then the
 * outer ones; threads meet at the end of a step.  With --funnelled, thread 0 communicates for all rows while the others
 * compute.
 */
#include <mpi.h>
#include <omp.h>
#include <string.h>

#include "stencil.h"

enum { BEFORE, BEHIND, SIDES };

static int side, planes, is_funnelled;
static int neighbours[SIDES]; /* MPI_PROC_NULL if there is none */

/* Starts the exchange of rows first_row to end_row - 1 of the outer planes; tags distinguish strips and directions. */
static void begin_exchange(double *now, int first_row, int end_row, MPI_Request requests[2 * SIDES])
{
    size_t plane = stencil_plane(side), at = first_row * stencil_row(side);
    int count = (int)((size_t)(end_row - first_row) * stencil_row(side));
    double *mine[SIDES] = {now + plane + at, now + planes * plane + at};
    double *theirs[SIDES] = {now + at, now + (planes + 1) * plane + at};
    for (int i = 0; i < SIDES; i++)
        MPI_Irecv(theirs[i], count, MPI_DOUBLE, neighbours[i], 2 * first_row + !i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < SIDES; i++)
        MPI_Isend(mine[i], count, MPI_DOUBLE, neighbours[i], 2 * first_row + i, MPI_COMM_WORLD, &requests[SIDES + i]);
}

/* One step, called by all threads of the process. */
static void step(double *next, double *now)
{
    MPI_Request requests[2 * SIDES];
    MPI_Status statuses[2 * SIDES];
    int threads = omp_get_num_threads(), me = omp_get_thread_num();
    int first_row = 1 + stencil_first(side, threads, me), end_row = 1 + stencil_first(side, threads, me + 1);
    int communicates = planes > 0 && (is_funnelled ? me == 0 : end_row > first_row);
    if (communicates)
        begin_exchange(now, is_funnelled ? 1 : first_row, is_funnelled ? side + 1 : end_row, requests);
    for (int z = 2; z < planes; z++)
        stencil_rows(next, now, side, z, first_row, end_row);
    if (communicates)
        MPI_Waitall(2 * SIDES, requests, statuses);
    if (is_funnelled) {
#pragma omp barrier
    }
    if (planes > 0)
        stencil_rows(next, now, side, 1, first_row, end_row);
    if (planes > 1)
        stencil_rows(next, now, side, planes, first_row, end_row);
#pragma omp barrier
}

/* The next process in a direction that has planes */
static int neighbour(int processes, int me, int direction)
{
    int p = me + direction;
    while (p >= 0 && p < processes && stencil_first(side, processes, p) == stencil_first(side, processes, p + 1))
        p += direction;
    return p >= 0 && p < processes ? p : MPI_PROC_NULL;
}

int main(int argc, char **argv)
{
    int provided, me, processes, steps, wrong = 0;
    is_funnelled = argc == 4 && strcmp(argv[3], "--funnelled") == 0;
    int wanted = is_funnelled ? MPI_THREAD_FUNNELED : MPI_THREAD_MULTIPLE;
    MPI_Init_thread(&argc, &argv, wanted, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (argc != 3 + is_funnelled || !stencil_sizes(argc, argv, &side, &steps) ||
        (omp_get_max_threads() > 1 && provided < wanted)) {
        if (me == 0)
            fprintf(
                stderr,
                "usage: stencil_hybrid SIDE STEPS [--funnelled], up to %d and %d; without --funnelled, more than one "
                "thread needs an MPI with MPI_THREAD_MULTIPLE\n",
                STENCIL_MOST_SIDE, STENCIL_MOST_STEPS);
        MPI_Finalize();
        return 2;
    }
    int first = stencil_first(side, processes, me);
    planes = stencil_first(side, processes, me + 1) - first;
    neighbours[BEFORE] = neighbour(processes, me, -1);
    neighbours[BEHIND] = neighbour(processes, me, 1);
    double *slabs[2] = {stencil_take(side, planes), stencil_take(side, planes)};
    stencil_fill(slabs[0], side, first, planes);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = app_seconds();
#pragma omp parallel
    for (int i = 0; i < steps; i++)
        step(slabs[(i + 1) % 2], slabs[i % 2]);
    double seconds = app_seconds() - start;
    uint64_t mine = stencil_sum(slabs[steps % 2], side, first, planes), sum;
    MPI_Reduce(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (me == 0)
        wrong = stencil_report(is_funnelled ? "funnelled" : "hybrid", side, steps, processes, seconds, sum);
    free(slabs[0]);
    free(slabs[1]);
    MPI_Finalize();
    return wrong;
}
