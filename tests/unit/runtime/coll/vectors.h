// vectors.h: vectors for random calls that combine them, and the expected results.
//
// An element is a run of bytes.  Each byte is either a map x -> a x + b modulo 16 in two halves, combined by
// composition (which is not commutative), or a number, combined by exclusive or.  So the expected result is known byte
// by byte.
#pragma once

#include "coll/operation.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

struct Vectors {
    size_t element_bytes = 0, count = 0;
    bool keeps_order = false, is_exclusive = false;
    uint64_t in_place = 0;       // bit per rank: its dst is its src
    std::vector<size_t> counts;  // elements per rank, in combine_scatter

    bool is_in_place(int rank) const { return in_place >> rank & 1; }
    size_t first_byte(int rank) const
    {
        size_t first = 0;
        for (size_t i = 0; i < static_cast<size_t>(rank); i++)
            first += counts[i];
        return first * element_bytes;
    }
    size_t part_bytes(int rank) const { return counts[static_cast<size_t>(rank)] * element_bytes; }
};

inline bool is_of_vectors(bn_operation operation)
{
    return operation >= BN_COMBINE && operation <= BN_COMBINE_PREFIX;
}

inline unsigned char combine_bytes(unsigned char left, unsigned char right, bool keeps_order)
{
    if (!keeps_order)
        return left ^ right;
    unsigned a = (left >> 4) * (right >> 4), b = (left & 15) * (right >> 4) + (right & 15);
    return static_cast<unsigned char>((a & 15) << 4 | (b & 15));
}

inline void combine_vectors(const void* left, void* right, size_t count, const bn_vector* vector)
{
    const unsigned char* l = static_cast<const unsigned char*>(left);
    unsigned char* r = static_cast<unsigned char*>(right);
    const Vectors* vectors = static_cast<const Vectors*>(vector->context);
    ASSERT_EQ(vector->element_bytes, vectors->element_bytes);
    for (size_t i = 0; i < count * vector->element_bytes; i++)
        r[i] = combine_bytes(l[i], r[i], vectors->keeps_order);
}

inline bn_vector vector_of(const Vectors& vectors)
{
    return {vectors.element_bytes, vectors.count,   vectors.keeps_order,           vectors.is_exclusive,
            vectors.counts.data(), combine_vectors, const_cast<Vectors*>(&vectors)};
}

// Vectors of about nbytes each; counts of combine_scatter are often 0.
template <typename Random>
Vectors make_vectors(bn_operation operation, size_t nbytes, int members, Random& random)
{
    Vectors vectors;
    auto pick = [&random](size_t count) { return static_cast<size_t>(random()) % count; };
    vectors.element_bytes = 1 + pick(nbytes < 48 ? nbytes : 48);
    vectors.count = nbytes / vectors.element_bytes;
    vectors.keeps_order = pick(2) == 0;
    vectors.is_exclusive = operation == BN_COMBINE_PREFIX && pick(2) == 0;
    vectors.counts.resize(static_cast<size_t>(members));
    size_t rest = vectors.count;
    for (size_t& count : vectors.counts) {
        count = pick(4) == 0 ? 0 : pick(3) == 0 ? rest : pick(rest + 1);
        rest -= count;
    }
    vectors.counts[pick(vectors.counts.size())] += rest;
    return vectors;
}
