// Allocations of all kinds, sizes and lifetimes, freed by other threads: contents stay, nothing overlaps (facts 2.2)
#include <upc.h>

#include "check.h"

enum { SLOTS = 64, ROUNDS = 3000 };

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
    }
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
