// Trees of pointers as programs of simulations have them, with the names of BUPC_USE_UPC_NAMESPACE: structures that
// point to others anywhere, cells prefetched by upc_memget_async and waited for by upc_waitsync, privatised where
// they are castable.
// expect-stdout: ^tree: 300 bodies, mass 300.0, depth [0-9]+$
#define BUPC_USE_UPC_NAMESPACE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
#include <bupc.h>
#include <bupc_collectivev.h>

#define BODIES 300

typedef struct body body_t;
typedef struct cell cell_t;
typedef shared [] body_t *bodyptr;
typedef shared [] cell_t *cellptr;

struct body {
    double x, mass;
    cellptr home;
    bodyptr next;
};

struct cell {
    double low, high, mass;
    cellptr son[2];
    bodyptr bodies;
    int count;
    upc_lock_t *lock;
};

#define LEAF 8

shared cellptr root;
shared bodyptr bodytab[THREADS];
shared [BODIES] int order[BODIES * THREADS];

static cellptr make_cell(double low, double high)
{
    cellptr c = (cellptr)upc_alloc(sizeof(cell_t));
    assert(c != NULL);
    cell_t init;
    memset(&init, 0, sizeof init);
    init.low = low;
    init.high = high;
    init.lock = upc_global_lock_alloc();
    *c = init;
    return c;
}

static cellptr descend(cellptr c, double x)
{
    return x < (c->low + c->high) / 2 ? c->son[0] : c->son[1];
}

static void insert(bodyptr b)
{
    cellptr c = root;
    for (;;) {
        upc_lock(c->lock);
        if (c->son[0] != NULL) {
            cellptr next = descend(c, b->x);
            upc_unlock(c->lock);
            c = next;
            continue;
        }
        b->next = c->bodies;
        b->home = c;
        c->bodies = b;
        if (++c->count > LEAF) {
            double middle = (c->low + c->high) / 2;
            cellptr low = make_cell(c->low, middle), high = make_cell(middle, c->high);
            bodyptr p, next;
            for (p = c->bodies; p != NULL; p = next) {
                cellptr son = p->x < middle ? low : high;
                next = p->next;
                p->next = son->bodies;
                p->home = son;
                son->bodies = p;
                son->count++;
            }
            c->bodies = NULL;
            c->son[0] = low;
            c->son[1] = high;
        }
        upc_unlock(c->lock);
        return;
    }
}

static double mass_of(cellptr c, int *depth, int level)
{
    cell_t copy, sons[2];
    upc_handle_t handles[2] = {UPC_COMPLETE_HANDLE, UPC_COMPLETE_HANDLE};
    upc_waitsync(upc_memget_async(&copy, c, sizeof copy));
    if (level > *depth)
        *depth = level;
    for (int i = 0; i < 2; i++)
        if (copy.son[i] != NULL)
            handles[i] = upc_memget_async(&sons[i], copy.son[i], sizeof(cell_t));
    double mass = 0;
    for (bodyptr b = copy.bodies; b; b = b->next) {
        const body_t *here = bupc_castable((shared void *)b) ? (const body_t *)bupc_cast(b) : NULL;
        mass += here ? here->mass : b->mass;
        assert(b->home == c);
    }
    upc_waitsync_all(handles, 2);
    for (int i = 0; i < 2; i++)
        if (copy.son[i] != NULL && (sons[i].count > 0 || sons[i].son[0] != NULL))
            mass += mass_of(copy.son[i], depth, level + 1);
    return mass;
}

int main(int argc, char **argv)
{
    char text[UPC_DUMP_MIN_LENGTH];
    int mine = BODIES / THREADS + (MYTHREAD < BODIES % THREADS), depth = 0;
    if (MYTHREAD == 0)
        root = make_cell(0, 1);
    bodytab[MYTHREAD] = (bodyptr)upc_alloc(mine * sizeof(body_t));
    upc_barrier;
    srand48(MYTHREAD + 1);
    for (int i = 0; i < mine; i++) {
        bodyptr b = bodytab[MYTHREAD] + i;
        b->x = drand48();
        b->mass = 1;
        insert(b);
    }
    upc_barrier;
    double mass = mass_of(root, &depth, 1), low = upc_allv_reduce_all(double, mass, UPC_MIN);
    int deepest = upc_allv_reduce_all(int, depth, UPC_MAX);
    if (upc_dump_shared(bodytab[MYTHREAD], text, sizeof text) != 0)
        return 1;
    if (MYTHREAD == 0)
        printf("tree: %d bodies, mass %.1f, depth %d\n", BODIES, low, deepest);
    upc_barrier;
    return 0;
}
