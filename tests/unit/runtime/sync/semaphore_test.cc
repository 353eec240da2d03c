#include "sync/semaphore.h"

#include "sync/processes.h"
#include "sync/team.h"

#include <climits>

namespace {

constexpr uint32_t kMax = 65535;

const bn_wait_policy kWaits[] = {
    bn_wait_policy_make(2, 2, BN_WAIT_AUTO),
    bn_wait_policy_make(16, 2, BN_WAIT_AUTO),
    bn_wait_policy_make(2, 2, BN_WAIT_SLEEP),
};

TEST(Semaphore, CountsUnits)
{
    bn_semaphore semaphore = {};
    EXPECT_FALSE(bn_semaphore_try(&semaphore, 1));
    EXPECT_TRUE(bn_semaphore_try(&semaphore, 0));
    EXPECT_TRUE(bn_semaphore_post(&semaphore, 5, kMax));
    EXPECT_FALSE(bn_semaphore_try(&semaphore, 6));
    EXPECT_TRUE(bn_semaphore_try(&semaphore, 2));
    bn_semaphore_wait(&semaphore, 3, &kWaits[2]);
    EXPECT_EQ(semaphore.value, 0u);
    EXPECT_EQ(semaphore.sleepers, 0u);
}

TEST(Semaphore, IsWatchedWithoutTakingUnits)
{
    bn_semaphore semaphore = {};
    bn_wait_policy policy = bn_wait_policy_make(1, 1, BN_WAIT_AUTO);
    EXPECT_EQ(bn_semaphore_value(&semaphore), 0u);
    ASSERT_TRUE(bn_semaphore_post(&semaphore, 3, 10));
    bn_semaphore_watch(&semaphore, 3, &policy);
    EXPECT_EQ(bn_semaphore_value(&semaphore), 3u);
}

TEST(Semaphore, RefusesMoreThanItHolds)
{
    bn_semaphore semaphore = {};
    EXPECT_FALSE(bn_semaphore_post(&semaphore, kMax + 1, kMax));
    EXPECT_TRUE(bn_semaphore_post(&semaphore, kMax, kMax));
    EXPECT_FALSE(bn_semaphore_post(&semaphore, 1, kMax));
    EXPECT_EQ(semaphore.value, kMax) << "what did not fit changed nothing";
    EXPECT_FALSE(bn_semaphore_post(&semaphore, UINT32_MAX, UINT32_MAX)) << "the sum would wrap";
}

TEST(Semaphore, RaisedIsOneWhateverItWas)
{
    bn_semaphore semaphore = {};
    for (int i = 0; i < 3; i++)
        bn_semaphore_raise(&semaphore);
    EXPECT_EQ(semaphore.value, 1u);
    EXPECT_TRUE(bn_semaphore_try(&semaphore, 1));
    EXPECT_FALSE(bn_semaphore_try(&semaphore, 1));
}

TEST(Semaphore, WhatWasDoneBeforeAPostIsVisible)
{
    for (const bn_wait_policy& policy : kWaits) {
        bn_semaphore full = {};
        bn_semaphore empty = {};
        int cell = 0;  // plain: ordered only by the semaphores
        run_team(2, [&](int thread) {
            for (int i = 1; i <= 3000; i++) {
                if (thread == 0) {
                    cell = i;
                    bn_semaphore_post(&full, 1, kMax);
                    bn_semaphore_wait(&empty, 1, &policy);
                } else {
                    bn_semaphore_wait(&full, 1, &policy);
                    ASSERT_EQ(cell, i);
                    bn_semaphore_post(&empty, 1, kMax);
                }
            }
        });
    }
}

// One post for all: the thread that is woken first must not be the only one.
TEST(Semaphore, WaitersForFewAndForManyAllGetTheirUnits)
{
    for (const bn_wait_policy& policy : kWaits) {
        bn_semaphore semaphore = {};
        bn_semaphore taken = {};
        bn_event rounds = {};  // completed rounds: no thread takes twice from one post
        run_team(6, [&](int thread) {
            for (uint32_t round = 1; round <= 300; round++) {
                if (thread == 0) {
                    bn_semaphore_post(&semaphore, 1 + 2 + 3 + 4 + 5, kMax);
                    bn_semaphore_wait(&taken, 5, &policy);
                    bn_event_publish(&rounds, round);
                } else {
                    bn_semaphore_wait(&semaphore, static_cast<uint32_t>(thread), &policy);
                    bn_semaphore_post(&taken, 1, kMax);
                    bn_event_wait(&rounds, round, &policy);
                }
            }
        });
        EXPECT_EQ(semaphore.value, 0u);
        EXPECT_EQ(semaphore.sleepers, 0u);
    }
}

struct Ring {
    bn_semaphore free_cells;
    bn_semaphore full_cells;
    bn_semaphore turn_to_take;
    uint32_t put_count;
    uint32_t take_count;
    uint64_t cells[8];
    uint64_t sum;
};

// Producers and consumers in separate processes, which are stopped at arbitrary places
TEST(Semaphore, ProcessesPassNumbersThroughARing)
{
    for (int pairs : {1, 3, 8}) {
        Shared<Ring> ring;
        const uint64_t per_producer = 6000 / static_cast<uint64_t>(pairs);
        bn_semaphore_post(&ring->free_cells, 8, kMax);
        bn_semaphore_raise(&ring->turn_to_take);
        std::vector<pid_t> ids = start_processes(2 * pairs, [&](int process) {
            const bn_wait_policy policy = bn_wait_policy_make(2 * pairs, 2, BN_WAIT_AUTO);
            for (uint64_t i = 0; i < per_producer; i++) {
                if (process % 2 == 0) {
                    bn_semaphore_wait(&ring->free_cells, 1, &policy);
                    // Several threads may put at the same time, each into a cell of its own.
                    uint32_t place = __atomic_fetch_add(&ring->put_count, 1, __ATOMIC_RELAXED);
                    uint64_t none = 0;
                    while (!__atomic_compare_exchange_n(&ring->cells[place % 8], &none, i + 1, false, __ATOMIC_RELEASE,
                                                        __ATOMIC_RELAXED)) {
                        none = 0;
                        sched_yield();
                    }
                    bn_semaphore_post(&ring->full_cells, 1, kMax);
                } else {
                    bn_semaphore_wait(&ring->full_cells, 1, &policy);
                    bn_semaphore_wait(&ring->turn_to_take, 1, &policy);
                    uint64_t number;
                    while ((number = __atomic_exchange_n(&ring->cells[ring->take_count % 8], 0, __ATOMIC_ACQUIRE)) == 0)
                        sched_yield();
                    ring->take_count++;
                    ring->sum += number;
                    bn_semaphore_raise(&ring->turn_to_take);
                    bn_semaphore_post(&ring->free_cells, 1, kMax);
                }
            }
        });
        stop_and_continue(ids);
        EXPECT_TRUE(all_succeed(ids));
        EXPECT_EQ(ring->sum, static_cast<uint64_t>(pairs) * per_producer * (per_producer + 1) / 2);
        EXPECT_EQ(ring->full_cells.value, 0u);
        EXPECT_EQ(ring->free_cells.value, 8u);
    }
}

}  // namespace
