// A UPC program that uses MPI without starting it.
//
//     unstarted          each thread prints "ok"
//     unstarted exit     the same, by exit
//     unstarted R S      the same, and thread R ends with status S
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>

shared int squares[THREADS];

int main(int argc, char **argv)
{
    int rank, sum = 0, expected = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    squares[MYTHREAD] = rank * rank;
    upc_barrier;
    MPI_Allreduce((int *)&squares[MYTHREAD], &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int t = 0; t < THREADS; t++)
        expected += squares[t];
    puts(sum == expected && rank == MYTHREAD ? "ok" : "wrong");
    if (argc == 2)
        exit(EXIT_SUCCESS);
    return argc == 3 && atoi(argv[1]) == MYTHREAD ? atoi(argv[2]) : 0;
}
