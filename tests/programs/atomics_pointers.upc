// Facts 2.9: atomics on pointers-to-shared: GET, SET, CSWAP; the phase is stored but not compared; no pointer is torn,
// wherever it lies.
#include <upc_strict.h>

#include "atomics.h"
#include "check.h"

enum { BLOCK = 5, ROUNDS = FAR_TIMES(2000, 100) };

typedef shared [BLOCK] int *pointer_t;

static shared [BLOCK] int array[BLOCK * 4 * THREADS];

/* Pointers at all offsets from 16-byte boundaries */
struct places {
    pointer_t aligned;
    long gap;
    pointer_t moved;
};
static shared struct places places[THREADS];

static int same(pointer_t p, pointer_t q)
{
    return p == q && upc_threadof(p) == upc_threadof(q) && upc_phaseof(p) == upc_phaseof(q);
}

static void one_by_one(upc_atomicdomain_t *domain, shared [] pointer_t *cell)
{
    pointer_t a = &array[BLOCK + 3], b = &array[2], null = NULL, got = a;
    *cell = NULL;
    upc_atomic_strict(domain, &got, UPC_GET, cell, NULL, NULL);
    CHECK(same(got, null));
    upc_atomic_strict(domain, NULL, UPC_SET, cell, &a, NULL);
    CHECK(same(*cell, a));
    upc_atomic_relaxed(domain, &got, UPC_SET, cell, &b, NULL);
    CHECK(same(got, a) && same(*cell, b));

    upc_atomic_relaxed(domain, &got, UPC_CSWAP, cell, &a, &null); /* differs */
    CHECK(same(got, b) && same(*cell, b));
    pointer_t other_phase = (pointer_t)upc_resetphase(b);
    CHECK(upc_phaseof(other_phase) != upc_phaseof(b));
    upc_atomic_relaxed(domain, &got, UPC_CSWAP, cell, &other_phase, &a); /* equal according to == */
    CHECK(same(got, b) && same(*cell, a));
    upc_atomic_strict(domain, NULL, UPC_CSWAP, cell, &a, &null);
    CHECK(same(*cell, null));
    upc_atomic_strict(domain, &got, UPC_CSWAP, cell, &null, &b);
    CHECK(same(got, null) && same(*cell, b));
}

/* Every thread stores pointers to one element after another; whatever it reads must be one of the possible pointers. */
static void all_at_once(upc_atomicdomain_t *domain, shared [] pointer_t *cell)
{
    int count = BLOCK * 4 * THREADS;
    pointer_t got;
    upc_barrier;
    if (MYTHREAD == 0)
        *cell = &array[0];
    upc_barrier;
    for (int i = 0; i < ROUNDS; i++) {
        pointer_t mine = &array[(i * 7 + MYTHREAD) % count];
        upc_atomic_relaxed(domain, &got, i % 3 ? UPC_GET : UPC_SET, cell, i % 3 ? NULL : &mine, NULL);
        ptrdiff_t index = got - array;
        CHECK(index >= 0 && index < count && same(got, &array[index]));
    }
    upc_barrier;
}

/* A list to which all threads push: nothing is lost. */
struct node {
    shared [] struct node *next;
    int owner;
};

static void push_nodes(upc_atomicdomain_t *domain)
{
    enum { NODES = 200 };
    static shared struct places head;
    shared void *shared *top = (shared void *shared *)&head.moved;
    static int seen[4096];
    upc_barrier;
    for (int i = 0; i < NODES; i++) {
        shared [] struct node *node = (shared [] struct node *)upc_alloc(sizeof(struct node));
        shared void *first, *found, *mine = node;
        node->owner = MYTHREAD;
        upc_atomic_relaxed(domain, &first, UPC_GET, top, NULL, NULL);
        for (;;) {
            node->next = (shared [] struct node *)first;
            upc_atomic_strict(domain, &found, UPC_CSWAP, top, &first, &mine);
            if (found == first)
                break;
            first = found;
        }
    }
    upc_barrier;
    for (shared [] struct node *node = (shared [] struct node *)*top; node != NULL; node = node->next)
        seen[node->owner]++;
    for (int i = 0; i < THREADS; i++)
        EQ(seen[i], NODES);
}

int main(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_PTS, POINTER_OPS, UPC_ATOMIC_HINT_LATENCY);
    int neighbour = (MYTHREAD + 1) % THREADS;
    one_by_one(domain, &places[neighbour].aligned);
    one_by_one(domain, &places[neighbour].moved);
    all_at_once(domain, &places[0].aligned);
    all_at_once(domain, &places[0].moved);
    push_nodes(domain);
    CHECK(!upc_atomic_isfast(UPC_PTS, POINTER_OPS, &places[0].moved));
    /* Over a network a pair cannot be changed atomically, nor can it by other processors. */
#if !defined BN_FAR_THREADS && (defined __x86_64__ || defined __aarch64__ || defined __s390x__)
    CHECK(upc_atomic_isfast(UPC_PTS, POINTER_OPS, &places[0].aligned));
#endif
    upc_all_atomicdomain_free(domain);
    return finish();
}
