// Work stealing as programs for Berkeley UPC have it: a queue with a lock for each thread, bupc_poll while there is
// nothing, a semaphore to say that the last piece of work is done.
// args: 8
// flags: -compat=bupc
// expect-stdout: ^queens 8: 92 solutions
#include <stdio.h>
#include <stdlib.h>
#include <upc_strict.h>

#define MAX_WORK 4096

typedef struct {
    int row;
    unsigned cols, left, right;
} work_t;

typedef struct {
    upc_lock_t *lock;
    int count;
    shared [] work_t *items;
} queue_t;

shared queue_t queues[THREADS];
strict shared int idle;
shared int64_t pending;
bupc_sem_t *shared all_done[THREADS];

static int size;
static int64_t solutions;

static void push(work_t w)
{
    queue_t *q = (queue_t *)&queues[MYTHREAD];
    upc_lock(q->lock);
    if (q->count == MAX_WORK) {
        fprintf(stderr, "queue overflow on thread %d\n", MYTHREAD);
        upc_global_exit(2);
    }
    q->items[q->count] = w;
    q->count++;
    upc_unlock(q->lock);
}

static int pop(int victim, work_t *w)
{
    int got = 0;
    if (queues[victim].count == 0 || !upc_lock_attempt(queues[victim].lock))
        return 0;
    if (queues[victim].count > 0) {
        int last = --queues[victim].count;
        *w = queues[victim].items[last];
        got = 1;
    }
    upc_unlock(queues[victim].lock);
    return got;
}

static void expand(work_t w)
{
    unsigned all = (1u << size) - 1, free = all & ~(w.cols | w.left | w.right);
    int64_t made = 0;
    if (w.row == size)
        solutions++;
    else
        while (free) {
            unsigned bit = free & -free;
            free ^= bit;
            work_t next = {w.row + 1, w.cols | bit, (w.left | bit) << 1, (w.right | bit) >> 1};
            made++;
            bupc_atomicI64_fetchadd_relaxed(&pending, 1);
            push(next);
        }
    if (bupc_atomicI64_fetchadd_strict(&pending, -1) == 1)
        for (int t = 0; t < THREADS; t++)
            bupc_sem_post(all_done[t]);
}

int main(int argc, char **argv)
{
    size = argc > 1 ? atoi(argv[1]) : 8;
    queues[MYTHREAD].lock = upc_global_lock_alloc();
    queues[MYTHREAD].items = (shared [] work_t *)upc_alloc(MAX_WORK * sizeof(work_t));
    all_done[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_BOOLEAN | BUPC_SEM_MPRODUCER | BUPC_SEM_SCONSUMER);
    if (MYTHREAD == 0) {
        work_t root = {0, 0, 0, 0};
        bupc_atomicI64_set_strict(&pending, 1);
        push(root);
    }
    upc_barrier;
    unsigned seed = MYTHREAD + 1;
    while (!bupc_sem_try(all_done[MYTHREAD])) {
        work_t w;
        if (pop(MYTHREAD, &w) || pop(rand_r(&seed) % THREADS, &w))
            expand(w);
        else
            bupc_poll();
    }
    static shared int64_t total;
    bupc_atomicI64_fetchadd_relaxed(&total, solutions);
    upc_barrier 17;
    if (MYTHREAD == 0)
        printf("queens %d: %d solutions\n", size, (int)total);
    bupc_sem_free(all_done[MYTHREAD]);
    upc_free(queues[MYTHREAD].items);
    upc_lock_free(queues[MYTHREAD].lock);
    upc_barrier;
    return 0;
}
