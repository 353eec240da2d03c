// random.h: repeatable random numbers, and bytes that follow from a key alone.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct rng {
    uint64_t state;
};

static inline uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline uint64_t key_of(uint64_t a, uint64_t b, uint64_t c)
{
    return mix(mix(mix(a + 0x9e3779b97f4a7c15u) + b * 0x9e3779b97f4a7c15u) + c * 0xd1342543de82ef95u);
}

static inline uint64_t rng_next(struct rng *rng)
{
    return mix(rng->state += 0x9e3779b97f4a7c15u);
}

// 0 .. limit - 1; limit > 0.
static inline unsigned below(struct rng *rng, unsigned limit)
{
    return (unsigned)((rng_next(rng) >> 32) * limit >> 32);
}

static inline bool chance(struct rng *rng, unsigned percent)
{
    return below(rng, 100) < percent;
}

static inline void fill(void *bytes, size_t nbytes, uint64_t key)
{
    unsigned char *at = bytes;
    for (uint64_t i = 0; nbytes > 0; i++) {
        const uint64_t word = mix(key + i * 0x9e3779b97f4a7c15u);
        const size_t part = nbytes < sizeof word ? nbytes : sizeof word;
        memcpy(at, &word, part);
        at += part;
        nbytes -= part;
    }
}
