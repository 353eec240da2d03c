/*
 * sequence.h: the known sequence, reads of it, and k-mers.
 *
 * Bases are 0 to 3, so that the complement of b is 3 - b.  A k-mer is a number of 2 K bits, its first base the highest.
 */
#ifndef SEQUENCE_H
#define SEQUENCE_H

#include <stdint.h>
#include <string.h>

enum {
    SEGMENT_BASES = 250,
    READ_BASES = 36,
    COVERAGE = 40,
    BASES_PER_ERROR = 200,
    K = 21,
    NO_BASE = 4,
};

static const uint64_t KMER_MASK = (UINT64_C(1) << 2 * K) - 1;

static inline uint64_t sequence_mix(uint64_t number)
{
    number += UINT64_C(0x9e3779b97f4a7c15);
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

static inline int sequence_base(uint64_t place)
{
    return (int)(sequence_mix(place) >> 62);
}

/* Read number r of a sequence with `bases` bases */
static inline void sequence_read(uint64_t r, uint64_t bases, unsigned char read[READ_BASES])
{
    uint64_t random = sequence_mix(~r);
    uint64_t first = random / 2 % (bases / SEGMENT_BASES) * SEGMENT_BASES;
    first += sequence_mix(random) % (SEGMENT_BASES - READ_BASES + 1);
    for (int i = 0; i < READ_BASES; i++) {
        int base = sequence_base(first + (uint64_t)i);
        uint64_t chance = sequence_mix(random + (uint64_t)i + 1);
        if (chance % BASES_PER_ERROR == 0)
            base = (base + 1 + (int)(chance / BASES_PER_ERROR % 3)) % 4;
        if (random & 1)
            read[READ_BASES - 1 - i] = (unsigned char)(3 - base);
        else
            read[i] = (unsigned char)base;
    }
}

static inline uint64_t kmer_of(const unsigned char *bases)
{
    uint64_t kmer = 0;
    for (int i = 0; i < K; i++)
        kmer = kmer << 2 | bases[i];
    return kmer;
}

static inline uint64_t kmer_reverse(uint64_t kmer)
{
    uint64_t reverse = 0;
    for (int i = 0; i < K; i++, kmer >>= 2)
        reverse = reverse << 2 | (3 - (kmer & 3));
    return reverse;
}

/* The next k-mer, with this base at its end; and the previous one, with this base at its start */
static inline uint64_t kmer_behind(uint64_t kmer, int base)
{
    return (kmer << 2 | (uint64_t)base) & KMER_MASK;
}

static inline uint64_t kmer_before(uint64_t kmer, int base)
{
    return kmer >> 2 | (uint64_t)base << 2 * (K - 1);
}

static inline int kmer_first(uint64_t kmer)
{
    return (int)(kmer >> 2 * (K - 1));
}

static inline int kmer_last(uint64_t kmer)
{
    return (int)(kmer & 3);
}

#endif
