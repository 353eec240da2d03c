/*
 * hash_openmp: as hash.upc, with threads of OpenMP and the processor's instruction.  With -DHASH_DEALT=THREADS places
 * are dealt out as UPC's: those of a thread lie side by side, neighbours in the table far apart.
 */
#include "hash.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef HASH_DEALT
static inline uint64_t where(uint64_t place)
{
    return place % HASH_DEALT * (HASH_PLACES / HASH_DEALT) + place / HASH_DEALT;
}
#else
static inline uint64_t where(uint64_t place)
{
    return place;
}
#endif

int main(void)
{
    double begin = 0;
    uint64_t *table = NULL;
#pragma omp parallel
    {
        uint64_t threads = (uint64_t)omp_get_num_threads();
#pragma omp barrier
#pragma omp single
        {
            begin = hash_now_ms();
            table = calloc(HASH_PLACES, sizeof *table);
            if (!table)
                abort();
        }
        for (uint64_t key = (uint64_t)omp_get_thread_num() + 1; key <= HASH_KEYS; key += threads) {
            for (uint64_t place = hash_of(key);; place = (place + 1) % HASH_PLACES) {
                uint64_t old = 0;
                if (__atomic_compare_exchange_n(&table[where(place)], &old, key, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                    break;
            }
        }
    }
    double end = hash_now_ms();
    uint64_t sum = 0;
    for (uint64_t place = 0; place < HASH_PLACES; place++)
        sum += table[place];
    printf("%.3f %llu\n", end - begin, (unsigned long long)sum);
    free(table);
    return 0;
}
