/*
 * bfs_messages: counts the messages of the breadth-first search of apps/bfs/bfs_hybrid.c, on more cores than there are
 * here.
 *
 *     bfs_messages THREADS_OF_PROCESS VISITS_OF_MESSAGE CORES...
 *
 * A real search through a graph of 2^18 vertices gives the fraction of visits in each level.  For one thread of the
 * larger machine, the visits of each level are generated from edges drawn as in the graph, and follow the search's
 * rule: a buffer for each process, sent when it is full, and with its remaining contents at the end of a level; then an
 * empty message to each process.  There are 2^16 vertices per core, as in the study.
 */
#include "../../apps/bfs/graph500.h"

enum {
    WALKED_SCALE = 18,
    SCALE_OF_CORE = 16,
    LEVELS_MAX = 32,
    BITS_OF_RANDOM = 11 /* more bits than a double holds */
};

/* Counts the visits of each level of a search; returns the number of levels. */
static int walk(const struct graph *graph, int root, double *visits)
{
    int *queue = graph_take((size_t)graph->vertices, sizeof *queue);
    char *is_found = graph_take((size_t)graph->vertices, 1);
    long head = 0, tail = 0;
    int levels = 0;
    queue[tail++] = root;
    is_found[root] = 1;
    while (head < tail && levels < LEVELS_MAX) {
        for (long end = tail; head < end; head++) {
            int u = queue[head];
            visits[levels] += (double)(graph->first[u + 1] - graph->first[u]);
            for (long e = graph->first[u]; e < graph->first[u + 1]; e++) {
                int v = graph->neighbours[e];
                if (!is_found[v])
                    queue[tail++] = v;
                is_found[v] = 1;
            }
        }
        levels++;
    }
    free(queue);
    free(is_found);
    return levels;
}

/* The process of an edge's other end, with as many random bits as for the vertices (graph_edge) */
static long owner_of_end(uint64_t edge, int scale, long processes)
{
    uint64_t vertex = 0;
    for (int bit = 0; bit < scale; bit++) {
        double random = (double)(graph_mix(graph_mix(edge) + (uint64_t)bit) >> BITS_OF_RANDOM) * 0x1p-53;
        int is_lower = random >= 0.57 + 0.19;
        int is_right = is_lower ? random >= 0.57 + 0.19 + 0.19 : random >= 0.57;
        vertex = vertex << 1 | (uint64_t)is_right;
    }
    return (long)(graph_mix(vertex) % (uint64_t)processes);
}

struct messages {
    double full, incomplete, empty;
};

static struct messages messages_of_thread(long processes, int buffer_visits, int scale, const double *parts, int levels)
{
    struct messages messages = {0, 0, 0};
    int *counts = graph_take((size_t)processes, sizeof *counts);
    uint64_t edge = 0;
    double all = ldexp(2 * GRAPH_EDGE_FACTOR, SCALE_OF_CORE);
    for (int level = 0; level < levels; level++) {
        for (double visit = 0; visit < floor(all * parts[level]); visit++) {
            long to = owner_of_end(edge++, scale, processes);
            if (to == 0) /* this thread's own process */
                continue;
            if (++counts[to] == buffer_visits) {
                messages.full++;
                counts[to] = 0;
            }
        }
        for (long to = 0; to < processes; to++) {
            messages.incomplete += counts[to] > 0;
            counts[to] = 0;
        }
        messages.empty += (double)processes - 1;
    }
    free(counts);
    return messages;
}

int main(int argc, char **argv)
{
    double visits[LEVELS_MAX] = {0}, sum = 0;
    int threads = argc > 3 ? atoi(argv[1]) : 0, buffer_visits = argc > 3 ? atoi(argv[2]) : 0;
    if (threads < 1 || buffer_visits < 1) {
        fprintf(stderr, "usage: bfs_messages THREADS_OF_PROCESS VISITS_OF_MESSAGE CORES...\n");
        return 2;
    }
    struct graph graph = graph_make(WALKED_SCALE, 1, 0, graph_deal_alone);
    int levels = walk(&graph, graph_root(&graph, 0, graph_any_alone), visits);
    graph_free(&graph);
    for (int level = 0; level < levels; level++)
        sum += visits[level];
    for (int level = 0; level < levels; level++)
        visits[level] /= sum;
    printf("{\"levels\": %d, \"machines\": [", levels);
    for (int i = 3; i < argc; i++) {
        long cores = atol(argv[i]);
        int scale = SCALE_OF_CORE + (int)ceil(log2((double)cores));
        struct messages one = messages_of_thread(cores / threads, buffer_visits, scale, visits, levels);
        printf("%s\n {\"cores\": %ld, \"full\": %.0f, \"incomplete\": %.0f, \"empty\": %.0f}", i > 3 ? "," : "", cores,
               one.full, one.incomplete, one.empty);
    }
    printf("]}\n");
    return 0;
}
