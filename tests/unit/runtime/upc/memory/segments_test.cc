// The table bn_thread_starts of segments (upc/self.h): each index of a thread leads to its segment.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "upc/memory/self.h"
}

namespace {

constexpr int kThreadsMost = BN_PARTS;

TEST(Segments, EachThreadHasAPartOfItsOwn)
{
    for (int threads = 1; threads <= kThreadsMost; threads++) {
        std::vector<bool> taken(kThreadsMost);
        for (int thread = 0; thread < threads; thread++) {
            int part = bn_segment_part(thread, threads);
            ASSERT_TRUE(part >= 0 && part < kThreadsMost) << threads;
            ASSERT_FALSE(taken[static_cast<size_t>(part)]) << threads;
            taken[static_cast<size_t>(part)] = true;
        }
    }
}

// The product of bn_indexed_cyclic: the upper half is the quotient, and the upper bits of the lower half give the
// thread.
TEST(Segments, WhatRemainsOfADivisionTellsThePart)
{
    const uint64_t last = uint64_t{1} << 34;  // elements of 4 bytes in a segment
    for (int threads = 1; threads <= kThreadsMost; threads++) {
        uint64_t reciprocal = bn_self_of(0, threads, 0).threads_reciprocal;
        for (uint64_t quotient : {uint64_t{0}, uint64_t{1}, uint64_t{12345}, last / 3, last - 1})
            for (int thread = 0; thread < threads; thread++) {
                uint64_t n = quotient * static_cast<uint64_t>(threads) + static_cast<uint64_t>(thread);
                unsigned __int128 product = static_cast<unsigned __int128>(reciprocal) * (n + 1);
                ASSERT_EQ(static_cast<uint64_t>(product >> 64), quotient) << threads;
                int part = static_cast<int>(static_cast<uint64_t>(product) >> (64 - BN_PART_BITS));
                ASSERT_EQ(part, bn_segment_part(thread, threads)) << threads;
            }
    }
}

TEST(Segments, PowersOfTwoAreKnown)
{
    EXPECT_EQ(bn_self_of(0, 1, 0).threads_shift, 0);
    EXPECT_EQ(bn_self_of(0, 8, 0).threads_shift, 3);
    EXPECT_EQ(bn_self_of(0, 1024, 0).threads_shift, 10);
    EXPECT_LT(bn_self_of(0, 12, 0).threads_shift, 0);
}

}  // namespace
