// Addresses of blocks and flags of mailboxes.
#include "upc/aggregate/mailbox.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace {

// For thread 0.  Nothing is read or written: only addresses are checked.
alignas(BN_LINE_BYTES) char memory[BN_LINE_BYTES];

TEST(Mailbox, PlacesAndFlagsOfAThreadFillItsMemoryWithoutOverlap)
{
    for (int threads : {1, 2, 3, 8}) {
        bn_mailboxes boxes{memory, 3 * BN_LINE_BYTES, threads};
        for (int owner = 0; owner < threads; owner++) {
            uintptr_t begin = reinterpret_cast<uintptr_t>(bn_mailboxes_of(&boxes, owner));
            std::vector<std::pair<uintptr_t, uintptr_t>> parts;  // first byte, and the one behind
            for (int other = 0; other < threads; other++) {
                uintptr_t flags = reinterpret_cast<uintptr_t>(bn_mailbox_flags(&boxes, owner, other));
                parts.emplace_back(flags, flags + sizeof(struct bn_mailbox_flags));
                for (uint64_t n : {1, 2}) {
                    uintptr_t place = reinterpret_cast<uintptr_t>(bn_mailbox_place(&boxes, owner, other, n));
                    parts.emplace_back(place, place + boxes.place_bytes);
                }
            }
            std::sort(parts.begin(), parts.end());
            EXPECT_EQ(parts.front().first, begin);
            for (size_t i = 1; i < parts.size(); i++)
                EXPECT_EQ(parts[i].first, parts[i - 1].second) << i << " of thread " << owner << " of " << threads;
            EXPECT_EQ(parts.back().second, begin + bn_mailboxes_bytes(&boxes));
        }
    }
}

TEST(Mailbox, ABlockLiesWhereTheOneBeforeTheLastWas)
{
    bn_mailboxes boxes{memory, BN_LINE_BYTES, 2};
    for (uint64_t n = 1; n < 6; n++) {
        EXPECT_EQ(bn_mailbox_place(&boxes, 1, 0, n), bn_mailbox_place(&boxes, 1, 0, n + BN_MAILBOX_PLACES));
        EXPECT_NE(bn_mailbox_place(&boxes, 1, 0, n), bn_mailbox_place(&boxes, 1, 0, n + 1));
    }
}

}  // namespace
