/*
 * asp_mpi: asp.upc in C over MPI; the same graph, the same rows, MPI_Bcast for upc_all_broadcast.
 *
 * usage: asp_mpi [n [--check]]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

static int process, processes;

static void *take(size_t size_bytes)
{
    void *memory = malloc(size_bytes > 0 ? size_bytes : 1);
    if (memory == NULL) {
        fprintf(stderr, "process %d: no memory for %zu bytes; choose a smaller n\n", process, size_bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

/* All steps; returns the seconds that this process spent in broadcasts. */
static double solve(int *mine, long rows, long n)
{
    double in_broadcast = 0;
    long block = block_rows(n, processes);
    int *copy = take((size_t)n * sizeof(int));
    for (long k = 0; k < n; k++) {
        int owner = (int)(k / block);
        int *row_k = owner == process ? mine + k % block * n : copy;
        double start = MPI_Wtime();
        MPI_Bcast(row_k, (int)n, MPI_INT, owner, MPI_COMM_WORLD);
        in_broadcast += MPI_Wtime() - start;
        relax(mine, rows, n, k, row_k);
    }
    free(copy);
    return in_broadcast;
}

static long read_arguments(int argc, char **argv, int *is_checked_p)
{
    char *end = NULL;
    long n = argc > 1 ? strtol(argv[1], &end, 10) : 2000;
    *is_checked_p = argc == 3 && strcmp(argv[2], "--check") == 0;
    if ((end != NULL && (end == argv[1] || *end != '\0')) || n < 1 || n > 100000 || (argc > 2 && !*is_checked_p)) {
        if (process == 0)
            fprintf(stderr, "usage: asp_mpi [n [--check]]        n is between 1 and 100000\n");
        MPI_Finalize();
        exit(2);
    }
    return n;
}

int main(int argc, char **argv)
{
    int is_checked;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    long n = read_arguments(argc, argv, &is_checked);
    long rows = rows_of(n, processes, process);
    long first = process * block_rows(n, processes);

    int *mine = take((size_t)rows * (size_t)n * sizeof(int));
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < n; j++)
            mine[i * n + j] = edge(first + i, j, n);

    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    double in_broadcast = solve(mine, rows, n);
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;

    long wrong = 0;
    if (is_checked) {
        int *distance = take((size_t)n * sizeof(int));
        char *is_final = take((size_t)n);
        wrong = wrong_of(mine, first, rows, n, distance, is_final);
        free(distance);
        free(is_final);
    }
    long long counts[2] = {sum_of(mine, rows, n), wrong}, all[2];
    double all_broadcast;
    MPI_Allreduce(counts, all, 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&in_broadcast, &all_broadcast, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (process == 0)
        printf("asp: %ld vertices, sum %lld, %.3f s, of it %.3f s in broadcast, %.1f million paths per second%s\n", n,
               all[0], seconds, all_broadcast / processes, 1e-6 * (double)n * (double)n * (double)n / seconds,
               !is_checked ? "" : all[1] > 0 ? ": WRONG" : ": right");
    free(mine);
    MPI_Finalize();
    return all[1] > 0;
}
