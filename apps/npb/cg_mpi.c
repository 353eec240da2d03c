/*
 * cg_mpi: CG over MPI: each process has a run of rows, and gathers the whole vector for each product.
 *
 * usage: cg_mpi CLASS
 */
#include <mpi.h>

#include "cg_solve.h"

static double *whole;
static int *counts, *places, process, processes;

static double sum_all(double mine)
{
    double sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static const double *all_of(const double *mine)
{
    MPI_Allgatherv(mine, counts[process], MPI_DOUBLE, whole, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
    return whole;
}

/* Returns 0, or 1 if out of memory. */
static int start_whole(int rows)
{
    whole = malloc((size_t)rows * sizeof *whole);
    counts = malloc((size_t)processes * sizeof *counts);
    places = malloc((size_t)processes * sizeof *places);
    if (whole == NULL || counts == NULL || places == NULL)
        return 1;
    for (int p = 0; p < processes; p++) {
        places[p] = (int)((long)rows * p / processes);
        counts[p] = (int)((long)rows * (p + 1) / processes) - places[p];
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct cg_state state;
    int status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    int class = npb_class(argc, argv, process == 0);
    if (class < 0) {
        MPI_Finalize();
        return 2;
    }
    if (start_whole(cg_classes[class].rows) != 0 ||
        cg_start(class, places[process], places[process] + counts[process], counts[process], &state) != 0) {
        npb_no_memory(process);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    cg_iterate(class, &state, 1); /* warm-up: touches the memory */
    MPI_Barrier(MPI_COMM_WORLD);
    double start = app_seconds();
    double zeta = cg_iterate(class, &state, cg_classes[class].iterations);
    double seconds = app_seconds() - start;
    if (process == 0)
        status = cg_report("MPI", class, processes, seconds, zeta);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    cg_end(&state);
    free(whole);
    free(counts);
    free(places);
    MPI_Finalize();
    return status;
}
