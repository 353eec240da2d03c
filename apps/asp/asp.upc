/*
 * asp: the shortest paths between all pairs of vertices of a graph, by Floyd and Warshall.
 *
 * usage: asp [n [--check]]
 *
 * The n x n distances are dealt out in blocks of whole rows.  Step k considers paths over vertex k: the owner of row k
 * broadcasts it, and each thread shortens its own rows, which to the compiler are private memory.  So the only
 * communication is n broadcasts of 4 n bytes, from changing roots.
 *
 * --check compares the distances with those that Dijkstra's algorithm finds, which takes about as long again.
 */
#include <string.h>
#include <upc_collective.h>

#include "../app.h"
#include "graph.h"

static const char usage[] = "asp [n [--check]]";

/* The rows of each thread, and the copy of row k that the broadcast leaves on the others */
static shared [] int *shared rows_at[THREADS];
static shared char *row_copies;

static long n;

static int *take_rows(long rows)
{
    shared [] int *taken = upc_alloc((size_t)(rows > 0 ? rows : 1) * (size_t)n * sizeof(int));
    row_copies = upc_all_alloc(THREADS, (size_t)n * sizeof(int));
    if (taken == NULL || row_copies == NULL) {
        fprintf(stderr, "thread %d: no memory for %ld rows of %ld distances; choose a smaller n\n", MYTHREAD, rows, n);
        upc_global_exit(1);
    }
    rows_at[MYTHREAD] = taken;
    return (int *)taken;
}

/* All steps; returns the seconds that this thread spent in broadcasts. */
static double solve(int *mine, long rows)
{
    double in_broadcast = 0;
    long block = block_rows(n, THREADS);
    const int *row_k = (const int *)(row_copies + MYTHREAD);
    for (long k = 0; k < n; k++) {
        double start = app_seconds();
        /* Threads wait only for the owner of the row. */
        upc_all_broadcast(row_copies, rows_at[k / block] + k % block * n, (size_t)n * sizeof(int),
                          UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
        in_broadcast += app_seconds() - start;
        relax(mine, rows, n, k, row_k);
    }
    return in_broadcast;
}

static long count_wrong(const int *mine, long first, long rows)
{
    int *distance = malloc((size_t)n * sizeof(int));
    char *is_final = malloc((size_t)n);
    if (distance == NULL || is_final == NULL) {
        fprintf(stderr, "thread %d: no memory for the check\n", MYTHREAD);
        upc_global_exit(1);
    }
    long wrong = wrong_of(mine, first, rows, n, distance, is_final);
    free(distance);
    free(is_final);
    return wrong;
}

int main(int argc, char **argv)
{
    int is_checked = argc == 3 && strcmp(argv[2], "--check") == 0;
    if (argc > 2 && !is_checked)
        app_usage(usage);
    n = app_argument(argc, argv, 1, 2000, 1, 100000, usage);
    long rows = rows_of(n, THREADS, MYTHREAD);
    long first = MYTHREAD * block_rows(n, THREADS);

    int *mine = take_rows(rows);
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < n; j++)
            mine[i * n + j] = edge(first + i, j, n);

    upc_barrier;
    double start = app_seconds();
    double in_broadcast = solve(mine, rows);
    upc_barrier;
    double seconds = app_seconds() - start;

    in_broadcast = app_sum(in_broadcast) / THREADS;
    double sum = app_sum((double)sum_of(mine, rows, n));
    double wrong = is_checked ? app_sum((double)count_wrong(mine, first, rows)) : 0;
    if (MYTHREAD == 0)
        printf("asp: %ld vertices, sum %.0f, %.3f s, of it %.3f s in broadcast, %.1f million paths per second%s\n", n,
               sum, seconds, in_broadcast, 1e-6 * (double)n * (double)n * (double)n / seconds,
               !is_checked ? "" : wrong > 0 ? ": WRONG" : ": right");
    upc_free(rows_at[MYTHREAD]);
    upc_all_free(row_copies);
    return wrong > 0;
}
