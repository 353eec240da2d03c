/*
 * graph.h: the graph of the programs of this folder, and distances in it by another algorithm, for their check.
 *
 * Every program, in whatever language, generates the same graph, so all print the same sum for the same n.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include <stdint.h>

/* Larger than any distance; twice that still fits into an int. */
enum { FAR = 1000000000 };

/* The weight of the edge from one vertex to another, FAR if there is none.  Three in four pairs have no edge, but each
 * vertex has an edge to the next one, so that all are reached. */
static inline int edge(long from, long to, long n)
{
    long mixed = (from * 7919 + to * 104729 + from * to % 8191 * 613) % 16381;
    if (from == to)
        return 0;
    return mixed % 4 == 0 || to == (from + 1) % n ? (int)(mixed % 997) + 1 : FAR;
}

/* Distances of all n vertices from one of them, by Dijkstra's algorithm.  is_final: room for n flags */
static inline void distances_from(long start, long n, int *distance, char *is_final)
{
    for (long v = 0; v < n; v++) {
        distance[v] = edge(start, v, n);
        is_final[v] = v == start;
    }
    for (long round = 1; round < n; round++) {
        long nearest = -1;
        for (long v = 0; v < n; v++)
            if (!is_final[v] && (nearest < 0 || distance[v] < distance[nearest]))
                nearest = v;
        is_final[nearest] = 1;
        for (long v = 0; v < n; v++) {
            int over = distance[nearest] + edge(nearest, v, n);
            if (over < distance[v])
                distance[v] = over;
        }
    }
}

/* Rows are dealt out in blocks of this size; the last processes may have fewer rows, or none. */
static inline long block_rows(long n, long processes)
{
    return (n + processes - 1) / processes;
}

static inline long rows_of(long n, long processes, long process)
{
    long block = block_rows(n, processes);
    long left = n - process * block;
    return left < 0 ? 0 : left < block ? left : block;
}

/*
 * Shortens the paths of `rows` rows, each n long, by paths over vertex k, whose distances to all vertices are row_k.
 * Row k is the only one whose distance to k is 0, so it does not change, and row_k may be that very row.
 */
static inline void relax(int *restrict mine, long rows, long n, long k, const int *restrict row_k)
{
    for (long i = 0; i < rows; i++) {
        int *restrict row = mine + i * n;
        int to_k = row[k];
        if (to_k == 0 || to_k >= FAR)
            continue;
        for (long j = 0; j < n; j++) {
            int over = to_k + row_k[j];
            row[j] = over < row[j] ? over : row[j];
        }
    }
}

/* The sum of all distances in some rows, as a checksum */
static inline int64_t sum_of(const int *mine, long rows, long n)
{
    int64_t sum = 0;
    for (long at = 0; at < rows * n; at++)
        sum += mine[at];
    return sum;
}

/* How many distances of `rows` rows, from row `first` on, differ from Dijkstra's; the last two arguments are as for
 * distances_from */
static inline long wrong_of(const int *mine, long first, long rows, long n, int *distance, char *is_final)
{
    long wrong = 0;
    for (long i = 0; i < rows; i++) {
        distances_from(first + i, n, distance, is_final);
        for (long j = 0; j < n; j++)
            wrong += mine[i * n + j] != distance[j];
    }
    return wrong;
}

#endif
