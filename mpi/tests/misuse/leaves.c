/*
 * leaves.c: processes that call MPI_Allreduce and MPI_Bcast forever, until one of them leaves:
 *
 *     leaves HOW RANK     exit:N, _exit:N, return:N (without MPI_Finalize), finalize (MPI_Finalize alone), abort (by
 *                         its signal), MPI_Abort, or stay: it makes no more calls
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INTS = 3000, CALLS_BEFORE = 20 };

static int mine[INTS], got[INTS];

/* Leaves; returns the exit status if the program is to return. */
static int leave(const char *how)
{
    const char *number = strchr(how, ':');
    int status = number ? atoi(number + 1) : 0;
    if (strncmp(how, "exit", 4) == 0)
        exit(status);
    if (strncmp(how, "_exit", 5) == 0)
        _exit(status);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "MPI_Abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(how, "finalize") == 0)
        MPI_Finalize();
    while (strcmp(how, "stay") == 0)
        pause();
    return status;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 3)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int call = 0;; call++) {
        if (call == CALLS_BEFORE && rank == atoi(argv[argc - 1]))
            return leave(argv[argc - 2]);
        MPI_Allreduce(mine, got, call % 2 ? INTS : 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Bcast(mine, INTS, MPI_INT, call % size, MPI_COMM_WORLD);
    }
}
