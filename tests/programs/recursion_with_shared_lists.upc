// A circular list over all threads, built and walked by all; pointers-to-shared stored in shared nodes
#include <upc.h>

#include "check.h"

typedef struct node {
    int owner;
    shared struct node *next;
} node_t;
shared node_t *shared heads[THREADS];

static int walk(shared node_t *from, shared node_t *stop)
{
    return from->next == stop ? 1 : 1 + walk(from->next, stop);
}

int main(void)
{
    shared node_t *mine = upc_alloc(sizeof(node_t));
    mine->owner = MYTHREAD;
    heads[MYTHREAD] = mine;
    upc_barrier;
    mine->next = heads[(MYTHREAD + 1) % THREADS];
    upc_barrier;
    EQ(walk(mine, mine), THREADS);
    shared node_t *at = mine;
    for (int i = 0; i < 3 * THREADS; i++) {
        EQ(at->owner, (MYTHREAD + i) % THREADS);
        EQ(upc_threadof(at), (MYTHREAD + i) % THREADS);
        at = at->next;
    }
    CHECK(at == mine);
    CHECK(at->next->next == heads[(MYTHREAD + 2) % THREADS]);
    upc_barrier;
    upc_free(mine);
    return finish();
}
