#include "sync/wait.h"

#include "platform/clock.h"
#include "platform/futex.h"
#include "platform/pause.h"
#include "sync/team.h"

#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <thread>
#include <vector>

namespace {

double cpu_seconds()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Every waiting policy: as chosen for free cores, for oversubscribed cores, and as users can force it
const bn_wait_policy kPolicies[] = {
    bn_wait_policy_make(2, 2, BN_WAIT_AUTO),  bn_wait_policy_make(8, 2, BN_WAIT_AUTO),
    bn_wait_policy_make(2, 2, BN_WAIT_YIELD), bn_wait_policy_make(2, 2, BN_WAIT_SLEEP),
    bn_wait_policy_make(2, 2, BN_WAIT_SPIN),
};

TEST(WaitPolicy, CrowdedCoresSpinLess)
{
    EXPECT_GT(bn_wait_policy_make(2, 2, BN_WAIT_AUTO).spin_count, bn_wait_policy_make(3, 2, BN_WAIT_AUTO).spin_count);
    EXPECT_EQ(bn_wait_policy_make(2, 2, BN_WAIT_SLEEP).spin_count, 0u);
    EXPECT_EQ(bn_wait_policy_make(2, 2, BN_WAIT_SLEEP).yield_count, 0u);
}

TEST(WaitPolicy, ThreadsThatShareCoresLeaveThemToOthers)
{
    const bn_wait_policy own_core = bn_wait_policy_make(8, 8, BN_WAIT_AUTO);
    uint32_t yields_before = own_core.yield_count;
    for (int threads : {9, 24, 64, 1024}) {
        const bn_wait_policy policy = bn_wait_policy_make(threads, 8, BN_WAIT_AUTO);
        EXPECT_LT(policy.yield_count, yields_before) << threads << " threads";
        EXPECT_GE(policy.yield_count, 1u);
        yields_before = policy.yield_count;
    }
}

TEST(WaitPolicy, WhatTheUserChoseHoldsForAllThreads)
{
    EXPECT_EQ(bn_wait_policy_make(64, 2, BN_WAIT_SPIN).spin_count, UINT32_MAX);
    EXPECT_EQ(bn_wait_policy_make(64, 2, BN_WAIT_YIELD).yield_count, UINT32_MAX);
    EXPECT_EQ(bn_wait_policy_make(64, 2, BN_WAIT_SLEEP).yield_count, 0u);
}

TEST(Event, AnyNumberOfThreadsRing)
{
    enum { THREADS = 4, RINGS = 2000 };
    for (const bn_wait_policy& policy : kPolicies) {
        bn_event event = {};
        event.value = UINT32_MAX - RINGS;
        std::vector<std::thread> threads;
        for (int i = 0; i < THREADS; i++)
            threads.emplace_back([&event] {
                for (int ring = 0; ring < RINGS; ring++)
                    bn_event_ring(&event);
            });
        bn_event_wait(&event, UINT32_MAX - RINGS + THREADS * RINGS, &policy);
        EXPECT_EQ(bn_event_value(&event), UINT32_MAX - RINGS + THREADS * RINGS);
        for (std::thread& thread : threads)
            thread.join();
    }
}

TEST(Event, ComparesAcrossTheWrap)
{
    bn_event event = {};
    event.value = UINT32_MAX - 1;
    EXPECT_TRUE(bn_event_has_reached(&event, UINT32_MAX - 1));
    EXPECT_TRUE(bn_event_has_reached(&event, UINT32_MAX - 1000));
    EXPECT_FALSE(bn_event_has_reached(&event, UINT32_MAX));
    EXPECT_FALSE(bn_event_has_reached(&event, 3));
    bn_event_publish(&event, 3);
    EXPECT_TRUE(bn_event_has_reached(&event, UINT32_MAX));
    EXPECT_TRUE(bn_event_has_reached(&event, 3));
    EXPECT_FALSE(bn_event_has_reached(&event, 4));
}

TEST(Event, NoWakeUpIsLostAndDataIsVisible)
{
    constexpr uint32_t kRounds = 5000;
    for (const bn_wait_policy& policy : kPolicies) {
        bn_event ping = {};
        bn_event pong = {};
        uint32_t data = 0;  // plain: ordered only by the events
        run_team(2, [&](int thread) {
            uint32_t rounds = policy.spin_count == UINT32_MAX ? 50 : kRounds;
            for (uint32_t round = 1; round <= rounds; round++) {
                if (thread == 0) {
                    data = round;
                    bn_event_publish(&ping, round);
                    bn_event_wait(&pong, round, &policy);
                    ASSERT_EQ(data, round + 1000000);
                } else {
                    bn_event_wait(&ping, round, &policy);
                    ASSERT_EQ(data, round);
                    data = round + 1000000;
                    bn_event_publish(&pong, round);
                }
            }
        });
        EXPECT_EQ(ping.sleepers, 0u);
        EXPECT_EQ(pong.sleepers, 0u);
    }
}

TEST(Event, WakesAllSleepers)
{
    const bn_wait_policy policy = bn_wait_policy_make(1, 1, BN_WAIT_SLEEP);
    constexpr uint32_t kSleepers = 5;
    bn_event event = {};
    run_team(1 + kSleepers, [&](int thread) {
        for (uint32_t round = 1; round <= 200; round++) {
            if (thread == 0) {
                // Some threads that have yet to wake up from the previous round may be counted; then some need only
                // poll.
                while (__atomic_load_n(&event.sleepers, __ATOMIC_SEQ_CST) != kSleepers)
                    sched_yield();
                bn_event_publish(&event, round);
            } else {
                bn_event_wait(&event, round, &policy);
            }
        }
    });
}

TEST(Event, LongWaitsSleep)
{
    for (int crowd : {1, 8}) {
        const bn_wait_policy policy = bn_wait_policy_make(crowd, 2, BN_WAIT_AUTO);
        bn_event event = {};
        double before = cpu_seconds();
        run_team(2, [&](int thread) {
            if (thread == 0) {
                // The other thread uses little of a second, however slow this machine is.
                timespec second = {1, 0};
                nanosleep(&second, nullptr);
                bn_event_publish(&event, 1);
            } else {
                bn_event_wait(&event, 1, &policy);
            }
        });
        EXPECT_LT(cpu_seconds() - before, 0.5);
    }
}

// Whether a wait that has just begun is told within this time to sleep
bool sleeps_early(const bn_wait_policy& policy, uint64_t limit_ns)
{
    const uint64_t end_ns = bn_clock_ns() + limit_ns;
    bool may_yield = true;
    while (may_yield && bn_clock_ns() < end_ns) {
        bn_yields yields = {};
        may_yield = bn_wait_may_yield(&yields, &policy);
    }
    return !may_yield;
}

TEST(Event, WaitsSleepEarlyBesideThreadsThatCompute)
{
    std::atomic<bool> is_over{false};
    std::vector<std::thread> others;
    for (unsigned i = 0; i < 4 * std::thread::hardware_concurrency(); i++) {
        others.emplace_back([&] {
            while (!is_over)
                bn_cpu_pause();
        });
    }
    EXPECT_TRUE(sleeps_early(bn_wait_policy_make(8, 2, BN_WAIT_AUTO), UINT64_C(60000000000)));
    EXPECT_FALSE(sleeps_early(bn_wait_policy_make(8, 2, BN_WAIT_YIELD), 20000000));
    is_over = true;
    for (std::thread& other : others)
        other.join();
}

std::atomic<int> progress_calls;
bn_event* awaited;

// A waiting thread makes progress, however it waits; here progress is what it waits for.
void publish_after_ten_calls()
{
    if (++progress_calls == 10)
        bn_event_publish(awaited, 1);
}

TEST(Event, WhoWaitsMakesProgress)
{
    for (bn_wait_choice choice : {BN_WAIT_SPIN, BN_WAIT_YIELD, BN_WAIT_SLEEP}) {
        const bn_wait_policy policy = bn_wait_policy_make(1, 2, choice);
        bn_event event = {};
        awaited = &event;
        progress_calls = 0;
        bn_wait_progress = publish_after_ten_calls;
        bn_event_wait(&event, 1, &policy);
        EXPECT_GE(progress_calls, 10);
        const bn_wait_policy sleep_at_once = {};
        EXPECT_FALSE(bn_event_wait_for(&event, 2, &sleep_at_once, 5 * BN_WAIT_PROGRESS_NS));
        EXPECT_GE(progress_calls, 11);  // at least once, however late it is woken
        bn_wait_progress = nullptr;
    }
}

uint64_t bed;
uint64_t stored;  // what was in the bed while the thread slept
uint32_t own_word, later_word;

void look_at_bed()
{
    stored = bed;
}

void let_another_go_to_bed()
{
    bed = reinterpret_cast<uint64_t>(&later_word);
}

TEST(Sleep, StoresItsWordUntilItWakesOrAnotherThreadSleeps)
{
    bn_wait_bed = &bed;
    bn_wait_progress = look_at_bed;
    bn_wait_sleep(&own_word, own_word + 1, BN_FUTEX_FOREVER);
    EXPECT_EQ(stored, reinterpret_cast<uint64_t>(&own_word));
    EXPECT_EQ(bed, 0u);
    bn_wait_progress = let_another_go_to_bed;
    bn_wait_sleep(&own_word, own_word + 1, BN_FUTEX_FOREVER);
    EXPECT_EQ(bed, reinterpret_cast<uint64_t>(&later_word));
    bn_wait_progress = nullptr;
    bn_wait_bed = nullptr;
}

TEST(Event, GivesUpAfterTheTime)
{
    const bn_wait_policy policy = {};
    bn_event event = {};
    event.value = 5;
    EXPECT_FALSE(bn_event_wait_for(&event, 6, &policy, 1000000));
    EXPECT_TRUE(bn_event_wait_for(&event, 5, &policy, 1000000));
    EXPECT_EQ(event.sleepers, 0u);
}

TEST(Event, WakeAllEndsATimedWait)
{
    const bn_wait_policy policy = {};
    bn_event event = {};
    bool has_returned = false;
    run_team(2, [&](int thread) {
        if (thread == 0) {
            EXPECT_FALSE(bn_event_wait_for(&event, 1, &policy, INT64_C(3600000000000)));
            __atomic_store_n(&has_returned, true, __ATOMIC_SEQ_CST);
        } else {
            while (!__atomic_load_n(&has_returned, __ATOMIC_SEQ_CST)) {
                bn_event_wake_all(&event);
                sched_yield();
            }
        }
    });
}

// A thread that ends tells this to all others; this runs for each of them.
TEST(Event, WakeAllAsksTheSystemForNothingIfNobodySleeps)
{
#ifdef BN_HAS_TSAN
    GTEST_SKIP() << "thread sanitizer has a thread of its own in the child, which exit leaves alone";
#endif
    bn_event event = {};
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT); /* any system call except write and exit is fatal */
        bn_event_wake_all(&event);
        syscall(SYS_exit, 0);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(WaitStep, CountsStepsWhileItSpinsAndWhileItYields)
{
    bn_wait_policy policy = {};
    policy.spin_count = 3;
    uint32_t step = 0;
    for (int i = 0; i < 10; i++)
        bn_wait_step(&step, &policy);
    EXPECT_EQ(step, 10u);
}

}  // namespace
