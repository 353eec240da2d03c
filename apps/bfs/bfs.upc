/*
 * bfs: breadth-first search in UPC.
 *
 * usage: bfs SCALE ROOTS
 *
 * Level by level, each thread goes through its own vertices of the level, and pushes their neighbours to the owners,
 * which add those that they have not seen to the next level.
 */
#include <banyan_aggregate.h>

#include "../app.h"
#include "graph500.h"

static const char usage[] = "bfs SCALE ROOTS, up to 26 and 64";

struct visit {
    int vertex, parent; /* `vertex`: by its owner's numbering */
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
        search_level(visits); /* the first call that may add vertices to the new queue */
    }
}

/* Whether the tree of all threads is wrong in this thread's part; all_parents: the parts of all threads, in order */
static int is_wrong(shared int *all_parents, int root)
{
    int *part = graph_take((size_t)graph.mine, sizeof *part);
    int *parents = graph_take((size_t)graph.mine * THREADS, sizeof *parents);
    memcpy((int *)&all_parents[MYTHREAD], parent, (size_t)graph.mine * sizeof *parent);
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        upc_memget(part, &all_parents[t], (size_t)graph.mine * sizeof *part);
        for (long i = 0; i < graph.mine; i++)
            parents[i * THREADS + t] = part[i];
    }
    upc_barrier;
    int wrong = graph_is_wrong(&graph, root, parents);
    free(part);
    free(parents);
    return wrong;
}

static int any(int mine)
{
    return app_sum(mine != 0) > 0;
}

/* ---- Making the graph ---- */

static void take_ends(void *context, int from, const void *items, size_t count)
{
    (void)from;
    graph_add(context, items, (long)count);
}

static void deal(struct graph *to)
{
    struct graph_end both[2];
    banyan_aggregate_t *ends = banyan_aggregate_all_make(sizeof *both, 0, take_ends, to);
    for (long e = graph_first_edge(to, MYTHREAD); e < graph_first_edge(to, MYTHREAD + 1); e++)
        for (int i = graph_ends_of(to, e, both) - 1; i >= 0; i--)
            banyan_aggregate_push(ends, both[i].vertex % THREADS, &both[i]);
    banyan_aggregate_end(ends);
    banyan_aggregate_all_free(ends);
}

int main(int argc, char **argv)
{
    int scale, roots, wrong = 0;
    double teps[GRAPH_MOST_ROOTS], all_seconds = 0;
    if (argc != 3 || !graph_sizes(argc, argv, &scale, &roots))
        app_usage(usage);
    graph = graph_make(scale, THREADS, MYTHREAD, deal);
    parent = graph_take((size_t)graph.mine, sizeof *parent);
    level = graph_take((size_t)graph.mine, sizeof *level);
    next = graph_take((size_t)graph.mine, sizeof *next);
    shared int *all_parents = upc_all_alloc(THREADS, (size_t)graph.mine * sizeof(int));
    if (all_parents == NULL) {
        fprintf(stderr, "thread %d: no shared memory for the parents; choose a smaller scale\n", MYTHREAD);
        upc_global_exit(1);
    }
    banyan_aggregate_t *visits = banyan_aggregate_all_make(sizeof(struct visit), 0, take, NULL);
    for (int i = 0; i < roots; i++) {
        int root = graph_root(&graph, i, any);
        upc_barrier;
        double start = app_seconds();
        search(visits, root);
        double seconds = app_max(app_seconds() - start);
        all_seconds += seconds;
        teps[i] = app_sum(graph_ends_in_tree(&graph, parent)) / 2 / seconds;
        wrong |= is_wrong(all_parents, root);
    }
    wrong = any(wrong);
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
