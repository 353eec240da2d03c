/*
 * graph500.h: the graph, the check of a tree, and the statistics, for all forms of the search.
 *
 * Vertex v belongs to process v % count, as its number v / count.
 */
#ifndef GRAPH500_H
#define GRAPH500_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../seconds.h"

enum { GRAPH_EDGE_FACTOR = 16, GRAPH_MOST_SCALE = 26, GRAPH_MOST_ROOTS = 64, GRAPH_NOBODY = -1 };

/* Memory for count objects, all zero; the program ends if there is none. */
static inline void *graph_take(size_t count, size_t size_bytes)
{
    void *memory = calloc(count + 1, size_bytes);
    if (memory == NULL) {
        fprintf(stderr, "bfs: no memory for %zu times %zu bytes; choose a smaller scale\n", count, size_bytes);
        exit(1);
    }
    return memory;
}

static inline uint64_t graph_mix(uint64_t number)
{
    number += UINT64_C(0x9e3779b97f4a7c15);
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

/* Another number for each vertex, so that low numbers have no more edges than others */
static inline uint32_t graph_scramble(uint32_t vertex, int scale)
{
    uint32_t mask = (UINT32_C(1) << scale) - 1;
    for (int round = 0; round < 3; round++) {
        vertex = (vertex * UINT32_C(0x9e3779b1) + UINT32_C(0x7f4a7c15)) & mask;
        vertex ^= vertex >> (scale / 2 + 1);
    }
    return vertex;
}

/* The ends of edge number e: in each step one of the quadrants of the matrix. */
static inline void graph_edge(int scale, uint64_t e, int *u_p, int *v_p)
{
    uint32_t u = 0, v = 0;
    for (int bit = 0; bit < scale; bit++) {
        double random = (double)(graph_mix(graph_mix(e) + (uint64_t)bit) >> 11) * 0x1p-53;
        int is_lower = random >= 0.57 + 0.19;                                    /* C and D */
        int is_right = is_lower ? random >= 0.57 + 0.19 + 0.19 : random >= 0.57; /* D, or B */
        u = u << 1 | (uint32_t)is_lower;
        v = v << 1 | (uint32_t)is_right;
    }
    *u_p = (int)graph_scramble(u, scale);
    *v_p = (int)graph_scramble(v, scale);
}

/* The edges that begin at the vertices of a process, in both directions and without loops */
struct graph {
    int scale, count, me;
    long vertices, mine; /* of all, and of this process at most */
    long *first;         /* the neighbours of its vertex number i are from first[i] on, up to first[i + 1] */
    int *neighbours;
    char *is_joined; /* any vertex, to others */
};

static inline long graph_edges(int scale)
{
    return (long)GRAPH_EDGE_FACTOR << scale;
}

static inline struct graph graph_make(int scale, int count, int me)
{
    struct graph graph = {.scale = scale, .count = count, .me = me, .vertices = 1L << scale};
    graph.mine = (graph.vertices + count - 1) / count;
    graph.first = graph_take((size_t)graph.mine + 2, sizeof *graph.first);
    graph.is_joined = graph_take((size_t)graph.vertices, 1);
    int ends[2];
    for (int pass = 0; pass < 2; pass++) {
        for (long e = 0; e < graph_edges(scale); e++) {
            graph_edge(scale, (uint64_t)e, &ends[0], &ends[1]);
            for (int side = 0; side < 2 && ends[0] != ends[1]; side++) {
                graph.is_joined[ends[side]] = 1;
                if (ends[side] % count != me)
                    continue;
                long mine = ends[side] / count;
                if (pass == 0)
                    graph.first[mine + 2]++;
                else
                    graph.neighbours[graph.first[mine + 1]++] = ends[1 - side];
            }
        }
        if (pass > 0)
            break;
        for (long i = 0; i < graph.mine; i++)
            graph.first[i + 2] += graph.first[i + 1];
        graph.neighbours = graph_take((size_t)graph.first[graph.mine + 1], sizeof *graph.neighbours);
    }
    return graph;
}

static inline void graph_free(struct graph *graph)
{
    free(graph->first);
    free(graph->neighbours);
    free(graph->is_joined);
}

/* Root number i: a vertex with edges */
static inline int graph_root(const struct graph *graph, int i)
{
    uint64_t random = graph_mix((uint64_t)i + 1000);
    while (!graph->is_joined[random % (uint64_t)graph->vertices])
        random = graph_mix(random);
    return (int)(random % (uint64_t)graph->vertices);
}

/* The edges of this process's vertices in the tree, each counted from both ends */
static inline double graph_ends_in_tree(const struct graph *graph, const int *parent)
{
    double ends = 0;
    for (long i = 0; i < graph->mine; i++)
        if (parent[i] != GRAPH_NOBODY)
            ends += (double)(graph->first[i + 1] - graph->first[i]);
    return ends;
}

/* The level of a vertex; -1 for one outside the tree, -2 where the way to the root does not end. */
static inline int graph_level(const int *parent, int root, long vertices, int *level, int vertex)
{
    int steps = 0, at = vertex;
    if (parent[vertex] == GRAPH_NOBODY)
        return -1;
    for (; level[at] == 0 && at != root && steps <= vertices; steps++) {
        at = parent[at];
        if (at < 0 || at >= vertices)
            return -2;
    }
    if (steps > vertices)
        return -2;
    return level[at] + steps;
}

/*
 * Whether parent, of all vertices by their numbers, is wrong by one of the five checks of the specification:
 *     1 no cycles, the root is its own parent   2 levels of a vertex and its parent differ by one (by how they are
 *     counted here)   3 those of the ends of an edge by at most one   4 the tree spans the component
 *     5 a vertex and its parent are joined by an edge
 */
static inline int graph_is_wrong(const struct graph *graph, int root, const int *parent)
{
    long vertices = graph->vertices;
    int *level = graph_take((size_t)vertices, sizeof *level), wrong = parent[root] != root;
    char *is_edge = graph_take((size_t)vertices, 1);
    for (int v = 0; v < vertices && !wrong; v++) {
        level[v] = graph_level(parent, root, vertices, level, v);
        wrong |= level[v] == -2 || (level[v] == -1) != (parent[v] == GRAPH_NOBODY);
        if (level[v] == -1)
            level[v] = 0; /* known by its parent */
    }
    for (long e = 0; e < graph_edges(graph->scale) && !wrong; e++) {
        int u, v;
        graph_edge(graph->scale, (uint64_t)e, &u, &v);
        wrong |= (parent[u] == GRAPH_NOBODY) != (parent[v] == GRAPH_NOBODY);
        wrong |= parent[u] != GRAPH_NOBODY && abs(level[u] - level[v]) > 1;
        is_edge[u] |= parent[u] == v;
        is_edge[v] |= parent[v] == u;
    }
    for (int v = 0; v < vertices && !wrong; v++)
        wrong |= parent[v] != GRAPH_NOBODY && v != root && !is_edge[v];
    free(level);
    free(is_edge);
    return wrong;
}

static inline int graph_compare(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* Prints the line of the result; teps of each root is sorted.  seconds: of all searches. */
static inline void graph_report(const char *form, const struct graph *graph, int n, int roots, double *teps,
                                double seconds, int wrong)
{
    double inverse = 0, squares = 0;
    qsort(teps, (size_t)roots, sizeof *teps, graph_compare);
    for (int i = 0; i < roots; i++)
        inverse += 1 / teps[i] / roots;
    for (int i = 0; i < roots; i++)
        squares += (1 / teps[i] - inverse) * (1 / teps[i] - inverse);
    double deviation = roots > 1 ? sqrt(squares) / (roots - 1) / (inverse * inverse) : 0;
    printf("bfs %s: scale %d, %d roots, n %d, %.3f s, million TEPS %.3f to %.3f, median %.3f, harmonic mean %.3f, its "
           "deviation %.3f: %s\n",
           form, graph->scale, roots, n, seconds, 1e-6 * teps[0], 1e-6 * teps[roots - 1], 1e-6 * teps[roots / 2],
           1e-6 / inverse, 1e-6 * deviation, wrong ? "WRONG" : "right");
}

/* Reads "SCALE ROOTS" of the command line; 0 if that is not what stands there. */
static inline int graph_sizes(int argc, char **argv, int *scale_p, int *roots_p)
{
    char *end;
    if (argc < 3)
        return 0;
    long scale = strtol(argv[1], &end, 10), roots = *end == '\0' ? strtol(argv[2], &end, 10) : 0;
    *scale_p = (int)scale;
    *roots_p = (int)roots;
    return *end == '\0' && scale >= 1 && scale <= GRAPH_MOST_SCALE && roots >= 1 && roots <= GRAPH_MOST_ROOTS;
}

#endif
