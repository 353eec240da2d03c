/*
 * graph500.h: the graph, the check of a tree, and the statistics, for all forms of the search.
 *
 * Vertex v belongs to process v % count, where its number is v / count.
 */
#ifndef GRAPH500_H
#define GRAPH500_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../seconds.h"

enum { GRAPH_EDGE_FACTOR = 16, GRAPH_MOST_SCALE = 26, GRAPH_MOST_ROOTS = 64, GRAPH_NOBODY = -1 };

/* Zeroed memory for `count` objects; ends the program if there is none. */
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

/* Renumbers vertices, so that those with low numbers have no more edges than others */
static inline uint32_t graph_scramble(uint32_t vertex, int scale)
{
    uint32_t mask = (UINT32_C(1) << scale) - 1;
    for (int round = 0; round < 3; round++) {
        vertex = (vertex * UINT32_C(0x9e3779b1) + UINT32_C(0x7f4a7c15)) & mask;
        vertex ^= vertex >> (scale / 2 + 1);
    }
    return vertex;
}

/* The ends of edge number e: each step chooses one of the quadrants of the matrix. */
static inline void graph_edge(int scale, uint64_t e, int *u_p, int *v_p)
{
    uint32_t u = 0, v = 0;
    for (int bit = 0; bit < scale; bit++) {
        double random = (double)(graph_mix(graph_mix(e) + (uint64_t)bit) >> 11) * 0x1p-53;
        int is_lower = random >= 0.57 + 0.19;                                    /* quadrant C or D */
        int is_right = is_lower ? random >= 0.57 + 0.19 + 0.19 : random >= 0.57; /* quadrant D or B */
        u = u << 1 | (uint32_t)is_lower;
        v = v << 1 | (uint32_t)is_right;
    }
    *u_p = (int)graph_scramble(u, scale);
    *v_p = (int)graph_scramble(v, scale);
}

/* An edge, as the owner of a vertex keeps it */
struct graph_end {
    int vertex, neighbour; /* by their global numbers */
};

/* The edges that begin at the vertices of a process, in both directions and without loops */
struct graph {
    int scale, count, me;
    long vertices, mine; /* in total, and at most on this process */
    long *first;         /* the neighbours of its vertex number i are from first[i] up to first[i + 1] */
    int *neighbours;
    struct graph_end *ends; /* while the graph is being made */
    long end_count, end_room;
};

static inline long graph_edges(int scale)
{
    return (long)GRAPH_EDGE_FACTOR << scale;
}

/* The first edge of a process's part of all edges, which it makes and checks */
static inline long graph_first_edge(const struct graph *graph, int process)
{
    return graph_edges(graph->scale) / graph->count * process +
           graph_edges(graph->scale) % graph->count * process / graph->count;
}

/* Both ends of edge number e; returns their number, which is 0 for a loop. */
static inline int graph_ends_of(const struct graph *graph, long e, struct graph_end ends[2])
{
    int u, v;
    graph_edge(graph->scale, (uint64_t)e, &u, &v);
    ends[0] = (struct graph_end){u, v};
    ends[1] = (struct graph_end){v, u};
    return u == v ? 0 : 2;
}

/* Keeps ends that belong to this process. */
static inline void graph_add(struct graph *graph, const struct graph_end *ends, long count)
{
    if (count == 0)
        return;
    if (graph->end_count + count > graph->end_room) {
        graph->end_room = 2 * (graph->end_count + count);
        graph->ends = realloc(graph->ends, (size_t)graph->end_room * sizeof *ends);
        if (graph->ends == NULL) {
            fprintf(stderr, "bfs: no memory for %ld edges; choose a smaller scale\n", graph->end_room);
            exit(1);
        }
    }
    memcpy(graph->ends + graph->end_count, ends, (size_t)count * sizeof *ends);
    graph->end_count += count;
}

/* deal: makes this process's part of the edges, and sends each end to its owner, which calls graph_add */
static inline struct graph graph_make(int scale, int count, int me, void (*deal)(struct graph *))
{
    struct graph graph = {.scale = scale, .count = count, .me = me, .vertices = 1L << scale};
    graph.mine = (graph.vertices + count - 1) / count;
    graph.first = graph_take((size_t)graph.mine + 2, sizeof *graph.first);
    deal(&graph);
    graph.neighbours = graph_take((size_t)graph.end_count, sizeof *graph.neighbours);
    for (long i = 0; i < graph.end_count; i++)
        graph.first[graph.ends[i].vertex / count + 2]++;
    for (long i = 0; i < graph.mine; i++)
        graph.first[i + 2] += graph.first[i + 1];
    for (long i = 0; i < graph.end_count; i++)
        graph.neighbours[graph.first[graph.ends[i].vertex / count + 1]++] = graph.ends[i].neighbour;
    free(graph.ends);
    graph.ends = NULL;
    return graph;
}

/* The `deal` of graph_make for a single process */
static inline void graph_deal_alone(struct graph *graph)
{
    struct graph_end ends[2];
    for (long e = 0; e < graph_edges(graph->scale); e++)
        graph_add(graph, ends, graph_ends_of(graph, e, ends));
}

static inline void graph_free(struct graph *graph)
{
    free(graph->first);
    free(graph->neighbours);
}

/* Whether a vertex has edges; 0 on all processes but its owner */
static inline int graph_is_joined(const struct graph *graph, int vertex)
{
    const long *first = &graph->first[vertex / graph->count];
    return vertex % graph->count == graph->me && first[1] > first[0];
}

/* Root number i: a vertex with edges. any: returns whether its argument is not 0 on some process; a collective call */
static inline int graph_root(const struct graph *graph, int i, int (*any)(int))
{
    uint64_t random = graph_mix((uint64_t)i + 1000);
    while (!any(graph_is_joined(graph, (int)(random % (uint64_t)graph->vertices))))
        random = graph_mix(random);
    return (int)(random % (uint64_t)graph->vertices);
}

/* The `any` of graph_root for a single process */
static inline int graph_any_alone(int mine)
{
    return mine;
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

/* The level of a vertex; -1 for one outside the tree, -2 if following parents never ends. */
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

/* Whether an edge leads from one of this process's vertices to another vertex */
static inline int graph_has_edge(const struct graph *graph, int vertex, int neighbour)
{
    long i = vertex / graph->count;
    for (long e = graph->first[i]; e < graph->first[i + 1]; e++)
        if (graph->neighbours[e] == neighbour)
            return 1;
    return 0;
}

/*
 * Whether `parent`, indexed by global numbers, fails one of the five checks of the specification:
 *     1 no cycles, the root is its own parent   2 levels of a vertex and its parent differ by one (by construction of
 *     the levels here)   3 those of the ends of an edge differ by at most one   4 the tree spans the component
 *     5 a vertex and its parent are joined by an edge
 * A process checks its part of the edges, which it makes once more, and for 5 its own vertices.
 */
static inline int graph_is_wrong(const struct graph *graph, int root, const int *parent)
{
    long vertices = graph->vertices;
    int *level = graph_take((size_t)vertices, sizeof *level), wrong = parent[root] != root;
    for (int v = 0; v < vertices && !wrong; v++) {
        level[v] = graph_level(parent, root, vertices, level, v);
        wrong |= level[v] == -2 || (level[v] == -1) != (parent[v] == GRAPH_NOBODY);
        if (level[v] == -1)
            level[v] = 0; /* known from its parent */
    }
    for (long e = graph_first_edge(graph, graph->me); e < graph_first_edge(graph, graph->me + 1) && !wrong; e++) {
        int u, v;
        graph_edge(graph->scale, (uint64_t)e, &u, &v);
        wrong |= (parent[u] == GRAPH_NOBODY) != (parent[v] == GRAPH_NOBODY);
        wrong |= parent[u] != GRAPH_NOBODY && abs(level[u] - level[v]) > 1;
    }
    for (long v = graph->me; v < vertices && !wrong; v += graph->count)
        wrong |= parent[v] != GRAPH_NOBODY && v != root && !graph_has_edge(graph, (int)v, parent[v]);
    free(level);
    return wrong;
}

static inline int graph_compare(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* Prints the result line. teps: of each root, sorted here. seconds: of all searches. */
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

/* Reads "SCALE ROOTS" from the command line; 0 if it is anything else. */
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
