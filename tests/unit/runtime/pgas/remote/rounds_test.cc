#include "pgas/remote/rounds.h"

#include <gtest/gtest.h>
#include <vector>

namespace {

TEST(Rounds, AllKnowAWordOfEach)
{
    for (int members = 1; members <= 130; members++) {
        std::vector<std::vector<int>> lists(static_cast<size_t>(members),
                                            std::vector<int>(static_cast<size_t>(members), -1));
        for (int i = 0; i < members; i++)
            lists[static_cast<size_t>(i)][0] = i;
        for (int round = 0; round < bn_round_count(members); round++) {
            const std::vector<std::vector<int>> before = lists;
            for (int i = 0; i < members; i++) {
                bn_round part = bn_round_of(i, members, round);
                EXPECT_EQ(bn_round_of(part.to, members, round).from, i);
                for (int word = 0; word < part.count; word++) {
                    int& place = lists[static_cast<size_t>(part.to)][static_cast<size_t>(part.place + word)];
                    EXPECT_EQ(place, -1) << "is written twice";
                    place = before[static_cast<size_t>(i)][static_cast<size_t>(word)];
                }
            }
        }
        for (int i = 0; i < members; i++) {
            for (int word = 0; word < members; word++)
                ASSERT_EQ(lists[static_cast<size_t>(i)][static_cast<size_t>(word)], (i + word) % members) << members;
        }
    }
}

TEST(Rounds, ThereAreAsManyAsTheLogarithm)
{
    EXPECT_EQ(bn_round_count(1), 0);
    EXPECT_EQ(bn_round_count(2), 1);
    EXPECT_EQ(bn_round_count(1024), 10);
    EXPECT_EQ(bn_round_count(1025), 11);
}

}  // namespace
