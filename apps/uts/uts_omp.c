/*
 * uts_omp: unbalanced tree search with OpenMP.
 *
 * usage: uts_omp TREE
 *
 * A thread that runs out of nodes waits for the common pool; a thread that sees others wait brings it the nodes of its
 * own that are nearest to the root, and so have most below them.  All have found everything when all of them wait.
 */
#include <omp.h>
#include <sched.h>

#include "uts.h"

enum { CHUNK = 20 };

static struct uts_stack pool; /* accessed only inside critical(pool); so are writes of the next two */
static int pooled, idle;

static int is_wanted(void)
{
    int waiting, chunks;
#pragma omp atomic read
    waiting = idle;
#pragma omp atomic read
    chunks = pooled;
    return waiting > chunks;
}

static void bring(struct uts_stack *mine)
{
#pragma omp critical(pool)
    {
        for (int i = 0; i < CHUNK; i++)
            uts_push(&pool, mine->nodes[mine->bottom++]);
#pragma omp atomic update
        pooled++;
    }
}

/* Takes a chunk of the pool, if there is one. */
static int take(struct uts_stack *mine)
{
    int taken = 0;
#pragma omp critical(pool)
    if (pool.top > pool.bottom) {
        for (taken = 0; taken < CHUNK && pool.top > pool.bottom; taken++)
            uts_push(mine, pool.nodes[--pool.top]);
#pragma omp atomic update
        pooled--;
#pragma omp atomic update
        idle--;
    }
    return taken;
}

/* False if nobody has any nodes left */
static int await_nodes(struct uts_stack *mine)
{
    int waiting;
#pragma omp atomic update
    idle++;
    for (;;) {
        if (take(mine))
            return 1;
#pragma omp atomic read
        waiting = idle;
        if (waiting == omp_get_num_threads())
            return 0;
        sched_yield();
    }
}

int main(int argc, char **argv)
{
    const struct uts_tree *tree = uts_tree_of(argc, argv, 1);
    if (tree == NULL)
        return 2;
    long nodes = 0, leaves = 0, height = 0;
    double start = app_seconds();
#pragma omp parallel reduction(+ : nodes, leaves) reduction(max : height)
    {
        struct uts_counts counts = {0, 0, 0};
        struct uts_stack mine = {NULL, 0, 0, 0};
        if (omp_get_thread_num() == 0)
            uts_push(&mine, uts_root(tree));
        do {
            while (mine.top > mine.bottom) {
                uts_visit(tree, &mine, &counts);
                if (mine.top - mine.bottom > 2 * CHUNK && is_wanted())
                    bring(&mine);
            }
        } while (await_nodes(&mine));
        free(mine.nodes);
        nodes = counts.nodes;
        leaves = counts.leaves;
        height = counts.height;
    }
    double seconds = app_seconds() - start;
    free(pool.nodes);
    return uts_report("OpenMP", tree, omp_get_max_threads(), seconds, (struct uts_counts){nodes, leaves, height});
}
