/*
 * uts: unbalanced tree search in UPC.
 *
 * usage: uts TREE
 *
 * A thread works on a stack of its own, in private memory.  While the stack is long, the thread publishes the nodes
 * nearest to the root, a chunk at a time, in shared memory, under a lock of its own.  A thread that has no nodes left
 * takes its own published chunks back, then steals one from another thread.  Threads that find nothing to steal count
 * themselves idle, look again, and end when all threads are idle: published chunks belong to threads that are not.
 */
#include <upc_collective.h>

#include "../app.h"
#include "uts.h"

enum { CHUNK = 20, OPEN_CHUNKS = 64 };

struct chunk {
    struct uts_node nodes[CHUNK];
};

static shared struct chunk open_chunks[OPEN_CHUNKS][THREADS];
static shared int open_count[THREADS]; /* written under that thread's lock; read without it, as a hint */
static upc_lock_t *shared locks[THREADS];
static shared int idle_count;
static upc_lock_t *idle_lock;

/* Publishes a chunk, unless many are published already. */
static void release(struct uts_stack *mine)
{
    upc_lock(locks[MYTHREAD]);
    int count = open_count[MYTHREAD];
    if (count < OPEN_CHUNKS) {
        upc_memput(&open_chunks[count][MYTHREAD], mine->nodes + mine->bottom, sizeof(struct chunk));
        mine->bottom += CHUNK;
        open_count[MYTHREAD] = count + 1;
    }
    upc_unlock(locks[MYTHREAD]);
}

/* Takes a chunk that a thread has published; returns whether there was one. */
static int take(int from, struct uts_stack *mine)
{
    if (open_count[from] == 0)
        return 0;
    upc_lock(locks[from]);
    int count = open_count[from];
    if (count > 0) {
        uts_stack_make_room(mine, CHUNK);
        upc_memget(mine->nodes + mine->top, &open_chunks[count - 1][from], sizeof(struct chunk));
        mine->top += CHUNK;
        open_count[from] = count - 1;
    }
    upc_unlock(locks[from]);
    return count > 0;
}

static int steal(struct uts_stack *mine)
{
    for (int i = 1; i < THREADS; i++)
        if (take((MYTHREAD + i) % THREADS, mine))
            return 1;
    return 0;
}

static int is_something_open(void)
{
    for (int i = 1; i < THREADS; i++)
        if (open_count[(MYTHREAD + i) % THREADS] > 0)
            return 1;
    return 0;
}

static void count_idle(int change)
{
    upc_lock(idle_lock);
    idle_count += change;
    upc_unlock(idle_lock);
}

/* False if no thread has any nodes left.  A stealing thread does not count as idle, so nodes in transit are not
 * missed. */
static int find_nodes(struct uts_stack *mine)
{
    if (take(MYTHREAD, mine) || steal(mine))
        return 1;
    count_idle(1);
    for (;;) {
        if (is_something_open()) {
            count_idle(-1);
            if (steal(mine))
                return 1;
            count_idle(1);
        }
        upc_lock(idle_lock);
        int idle = idle_count;
        upc_unlock(idle_lock);
        if (idle == THREADS)
            return 0;
        upc_poll();
    }
}

static shared long nodes[THREADS], leaves[THREADS], heights[THREADS], total_nodes, total_leaves, total_height;

int main(int argc, char **argv)
{
    const struct uts_tree *tree = uts_tree_of(argc, argv, MYTHREAD == 0);
    if (tree == NULL)
        return 2;
    struct uts_counts counts = {0, 0, 0};
    struct uts_stack mine = {NULL, 0, 0, 0};
    locks[MYTHREAD] = upc_global_lock_alloc();
    idle_lock = upc_all_lock_alloc();
    if (MYTHREAD == 0)
        uts_push(&mine, uts_root(tree));
    upc_barrier;
    double start = app_seconds();
    do {
        while (mine.top > mine.bottom) {
            uts_visit(tree, &mine, &counts);
            if (THREADS > 1 && mine.top - mine.bottom > 2 * CHUNK && open_count[MYTHREAD] < OPEN_CHUNKS)
                release(&mine);
        }
    } while (find_nodes(&mine));
    upc_barrier;
    double seconds = app_seconds() - start;
    free(mine.nodes);
    nodes[MYTHREAD] = counts.nodes;
    leaves[MYTHREAD] = counts.leaves;
    heights[MYTHREAD] = counts.height;
    upc_all_reduceL(&total_nodes, nodes, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_all_reduceL(&total_leaves, leaves, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_all_reduceL(&total_height, heights, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_lock_free(locks[MYTHREAD]);
    upc_all_lock_free(idle_lock);
    if (MYTHREAD != 0)
        return 0;
    return uts_report("UPC", tree, THREADS, seconds, (struct uts_counts){total_nodes, total_leaves, total_height});
}
