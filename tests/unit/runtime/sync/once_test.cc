#include "sync/once.h"

#include "sync/team.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

namespace {

TEST(Once, OneDoesTheWorkAndOneIsLast)
{
    constexpr int kCalls = 1000;  // many times around the ring
    for (int threads : {1, 2, 3, 7}) {
        auto once = std::make_unique<bn_once>();
        const bn_wait_policy policy = bn_wait_policy_make(threads, 2, BN_WAIT_AUTO);
        std::vector<int> firsts(kCalls, 0);  // plain: one thread writes each, and the join orders
        std::vector<int> lasts(kCalls, 0);
        run_team(threads, [&](int thread) {
            bn_once_member member = {0};
            std::mt19937 random(static_cast<unsigned>(thread));
            for (int call = 0; call < kCalls; call++) {
                const uint64_t arguments[BN_ONCE_ARGUMENTS] = {static_cast<uint64_t>(call), 2, 3};
                if (bn_once_enter(once.get(), &member, thread, threads, arguments, &policy)) {
                    firsts[static_cast<size_t>(call)]++;
                    bn_once_publish(once.get(), &member, static_cast<uint64_t>(call) * 10);
                }
                bn_once_slot* slot = bn_once_current(once.get(), &member);
                ASSERT_EQ(slot->result, static_cast<uint64_t>(call) * 10);
                ASSERT_EQ(slot->arguments[0], static_cast<uint64_t>(call));
                if (bn_once_leave(once.get(), &member, threads))
                    lasts[static_cast<size_t>(call)]++;
                if (random() % 16 == 0)
                    sched_yield();
            }
        });
        for (int call = 0; call < kCalls; call++) {
            EXPECT_EQ(firsts[static_cast<size_t>(call)], 1);
            EXPECT_EQ(lasts[static_cast<size_t>(call)], 1);
        }
    }
}

TEST(Once, TheFirstDoesNotWaitForTheOthers)
{
    auto once = std::make_unique<bn_once>();
    const bn_wait_policy policy = bn_wait_policy_make(2, 2, BN_WAIT_AUTO);
    const uint64_t arguments[BN_ONCE_ARGUMENTS] = {};
    bn_once_member early = {0};
    bn_once_member late = {0};
    for (uint64_t call = 0; call < BN_ONCE_CALLS; call++) {
        ASSERT_TRUE(bn_once_enter(once.get(), &early, 0, 2, arguments, &policy));
        bn_once_publish(once.get(), &early, call);
        EXPECT_FALSE(bn_once_leave(once.get(), &early, 2));
    }
    for (uint64_t call = 0; call < BN_ONCE_CALLS; call++) {
        ASSERT_FALSE(bn_once_enter(once.get(), &late, 1, 2, arguments, &policy));
        EXPECT_EQ(bn_once_current(once.get(), &late)->result, call);
        EXPECT_EQ(bn_once_current(once.get(), &late)->first_thread, 0);
        EXPECT_TRUE(bn_once_leave(once.get(), &late, 2));
    }
}

}  // namespace
