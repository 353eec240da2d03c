/* bfs_seq: breadth-first search in C.  usage: bfs_seq SCALE ROOTS */
#include "graph500.h"

static void search(const struct graph *graph, int root, int *parent, int *queue)
{
    long head = 0, tail = 0;
    for (long v = 0; v < graph->vertices; v++)
        parent[v] = GRAPH_NOBODY;
    parent[root] = root;
    queue[tail++] = root;
    while (head < tail) {
        int u = queue[head++];
        for (long e = graph->first[u]; e < graph->first[u + 1]; e++) {
            int v = graph->neighbours[e];
            if (parent[v] == GRAPH_NOBODY) {
                parent[v] = u;
                queue[tail++] = v;
            }
        }
    }
}

int main(int argc, char **argv)
{
    int scale, roots, wrong = 0;
    double teps[GRAPH_MOST_ROOTS], all_seconds = 0;
    if (argc != 3 || !graph_sizes(argc, argv, &scale, &roots)) {
        fprintf(stderr, "usage: bfs_seq SCALE ROOTS, up to %d and %d\n", GRAPH_MOST_SCALE, GRAPH_MOST_ROOTS);
        return 2;
    }
    struct graph graph = graph_make(scale, 1, 0, graph_deal_alone);
    int *parent = graph_take((size_t)graph.vertices, sizeof *parent);
    int *queue = graph_take((size_t)graph.vertices, sizeof *queue);
    for (int i = 0; i < roots; i++) {
        int root = graph_root(&graph, i, graph_any_alone);
        double start = app_seconds();
        search(&graph, root, parent, queue);
        double seconds = app_seconds() - start;
        all_seconds += seconds;
        teps[i] = graph_ends_in_tree(&graph, parent) / 2 / seconds;
        wrong |= graph_is_wrong(&graph, root, parent);
    }
    graph_report("C", &graph, 1, roots, teps, all_seconds, wrong);
    graph_free(&graph);
    free(parent);
    free(queue);
    return wrong;
}
