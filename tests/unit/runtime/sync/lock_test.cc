#include "sync/lock.h"

#include "sync/processes.h"
#include "sync/team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace {

class Team {
public:
    Team(int threads, bn_wait_choice choice, int cores = 2)
        : waiters_(static_cast<size_t>(threads)), team{waiters_.data(), bn_wait_policy_make(threads, cores, choice)}
    {
    }

private:
    std::vector<bn_lock_waiter> waiters_;

public:
    bn_lock_team team;
};

class LockOf : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, LockOf, testing::Values(1, 2, 3, 8, 20));

TEST_P(LockOf, ExcludesAndMakesWritesVisible)
{
    const int threads = GetParam();
    constexpr int kTurns = 3000;
    for (bn_wait_choice choice : {BN_WAIT_AUTO, BN_WAIT_SLEEP, BN_WAIT_YIELD}) {
        Team team(threads, choice);
        bn_lock lock;
        bn_lock_init(&lock);
        int64_t counter = 0;  // plain: ordered only by the lock
        run_team(threads, [&](int thread) {
            for (int i = 0; i < kTurns; i++) {
                ASSERT_EQ(bn_lock_acquire(&lock, thread, &team.team), BN_LOCK_OK);
                counter++;
                ASSERT_EQ(bn_lock_release(&lock, thread), BN_LOCK_OK);
            }
        });
        EXPECT_EQ(counter, int64_t{threads} * kTurns);
        EXPECT_EQ(lock.tail, 0u);
        EXPECT_EQ(lock.state, 0u);
    }
}

TEST(Lock, SaysWhoHoldsIt)
{
    Team team(5, BN_WAIT_AUTO);
    bn_lock lock;
    bn_lock_init(&lock);
    EXPECT_EQ(bn_lock_holder(&lock), 0u);
    ASSERT_EQ(bn_lock_try(&lock, 4), BN_LOCK_OK);
    EXPECT_EQ(bn_lock_holder(&lock), 5u);
    ASSERT_EQ(bn_lock_destroy(&lock), BN_LOCK_OK);
    EXPECT_EQ(bn_lock_holder(&lock), 0u) << "freed";
}

TEST_P(LockOf, AttemptsMixWithWaits)
{
    const int threads = GetParam();
    constexpr int kTurns = 2000;
    Team team(threads, BN_WAIT_AUTO);
    bn_lock lock;
    bn_lock_init(&lock);
    int64_t counter = 0;
    run_team(threads, [&](int thread) {
        for (int i = 0; i < kTurns; i++) {
            if (thread % 2 == 0)
                ASSERT_EQ(bn_lock_acquire(&lock, thread, &team.team), BN_LOCK_OK);
            else
                while (bn_lock_try(&lock, thread) != BN_LOCK_OK)
                    sched_yield();
            counter++;
            ASSERT_EQ(bn_lock_release(&lock, thread), BN_LOCK_OK);
        }
    });
    EXPECT_EQ(counter, int64_t{threads} * kTurns);
}

TEST_P(LockOf, AThreadHoldsManyLocks)
{
    const int threads = GetParam();
    constexpr size_t kLocks = 100;
    Team team(threads, BN_WAIT_AUTO);
    std::vector<bn_lock> locks(kLocks);
    std::vector<int> counters(kLocks, 0);
    for (bn_lock& lock : locks)
        bn_lock_init(&lock);
    run_team(threads, [&](int thread) {
        for (int i = 0; i < 50; i++) {
            for (bn_lock& lock : locks)
                ASSERT_EQ(bn_lock_acquire(&lock, thread, &team.team), BN_LOCK_OK);
            for (int& counter : counters)
                counter++;
            for (bn_lock& lock : locks)  // in the order of locking, not nested
                ASSERT_EQ(bn_lock_release(&lock, thread), BN_LOCK_OK);
        }
    });
    for (int counter : counters)
        EXPECT_EQ(counter, threads * 50);
}

TEST(Lock, IsGrantedInTheOrderOfAsking)
{
    constexpr int kThreads = 5;
    Team team(kThreads, BN_WAIT_SLEEP);
    bn_lock lock;
    bn_lock_init(&lock);
    std::vector<int> order;
    ASSERT_EQ(bn_lock_acquire(&lock, 0, &team.team), BN_LOCK_OK);
    run_team(kThreads, [&](int thread) {
        if (thread == 0) {
            // Released once all wait, in the order 1, 2, 3, 4
            while (__atomic_load_n(&lock.tail, __ATOMIC_ACQUIRE) != kThreads)
                sched_yield();
            EXPECT_EQ(bn_lock_release(&lock, 0), BN_LOCK_OK);
            return;
        }
        uint32_t before = thread == 1 ? 0 : static_cast<uint32_t>(thread);
        while (__atomic_load_n(&lock.tail, __ATOMIC_ACQUIRE) != before)
            sched_yield();
        EXPECT_EQ(bn_lock_acquire(&lock, thread, &team.team), BN_LOCK_OK);
        order.push_back(thread);
        EXPECT_EQ(bn_lock_release(&lock, thread), BN_LOCK_OK);
    });
    EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 4}));
}

// The thread at the head of the queue may have no core: a free lock does not wait for it.
TEST(Lock, PassesWhoeverStandsInLine)
{
    Team team(3, BN_WAIT_AUTO);
    bn_lock lock;
    bn_lock_init(&lock);
    lock.tail = 3;  // thread 2, about to take the lock
    EXPECT_EQ(bn_lock_acquire(&lock, 0, &team.team), BN_LOCK_OK);
    EXPECT_EQ(bn_lock_release(&lock, 0), BN_LOCK_OK);
    EXPECT_EQ(bn_lock_try(&lock, 1), BN_LOCK_OK);
}

// However often the lock is taken meanwhile, the first in the queue gets it in the end.
TEST(Lock, TheFirstInLineClaimsIt)
{
    constexpr uint32_t kClaimed = 2;
    for (bn_wait_choice choice : {BN_WAIT_AUTO, BN_WAIT_SLEEP, BN_WAIT_YIELD, BN_WAIT_SPIN}) {
        Team team(3, choice);
        bn_lock lock;
        bn_lock_init(&lock);
        std::vector<int> order;
        std::atomic<bool> has_entered = false;
        ASSERT_EQ(bn_lock_acquire(&lock, 0, &team.team), BN_LOCK_OK);
        run_team(3, [&](int thread) {
            if (thread == 1) {
                EXPECT_EQ(bn_lock_acquire(&lock, 1, &team.team), BN_LOCK_OK);
                has_entered = true;
            } else {
                while ((__atomic_load_n(&lock.state, __ATOMIC_ACQUIRE) & kClaimed) == 0 && !has_entered.load())
                    sched_yield();
                if (thread == 0) {
                    EXPECT_EQ(bn_lock_release(&lock, 0), BN_LOCK_OK);
                    return;
                }
                while (bn_lock_try(&lock, 2) != BN_LOCK_OK)
                    sched_yield();
            }
            order.push_back(thread);
            EXPECT_EQ(bn_lock_release(&lock, thread), BN_LOCK_OK);
        });
        EXPECT_EQ(order, (std::vector<int>{1, 2}));
    }
}

TEST(Lock, WorksAcrossTheWrapOfItsTurns)
{
    constexpr int kThreads = 4;
    for (bn_wait_choice choice : {BN_WAIT_AUTO, BN_WAIT_SLEEP}) {
        Team team(kThreads, choice);
        for (int thread = 0; thread < kThreads; thread++)
            team.team.waiters[thread].turn = team.team.waiters[thread].first.value = UINT32_MAX - 99;
        bn_lock lock;
        bn_lock_init(&lock);
        int counter = 0;
        run_team(kThreads, [&](int thread) {
            for (int i = 0; i < 1000; i++) {
                ASSERT_EQ(bn_lock_acquire(&lock, thread, &team.team), BN_LOCK_OK);
                counter++;
                sched_yield();  // so that the others wait
                ASSERT_EQ(bn_lock_release(&lock, thread), BN_LOCK_OK);
            }
        });
        EXPECT_EQ(counter, kThreads * 1000);
    }
}

struct SharedLock {
    bn_lock lock;
    bn_lock_waiter waiters[16];
    int64_t counter;
    uint32_t has_ended;
};

// A stopped waiter delays the others but loses nothing, wherever it was stopped.
TEST(Lock, StoppedAndContinuedProcessesLoseNothing)
{
    for (int processes : {3, 7, 16}) {
        for (bn_wait_choice choice : {BN_WAIT_AUTO, BN_WAIT_SLEEP}) {
            Shared<SharedLock> shared;
            bn_lock_init(&shared->lock);
            const int64_t turns = 20000 / processes;
            std::vector<pid_t> ids = start_processes(processes, [&](int process) {
                const bn_lock_team team = {shared->waiters, bn_wait_policy_make(processes, 2, choice)};
                for (int64_t i = 0; i < turns; i++) {
                    bn_lock_acquire(&shared->lock, process, &team);
                    shared->counter++;
                    bn_lock_release(&shared->lock, process);
                }
            });
            stop_and_continue(ids);
            EXPECT_TRUE(all_succeed(ids));
            EXPECT_EQ(shared->counter, processes * turns);
        }
    }
}

TEST(Lock, WhatItsHolderTookAlongIsTold)
{
    for (bn_wait_choice choice : {BN_WAIT_AUTO, BN_WAIT_SLEEP, BN_WAIT_YIELD, BN_WAIT_SPIN}) {
        Team team(3, choice);
        bn_lock kept;
        bn_lock given;
        bn_lock_init(&kept);
        bn_lock_init(&given);
        ASSERT_EQ(bn_lock_acquire(&kept, 2, &team.team), BN_LOCK_OK);
        ASSERT_EQ(bn_lock_acquire(&given, 2, &team.team), BN_LOCK_OK);
        ASSERT_EQ(bn_lock_release(&given, 2), BN_LOCK_OK);
        run_team(3, [&](int thread) {
            if (thread == 2) {
                bn_lock_leave(2, &team.team);
            } else if (thread == 1) {
                EXPECT_EQ(bn_lock_acquire(&kept, 1, &team.team), BN_LOCK_HOLDER_ENDED);
            }
        });
        EXPECT_EQ(bn_lock_holder(&kept), 3u);
        EXPECT_EQ(bn_lock_acquire(&given, 1, &team.team), BN_LOCK_OK);
    }
}

TEST(Lock, NoticesMisuse)
{
    Team team(2, BN_WAIT_AUTO);
    bn_lock lock;
    bn_lock_init(&lock);
    EXPECT_EQ(bn_lock_release(&lock, 0), BN_LOCK_NOT_HELD);
    EXPECT_EQ(bn_lock_try(&lock, 0), BN_LOCK_OK);
    EXPECT_EQ(bn_lock_try(&lock, 1), BN_LOCK_BUSY);
    EXPECT_EQ(bn_lock_try(&lock, 0), BN_LOCK_HELD_BY_SELF);
    EXPECT_EQ(bn_lock_acquire(&lock, 0, &team.team), BN_LOCK_HELD_BY_SELF);
    EXPECT_EQ(bn_lock_release(&lock, 1), BN_LOCK_NOT_HELD);
    EXPECT_EQ(bn_lock_release(&lock, 0), BN_LOCK_OK);
    EXPECT_EQ(bn_lock_release(&lock, 0), BN_LOCK_NOT_HELD);
}

TEST(Lock, IsGoneOnceDestroyed)
{
    Team team(2, BN_WAIT_AUTO);
    bn_lock lock;
    bn_lock_init(&lock);
    ASSERT_EQ(bn_lock_acquire(&lock, 1, &team.team), BN_LOCK_OK);
    EXPECT_EQ(bn_lock_destroy(&lock), BN_LOCK_OK) << "also while somebody holds it";
    EXPECT_EQ(bn_lock_destroy(&lock), BN_LOCK_NO_LOCK);
    EXPECT_EQ(bn_lock_acquire(&lock, 0, &team.team), BN_LOCK_NO_LOCK);
    EXPECT_EQ(bn_lock_try(&lock, 0), BN_LOCK_NO_LOCK);
    EXPECT_EQ(bn_lock_release(&lock, 1), BN_LOCK_NO_LOCK);
}

}  // namespace
