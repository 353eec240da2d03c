// Allocations of all kinds, sizes and lifetimes, freed by other threads: contents stay, nothing overlaps (facts 2.2)
#include <upc.h>

#include <bupc.h>

#include "check.h"

enum { SLOTS = 64, ROUNDS = FAR_TIMES(3000, 300), ARRAYS = 6, ROUNDS_PER_ARRAY = 100 };

struct slot {
    shared [] unsigned char *bytes;
    size_t size;
    unsigned char mark;
    upc_lock_t *lock;
};
shared [SLOTS] struct slot slots[SLOTS * THREADS];

static unsigned long seed;

static unsigned random_below(unsigned n)
{
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    return (unsigned)(seed >> 33) % n;
}

static void check_and_free(shared [] struct slot *slot)
{
    size_t size = slot->size;
    unsigned char *copy = malloc(size);
    upc_memget(copy, slot->bytes, size);
    for (size_t i = 0; i < size; i++)
        if (copy[i] != slot->mark) {
            EQ(copy[i], slot->mark);
            break;
        }
    free(copy);
    upc_free(slot->bytes);
    slot->bytes = NULL;
}

static void fill(shared [] struct slot *slot)
{
    size_t size = random_below(10) ? random_below(300) + 1 : random_below(100000) + 1;
    slot->size = size;
    slot->mark = (unsigned char)random_below(256);
    slot->bytes = random_below(3) ? upc_alloc(size) : (shared [] unsigned char *)upc_global_alloc(1, size);
    CHECK(slot->bytes != NULL);
    upc_memset(slot->bytes, slot->mark, size);
}

/* Arrays of all threads: what each thread finds in its blocks is what it wrote there, until the array is freed. */
static struct array {
    shared void *start;
    size_t nblocks, nbytes;
    int mark;
} arrays[ARRAYS];
static unsigned long common_seed = 99; /* the same numbers on all threads */

static unsigned common_below(unsigned n)
{
    common_seed = common_seed * 6364136223846793005UL + 1442695040888963407UL;
    return (unsigned)(common_seed >> 33) % n;
}

/* This thread's blocks are contiguous. */
static unsigned char *own_part(const struct array *array)
{
    return (unsigned char *)bupc_ptradd(array->start, array->nbytes, 1, (ptrdiff_t)array->nbytes * MYTHREAD);
}

static size_t own_bytes(const struct array *array)
{
    return upc_affinitysize(array->nblocks * array->nbytes, array->nbytes, (size_t)MYTHREAD);
}

static void replace_array(void)
{
    struct array *array = &arrays[common_below(ARRAYS)];
    if (array->start != NULL) {
        for (size_t i = 0; i < own_bytes(array); i++)
            if (own_part(array)[i] != (unsigned char)(array->mark + MYTHREAD + (int)i)) {
                EQ(own_part(array)[i], (unsigned char)(array->mark + MYTHREAD + (int)i));
                break;
            }
        switch (common_below(3)) {
        case 0:
            upc_barrier;
            if (MYTHREAD == (int)common_below((unsigned)THREADS))
                upc_free(array->start);
            break;
        default:
            upc_all_free(array->start);
        }
    }
    array->nblocks = common_below(4 * (unsigned)THREADS) + 1;
    array->nbytes = common_below(2) ? common_below(200) + 1 : common_below(30000) + 1;
    array->mark = (int)common_below(256);
    array->start = upc_all_alloc(array->nblocks, array->nbytes);
    CHECK(array->start != NULL);
    EQ(upc_threadof(array->start) + upc_phaseof(array->start), 0);
    for (size_t i = 0; i < own_bytes(array); i++)
        own_part(array)[i] = (unsigned char)(array->mark + MYTHREAD + (int)i);
}

int main(void)
{
    seed = 12345u + (unsigned)MYTHREAD;
    for (int i = 0; i < SLOTS; i++)
        slots[SLOTS * MYTHREAD + i].lock = upc_global_lock_alloc();
    upc_barrier;
    for (int round = 0; round < ROUNDS; round++) {
        shared [] struct slot *slot = (shared [] struct slot *)&slots[random_below(SLOTS * (unsigned)THREADS)];
        upc_lock(slot->lock);
        if (slot->bytes != NULL)
            check_and_free(slot);
        else
            fill(slot);
        upc_unlock(slot->lock);
        if (round % ROUNDS_PER_ARRAY == 0)
            replace_array();
    }
    for (int i = 0; i < ARRAYS; i++)
        upc_all_free(arrays[i].start);
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < SLOTS; i++) {
        shared [] struct slot *slot = (shared [] struct slot *)&slots[SLOTS * next + i];
        if (slot->bytes != NULL)
            check_and_free(slot);
        upc_lock_free(slot->lock);
    }
    return finish();
}
