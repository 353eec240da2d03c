/*
 * bfs: breadth-first search in UPC.
 *
 * usage: bfs SCALE ROOTS
 *
 * Level by level: each thread goes through its own vertices of the level, and pushes their neighbours to their owners,
 * which take those that they have not seen into the next level.
 */
#include <banyan_aggregate.h>

#include "../app.h"
#include "graph500.h"

static const char usage[] = "bfs SCALE ROOTS, up to 26 and 64";

struct visit {
    int vertex, parent; /* the vertex as its owner numbers it */
};

static struct graph graph;
static int *parent, *level, *next; /* of this thread's vertices; the last two are queues */
static long level_count, next_count;

static void visit(int vertex, int from)
{
    if (parent[vertex] != GRAPH_NOBODY)
        return;
    parent[vertex] = from;
    next[next_count++] = vertex;
}

static void take(void *context, int from, const void *items, size_t count)
{
    const struct visit *visits = items;
    (void)context, (void)from;
    for (size_t i = 0; i < count; i++)
        visit(visits[i].vertex, visits[i].parent);
}

static void search_level(banyan_aggregate_t *visits)
{
    for (long i = 0; i < level_count; i++) {
        int u = level[i] * THREADS + MYTHREAD;
        for (long e = graph.first[level[i]]; e < graph.first[level[i] + 1]; e++) {
            struct visit one = {graph.neighbours[e] / THREADS, u};
            int owner = graph.neighbours[e] % THREADS;
            if (owner == MYTHREAD)
                visit(one.vertex, u);
            else
                banyan_aggregate_push(visits, owner, &one);
        }
    }
    banyan_aggregate_end(visits);
}

static void search(banyan_aggregate_t *visits, int root)
{
    for (long i = 0; i < graph.mine; i++)
        parent[i] = GRAPH_NOBODY;
    next_count = 0;
    if (root % THREADS == MYTHREAD)
        visit(root / THREADS, root);
    while (app_sum((double)next_count) > 0) {
        int *done = level;
        level = next;
        next = done;
        level_count = next_count;
        next_count = 0;
        search_level(visits); /* the first that may take vertices into the new queue */
    }
}

/* On thread 0: whether the tree of all threads is wrong. */
static int is_wrong(shared int *all_parents, int root)
{
    int wrong = 0;
    for (long i = 0; i < graph.mine; i++)
        all_parents[i * THREADS + MYTHREAD] = parent[i];
    upc_barrier;
    if (MYTHREAD == 0) {
        int *parents = graph_take((size_t)graph.mine * THREADS, sizeof *parents);
        for (long v = 0; v < graph.mine * THREADS; v++)
            parents[v] = all_parents[v];
        wrong = graph_is_wrong(&graph, root, parents);
        free(parents);
    }
    upc_barrier;
    return wrong;
}

int main(int argc, char **argv)
{
    int scale, roots, wrong = 0;
    double teps[GRAPH_MOST_ROOTS], all_seconds = 0;
    if (argc != 3 || !graph_sizes(argc, argv, &scale, &roots))
        app_usage(usage);
    graph = graph_make(scale, THREADS, MYTHREAD);
    parent = graph_take((size_t)graph.mine, sizeof *parent);
    level = graph_take((size_t)graph.mine, sizeof *level);
    next = graph_take((size_t)graph.mine, sizeof *next);
    shared int *all_parents = upc_all_alloc((size_t)graph.mine * THREADS, sizeof(int));
    if (all_parents == NULL) {
        fprintf(stderr, "thread %d: no shared memory for the parents; choose a smaller scale\n", MYTHREAD);
        upc_global_exit(1);
    }
    banyan_aggregate_t *visits = banyan_aggregate_all_make(sizeof(struct visit), 0, take, NULL);
    for (int i = 0; i < roots; i++) {
        upc_barrier;
        double start = app_seconds();
        search(visits, graph_root(&graph, i));
        double seconds = app_max(app_seconds() - start);
        all_seconds += seconds;
        teps[i] = app_sum(graph_ends_in_tree(&graph, parent)) / 2 / seconds;
        wrong |= is_wrong(all_parents, graph_root(&graph, i));
    }
    if (MYTHREAD == 0)
        graph_report("UPC", &graph, THREADS, roots, teps, all_seconds, wrong);
    banyan_aggregate_all_free(visits);
    upc_all_free(all_parents);
    graph_free(&graph);
    free(parent);
    free(level);
    free(next);
    return wrong;
}
