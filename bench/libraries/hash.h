/* hash.h: what hash.upc and hash_openmp.c have in common: an open-addressing hash table with 2^23 places for 2^22
 * keys. */
#ifndef HASH_H
#define HASH_H

#include <stdint.h>
#include <time.h>

#define HASH_PLACES ((uint64_t)1 << 23)
#define HASH_KEYS ((uint64_t)1 << 22)

static inline uint64_t hash_of(uint64_t key)
{
    key ^= key >> 33;
    key *= UINT64_C(0xff51afd7ed558ccd);
    key ^= key >> 33;
    key *= UINT64_C(0xc4ceb9fe1a85ec53);
    return (key ^ key >> 33) % HASH_PLACES;
}

static inline double hash_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

#endif
