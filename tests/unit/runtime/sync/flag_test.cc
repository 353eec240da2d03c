#include "sync/flag.h"

#include "sync/team.h"

#include <gtest/gtest.h>

#include <cstring>

namespace {

bn_wait_policy policy_of(bn_wait_choice choice)
{
    return bn_wait_policy_make(2, 2, choice);
}

TEST(Flag, NumbersFarApartAreStillInOrder)
{
    bn_flag flag = {};
    bn_flag_raise(&flag, 1);
    EXPECT_FALSE(bn_flag_has_reached(&flag, (uint64_t{1} << 63) + 5));
    bn_flag_raise(&flag, (uint64_t{1} << 63) + 5);
    EXPECT_TRUE(bn_flag_has_reached(&flag, 1));
}

TEST(Flag, PayloadOfEachSizeArrives)
{
    unsigned char out[BN_FLAG_PAYLOAD_BYTES];
    unsigned char in[BN_FLAG_PAYLOAD_BYTES + 1];
    for (size_t i = 0; i < sizeof out; i++)
        out[i] = static_cast<unsigned char>(i + 1);
    for (size_t size = 0; size <= sizeof out; size++) {
        bn_flag flag = {};
        memset(in, 0xEE, sizeof in);
        bn_flag_put(&flag, 0, out, size);
        EXPECT_EQ(flag.number, 0u);
        EXPECT_EQ(flag.sleepers, 0u);
        bn_flag_get(&flag, 0, in, size);
        EXPECT_EQ(memcmp(in, out, size), 0) << size;
        EXPECT_EQ(in[size], 0xEE) << size;
    }
}

TEST(Flag, PiecesOfAPayloadLeaveTheOthersAlone)
{
    constexpr size_t kPiece = 24;  // the third one spans both lines
    bn_flag flag = {};
    for (size_t i = 0; i < 4; i++) {
        unsigned char out[kPiece], in[kPiece];
        memset(out, static_cast<int>(i + 1), kPiece);
        bn_flag_put(&flag, i * kPiece, out, kPiece);
        for (size_t k = 0; k <= i; k++) {
            memset(out, static_cast<int>(k + 1), kPiece);
            bn_flag_get(&flag, k * kPiece, in, kPiece);
            EXPECT_EQ(memcmp(in, out, kPiece), 0) << i << ", " << k;
        }
    }
    EXPECT_EQ(flag.sleepers, 0u);
}

TEST(Flag, WhoWaitsInVainMayGiveUp)
{
    for (bn_wait_choice choice : {BN_WAIT_AUTO, BN_WAIT_SLEEP}) {
        bn_flag flag = {};
        bn_wait_policy policy = policy_of(choice);
        bn_flag_raise(&flag, 6);
        EXPECT_FALSE(bn_flag_await_for(&flag, 7, &policy, 1000));
        EXPECT_EQ(flag.sleepers, 0u);
        bn_flag_raise(&flag, 7);
        EXPECT_TRUE(bn_flag_await_for(&flag, 7, &policy, 1000));
    }
}

TEST(Flag, WaitersSeeWhatWasWrittenBefore)
{
    for (bn_wait_choice choice : {BN_WAIT_AUTO, BN_WAIT_YIELD, BN_WAIT_SLEEP}) {
        bn_flag there = {}, back = {};
        bn_wait_policy policy = policy_of(choice);
        uint64_t cell = 0;  // plain: ordered only by the flags
        run_team(2, [&](int thread) {
            for (uint64_t i = 1; i <= 2000; i++) {
                if (thread == 0) {
                    cell = i;
                    bn_flag_put(&there, 0, &i, sizeof i);
                    bn_flag_raise(&there, i << 33);
                    bn_flag_await(&back, i << 33, &policy);
                } else {
                    uint64_t payload;
                    bn_flag_await(&there, i << 33, &policy);
                    bn_flag_get(&there, 0, &payload, sizeof payload);
                    ASSERT_EQ(cell, i);
                    ASSERT_EQ(payload, i);
                    bn_flag_raise(&back, i << 33);
                }
            }
        });
    }
}

}  // namespace
