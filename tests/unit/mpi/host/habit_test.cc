#include "host/habit.h"

#include <gtest/gtest.h>

namespace {

// Counts calls until the first one is blind; at most the given number.
int calls_until_blind(bn_habit* habit, int most, bool is_small_of_library = true)
{
    int calls = 0;
    for (; calls < most && !bn_habit_is_blind(habit); calls++)
        bn_habit_note(habit, is_small_of_library);
    return calls;
}

int blind_calls(bn_habit* habit)
{
    int calls = 1;  // the blind one, with which calls_until_blind ended
    while (bn_habit_is_blind(habit))
        calls++;
    return calls;
}

TEST(Habit, MostCallsGoBlindAfterManyInARow)
{
    bn_habit habit = {};
    EXPECT_EQ(calls_until_blind(&habit, 10000), BN_HABIT_ROW + BN_HABIT_LOOKS);
    for (int round = 0; round < 100; round++) {
        EXPECT_EQ(blind_calls(&habit), BN_HABIT_BLIND);
        EXPECT_EQ(calls_until_blind(&habit, 10000), BN_HABIT_LOOKS);
    }
}

TEST(Habit, AnyOtherCallEndsIt)
{
    bn_habit habit = {};
    EXPECT_EQ(calls_until_blind(&habit, 10000), BN_HABIT_ROW + BN_HABIT_LOOKS);
    EXPECT_EQ(blind_calls(&habit), BN_HABIT_BLIND);
    bn_habit_note(&habit, false);
    EXPECT_EQ(calls_until_blind(&habit, 10000), BN_HABIT_ROW + BN_HABIT_LOOKS);
}

TEST(Habit, OtherCallsDoNotMakeOne)
{
    bn_habit habit = {};
    EXPECT_EQ(calls_until_blind(&habit, 10000, false), 10000);
}

}  // namespace
