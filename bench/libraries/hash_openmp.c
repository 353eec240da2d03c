/*
 * hash_openmp: like hash.upc, with OpenMP threads and the processor's instruction.  With -DHASH_DEALT=THREADS, places
 * are dealt out as in UPC: those of a thread are contiguous, neighbours in the table far apart.  With
 * -DHASH_DEALT_BY_PRODUCTS, the number of threads is known at run time, and a place is found by products, as in UPC.
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
#elif defined HASH_DEALT_BY_PRODUCTS
static uint64_t reciprocal, stride, back; /* see bn_elem_cyclic and bn_div_threads in <banyan/access.h> */

static void deal(uint64_t threads)
{
    reciprocal = UINT64_MAX / threads;
    stride = HASH_PLACES / threads;
    back = 1 - stride * threads;
}

static inline uint64_t where(uint64_t place)
{
    return place * stride + (uint64_t)(((unsigned __int128)reciprocal * (place + 1)) >> 64) * back;
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
#ifdef HASH_DEALT_BY_PRODUCTS
            deal(threads);
#endif
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
