#include "pgas/remote/endpoint.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#ifdef BN_HAS_ASAN
#include <sanitizer/lsan_interface.h>
#endif

// A stand-in for the network: two processes with an allocation each, both of which this process can access.  It has no
// locks, so concurrent calls lose counts, and ThreadSanitizer notices them.
namespace {

constexpr int kEach = 3;
constexpr uint64_t kShareBytes = 256;

unsigned char memory[2][kEach * kShareBytes];
long calls;
long polls_below;
bool can_reach;

void* below_allocate(uint64_t size_bytes)
{
    return size_bytes == kEach * kShareBytes ? memory[0] : nullptr;
}
void* below_map(int process)
{
    return process == 0 || can_reach ? memory[process] : nullptr;
}
void below_get(void* dst, int process, uint64_t offset, uint64_t size_bytes)
{
    ++calls;
    std::memcpy(dst, &memory[process][offset], size_bytes);
}
void below_put(int process, uint64_t offset, const void* src, uint64_t size_bytes)
{
    ++calls;
    std::memcpy(&memory[process][offset], src, size_bytes);
}
uint64_t* word(int process, uint64_t offset)
{
    return reinterpret_cast<uint64_t*>(&memory[process][offset]);
}
void below_store(int process, uint64_t offset, uint64_t value)
{
    ++calls;
    *word(process, offset) = value;
}
uint64_t below_load(int process, uint64_t offset)
{
    ++calls;
    return *word(process, offset);
}
uint64_t below_swap(int process, uint64_t offset, uint64_t value)
{
    ++calls;
    return std::exchange(*word(process, offset), value);
}
uint64_t below_change(int process, uint64_t offset, uint64_t expected, uint64_t value)
{
    ++calls;
    uint64_t old = *word(process, offset);
    *word(process, offset) = old == expected ? value : old;
    return old;
}
uint64_t below_add(int process, uint64_t offset, uint64_t value)
{
    ++calls;
    return std::exchange(*word(process, offset), *word(process, offset) + value);
}
uint64_t below_atomic(bn_transport_op, unsigned, int process, uint64_t offset, uint64_t a, uint64_t)
{
    return below_add(process, offset, a);
}
void below_put_signal(int process, uint64_t offset, const void* src, uint64_t size_bytes, uint64_t word_offset,
                      uint64_t value)
{
    below_put(process, offset, src, size_bytes);
    *word(process, word_offset) = value;
}
void below_nothing()
{
    ++calls;
}
bool below_poll()
{
    ++polls_below;
    return true;
}
bool below_can()
{
    return false;
}

bn_transport below()
{
    bn_transport made{};
    made.allocate = below_allocate;
    made.map = below_map;
    made.get = made.get_begin = below_get;
    made.put = made.put_begin = below_put;
    made.store = below_store;
    made.load = below_load;
    made.swap = below_swap;
    made.change = below_change;
    made.add = below_add;
    made.can_change_narrow = below_can;
    made.atomic = below_atomic;
    made.put_signal = below_put_signal;
    made.order = made.complete = made.barrier = below_nothing;
    made.poll = below_poll;
    return made;
}

class Endpoint : public testing::TestWithParam<bn_arbiter_policy> {
protected:
    Endpoint()
    {
        std::memset(memory, 0, sizeof memory);
        calls = polls_below = 0;
        can_reach = true;
    }

    const bn_transport* open()
    {
        static const bn_transport network = below();
        const bn_arbiter_place place = {.core_count = 2, .processes = 1, .wait = BN_WAIT_AUTO};
        return bn_endpoint_open(&network, kEach, GetParam(), &place);
    }

    // A thread's part of the endpoint lasts as long as the process, as UPC threads do, so it is not a leak.
    static bool join()
    {
#ifdef BN_HAS_ASAN
        const __lsan::ScopedDisabler lasts;
#endif
        return bn_endpoint_join();
    }

    // A POSIX thread cannot take part twice, so each test has new ones.
    static void by_threads(int count, const std::function<void(int)>& body)
    {
        std::vector<std::thread> threads;
        for (int i = 0; i < count; ++i) {
            threads.emplace_back([&body, i] {
                ASSERT_TRUE(join());
                body(i);
            });
        }
        for (std::thread& thread : threads)
            thread.join();
    }
};

TEST_P(Endpoint, EveryThreadHasItsShareOfAProcess)
{
    const bn_transport* threads = open();
    ASSERT_EQ(threads->allocate(kShareBytes), memory[0]);
    for (int thread = 0; thread < 2 * kEach; ++thread)
        EXPECT_EQ(threads->map(thread), &memory[thread / kEach][thread % kEach * kShareBytes]) << thread;
    can_reach = false;
    EXPECT_EQ(threads->map(kEach - 1), &memory[0][(kEach - 1) * kShareBytes]);
    EXPECT_EQ(threads->map(kEach), nullptr);
    EXPECT_FALSE(threads->can_change_narrow());
    EXPECT_EQ(threads->collectives, nullptr);
}

TEST_P(Endpoint, WhatIsMovedGoesToTheShareAndBack)
{
    const bn_transport* threads = open();
    ASSERT_NE(threads->allocate(kShareBytes), nullptr);
    by_threads(1, [&](int) {
        for (int thread = 0; thread < 2 * kEach; ++thread) {
            const uint64_t sent = 100 + static_cast<uint64_t>(thread);
            const uint64_t* share = word(thread / kEach, thread % kEach * kShareBytes);
            uint64_t got = 0;
            threads->put(thread, 0, &sent, sizeof sent);
            threads->put_begin(thread, 8, &sent, sizeof sent);
            threads->put_signal(thread, 16, &sent, sizeof sent, 24, 7);
            threads->store(thread, 32, 9);
            EXPECT_EQ(std::vector<uint64_t>(share, share + 5), (std::vector<uint64_t>{sent, sent, sent, 7, 9}));
            threads->get(&got, thread, 8, sizeof got);
            EXPECT_EQ(got, sent);
            threads->get_begin(&got, thread, 24, sizeof got);
            EXPECT_EQ(got, 7U);
            EXPECT_EQ(threads->load(thread, 32), 9U);
            EXPECT_EQ(threads->swap(thread, 32, 10), 9U);
            EXPECT_EQ(threads->change(thread, 32, 10, 11), 10U);
            EXPECT_EQ(threads->change(thread, 32, 10, 12), 11U);
            EXPECT_EQ(threads->add(thread, 32, 2), 11U);
            EXPECT_EQ(threads->atomic(BN_TRANSPORT_ADD, 8, thread, 32, 1, 0), 13U);
            EXPECT_EQ(share[4], 14U);
        }
        threads->order();
        threads->complete();
        EXPECT_TRUE(threads->poll());
    });
    EXPECT_EQ(polls_below, 1);
}

TEST_P(Endpoint, OneAtATime)
{
    const bn_transport* threads = open();
    ASSERT_NE(threads->allocate(kShareBytes), nullptr);
    constexpr int kThreads = 4, kRounds = 500;
    by_threads(kThreads, [&](int self) {
        for (int round = 0; round < kRounds; ++round) {
            threads->add((self + round) % (2 * kEach), 0, 1);
            threads->complete();
            threads->poll();
        }
    });
    uint64_t sum = 0;
    for (int thread = 0; thread < 2 * kEach; ++thread)
        sum += *word(thread / kEach, thread % kEach * kShareBytes);
    EXPECT_EQ(sum, static_cast<uint64_t>(kThreads * kRounds));
    EXPECT_EQ(calls, 2 * kThreads * kRounds);
    EXPECT_EQ(polls_below, kThreads * kRounds);
}

INSTANTIATE_TEST_SUITE_P(Policies, Endpoint,
                         testing::Values(BN_ARBITER_PRIORITY, BN_ARBITER_TICKET, BN_ARBITER_MUTEX, BN_ARBITER_COHORT),
                         [](const auto& policy) { return bn_arbiter_policy_name(policy.param); });

}  // namespace
