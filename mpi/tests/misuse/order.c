/*
 * Processes that make different calls where all should make the same.
 *
 *     order CASE...
 *
 * CASE has the calls of each process, by their letters, separated by commas, and is tried on a communicator of its own:
 * "ab,rb" for two processes, of which one begins with an MPI_Allreduce and the other one with an MPI_Reduce; "z"
 * is a delay.  Each process prints a line with its rank, and for each case 1 if a call returned an error, else 0.
 */
#include <mpi.h>

#include <stdio.h>
#include <unistd.h>

enum { CASES_MAX = 16 };

static int call(char letter, MPI_Comm comm)
{
    int one[16] = {1}, other[16];
    switch (letter) {
    case 'a': return MPI_Allreduce(one, other, 1, MPI_INT, MPI_SUM, comm);
    case 'b': return MPI_Barrier(comm);
    case 'c': return MPI_Bcast(one, 1, MPI_INT, 0, comm);
    case 'l': return MPI_Allgather(one, 1, MPI_INT, other, 1, MPI_INT, comm);
    case 'r': return MPI_Reduce(one, other, 1, MPI_INT, MPI_SUM, 0, comm);
    default: usleep(800000); return MPI_SUCCESS; /* longer than others wait before they look */
    }
}

static const char *calls_of(const char *calls, int rank)
{
    for (; rank > 0 && *calls; calls++)
        rank -= *calls == ',';
    return calls;
}

int main(int argc, char **argv)
{
    MPI_Comm comms[CASES_MAX];
    char errors[CASES_MAX + 1] = "";
    int rank, case_count = argc - 1 < CASES_MAX ? argc - 1 : CASES_MAX;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < case_count; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN);
    }
    for (int i = 0; i < case_count; i++) {
        errors[i] = '0';
        for (const char *letter = calls_of(argv[i + 1], rank); *letter && *letter != ','; letter++)
            if (call(*letter, comms[i]) != MPI_SUCCESS)
                errors[i] = '1';
    }
    printf("%d %s\n", rank, errors);
    fflush(stdout);
    for (int i = 0; i < case_count; i++)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}
