/*
 * hash: all threads insert keys into a table in the global heap, starting with its allocation.  Prints milliseconds and
 * the sum of the table's contents; hash_openmp.c is its twin. usage: hash domain|typed|private With
 * -DHASH_BLOCK=PLACES, that many consecutive places belong to one thread, and mostly to one cache line.
 */
#include "hash.h"

#include <stdio.h>
#include <string.h>

#include <upc_relaxed.h>

#include <bupc.h>
#include <upc_atomic.h>

static upc_atomicdomain_t *domain;
#ifndef HASH_BLOCK
#define HASH_BLOCK 1
#endif
static shared[HASH_BLOCK] uint64_t *table;
static shared uint64_t sums[THREADS];

/* Returns what was at a place, which becomes `key` if that was 0 */
static uint64_t by_domain(uint64_t place, uint64_t key)
{
    uint64_t old, none = 0;
    upc_atomic_relaxed(domain, &old, UPC_CSWAP, &table[place], &none, &key);
    return old;
}

static uint64_t by_type(uint64_t place, uint64_t key)
{
    return bupc_atomicU64_cswap_relaxed(&table[place], 0, key);
}

static uint64_t by_instruction(uint64_t place, uint64_t key)
{
    uint64_t old = 0;
    __atomic_compare_exchange_n((uint64_t *)bupc_cast(&table[place]), &old, key, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return old;
}

#define INSERT_ALL(WAY)                                                                    \
    for (uint64_t key = MYTHREAD + 1; key <= HASH_KEYS; key += THREADS)                    \
        for (uint64_t place = hash_of(key); WAY(place, key) != 0;)                         \
            place = (place + 1) % HASH_PLACES;

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "domain";
    domain = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_CSWAP, 0);
    upc_barrier;
    double begin = hash_now_ms();
    table = upc_all_alloc(HASH_PLACES / HASH_BLOCK, HASH_BLOCK * sizeof(uint64_t));
    upc_barrier;
    if (strcmp(way, "domain") == 0) {
        INSERT_ALL(by_domain)
    } else if (strcmp(way, "typed") == 0) {
        INSERT_ALL(by_type)
    } else {
        INSERT_ALL(by_instruction)
    }
    upc_barrier;
    double end = hash_now_ms();
    upc_forall (uint64_t place = 0; place < HASH_PLACES; place++; &table[place])
        sums[MYTHREAD] += table[place];
    upc_barrier;
    uint64_t sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += sums[t];
    if (MYTHREAD == 0)
        printf("%.3f %llu\n", end - begin, (unsigned long long)sum);
    return 0;
}
