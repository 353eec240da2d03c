// An unbalanced tree search as such benchmarks are written: a stack in shared memory for each thread, of which
// others steal chunks by upc_memget under its lock; a cancelable barrier ends it.  The number of nodes is that of
// one thread.
// expect-stdout: ^Tree size = 12533, tree depth = 84, imbalance .*%$
// races: no, all threads write the same value, and look at it
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
#ifdef __UPC_TICK__
#include <upc_tick.h>
#endif

#define MAXSTACKDEPTH 20000
#define CHUNK 20

typedef struct node_t {
    int height;
    unsigned state;
} Node;

typedef struct stealStack_t {
    int sharedStart, local, top;
    int maxTreeDepth;
    long nNodes, nSteal, nFail;
    upc_lock_t *stackLock;
    shared [] Node *stack;
} StealStack;

shared StealStack stealStack[THREADS];
volatile strict shared int cb_cancel, cb_count, cb_done;
upc_lock_t *cb_lock;

#define SS_SIZE(s) ((s)->top - (s)->sharedStart)

static unsigned hash(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

static int children(const Node *n)
{
    if (n->height == 0)
        return 500;
    return n->height < 400 && hash(n->state) % 100 < 24 ? 4 : 0;
}

static void ss_push(StealStack *s, Node *n)
{
    if (s->top >= MAXSTACKDEPTH) {
        fprintf(stderr, "ss_push: stack overflow\n");
        upc_global_exit(4);
    }
    upc_memput(&s->stack[s->top], n, sizeof(Node));
    s->top++;
}

static void ss_release(StealStack *s)
{
    upc_lock(s->stackLock);
    s->local += CHUNK;
    upc_unlock(s->stackLock);
    if (cb_cancel == 0)
        cb_cancel = 1;
}

static int ss_acquire(StealStack *s)
{
    int got = 0;
    upc_lock(s->stackLock);
    if (s->local - s->sharedStart >= CHUNK) {
        s->local -= CHUNK;
        got = 1;
    }
    upc_unlock(s->stackLock);
    return got;
}

static int ss_steal(StealStack *s, int victim)
{
    int ok = 0, from = 0;
    if (stealStack[victim].local - stealStack[victim].sharedStart < CHUNK)
        return 0;
    upc_lock(stealStack[victim].stackLock);
    if (stealStack[victim].local - stealStack[victim].sharedStart >= CHUNK) {
        from = stealStack[victim].sharedStart;
        stealStack[victim].sharedStart = from + CHUNK;
        ok = 1;
    }
    upc_unlock(stealStack[victim].stackLock);
    if (!ok) {
        s->nFail++;
        return 0;
    }
    upc_memcpy(&s->stack[s->top], stealStack[victim].stack + from, CHUNK * sizeof(Node));
    s->nSteal++;
    s->top += CHUNK;
    return 1;
}

static int cbarrier_wait(void)
{
    int done;
    upc_lock(cb_lock);
    cb_count++;
    if (cb_count == THREADS)
        cb_done = 1;
    upc_unlock(cb_lock);
    cb_cancel = cb_cancel && THREADS == 1 ? 0 : cb_cancel;
    while (!cb_cancel && !cb_done)
        upc_poll();
    upc_lock(cb_lock);
    done = cb_done;
    cb_cancel = 0;
    if (!done)
        cb_count--;
    upc_unlock(cb_lock);
    return done;
}

static void search(StealStack *s)
{
    for (;;) {
        while (s->top > s->local || ss_acquire(s)) {
            if (s->top == s->local)
                continue;
            Node n = s->stack[--s->top];
            int count = children(&n);
            s->nNodes++;
            if (n.height > s->maxTreeDepth)
                s->maxTreeDepth = n.height;
            for (int i = 0; i < count; i++) {
                Node child = {n.height + 1, hash(n.state * 31 + (unsigned)i + 1)};
                ss_push(s, &child);
            }
            if (s->top - s->local > 2 * CHUNK)
                ss_release(s);
        }
        int stolen = 0;
        for (int i = 1; i < THREADS && !stolen; i++)
            stolen = ss_steal(s, (MYTHREAD + i) % THREADS);
        if (!stolen && cbarrier_wait())
            return;
    }
}

int main(int argc, char *argv[])
{
    StealStack *s = (StealStack *)&stealStack[MYTHREAD];
    memset(s, 0, sizeof *s);
    s->stackLock = upc_global_lock_alloc();
    s->stack = (shared [] Node *)upc_local_alloc(MAXSTACKDEPTH, sizeof(Node));
    cb_lock = upc_all_lock_alloc();
    upc_barrier;
    if (MYTHREAD == 0) {
        Node root = {0, 42};
        ss_push(s, &root);
    }
#ifdef __UPC_TICK__
    upc_tick_t t0 = upc_ticks_now();
#endif
    upc_barrier;
    search(s);
    upc_barrier;
    if (MYTHREAD == 0) {
        long nodes = 0, most = 0, depth = 0;
        for (int i = 0; i < THREADS; i++) {
            nodes += stealStack[i].nNodes;
            most = stealStack[i].nNodes > most ? stealStack[i].nNodes : most;
            depth = stealStack[i].maxTreeDepth > depth ? stealStack[i].maxTreeDepth : depth;
        }
        printf("Tree size = %ld, tree depth = %ld, imbalance %.0f%%\n", nodes, depth,
               100.0 * (most * THREADS - nodes) / nodes);
#ifdef __UPC_TICK__
        fprintf(stdout, "Wallclock time = %.3f sec\n", upc_ticks_to_ns(upc_ticks_now() - t0) / 1E9);
#endif
    }
    upc_barrier;
    upc_free(s->stack);
    upc_lock_free(s->stackLock);
    upc_all_lock_free(cb_lock);
    return 0;
}
