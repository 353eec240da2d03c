/*
 * An MPI program whose ranks are UPC threads.
 *
 *     main check          both libraries move data; each rank prints "ok"
 *     main status R S     rank R ends with status S
 *     main crash R        rank R dies of a signal
 *     main abort R        rank R calls MPI_Abort
 */
#include <bupc_extern.h>
#include <mpi.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* work.upc */
int check_neighbours(const int *expected);
int ring_in_upc(MPI_Comm world);

static int check(void)
{
    int rank, size, failures = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    failures += rank != bupc_extern_mythread();
    failures += size != bupc_extern_threads();

    /* MPI computes what UPC must find. */
    int *squares = malloc((size_t)size * sizeof *squares), mine = rank * rank;
    MPI_Allgather(&mine, 1, MPI_INT, squares, 1, MPI_INT, MPI_COMM_WORLD);
    failures += check_neighbours(squares);
    free(squares);

    /* A buffer of MPI in shared memory */
    int *part = bupc_extern_all_alloc((size_t)size, sizeof(int));
    *part = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 5, part, 1, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    failures += *part != (rank + size - 1) % size;
    bupc_extern_all_free(part, rank);

    failures += ring_in_upc(MPI_COMM_WORLD);
    puts(failures == 0 ? "ok" : "wrong");
    return failures != 0;
}

int main(int argc, char **argv)
{
    int status = 0;
    bupc_init(&argc, &argv);
    MPI_Init(&argc, &argv);
    if (strcmp(argv[1], "check") == 0)
        status = check();
    int is_meant = argc > 2 && atoi(argv[2]) == bupc_extern_mythread();
    if (is_meant && strcmp(argv[1], "status") == 0)
        status = atoi(argv[3]);
    if (is_meant && strcmp(argv[1], "crash") == 0)
        raise(SIGKILL);
    if (is_meant && strcmp(argv[1], "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 7);
    bupc_extern_barrier(1);
    MPI_Finalize();
    bupc_exit(status);
}
