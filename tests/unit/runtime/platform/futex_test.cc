#include "platform/futex.h"

#include "platform/clock.h"
#include "platform/memory.h"
#include "platform/pause.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

namespace {

TEST(Futex, DoesNotSleepOnAnotherValue)
{
    uint32_t word = 1;
    errno = 55;
    bn_futex_wait(&word, 2, BN_FUTEX_FOREVER);
    EXPECT_EQ(errno, 55);
}

TEST(Futex, SleepsNoLongerThanAsked)
{
    uint32_t word = 1;
    uint64_t start = bn_clock_ns();
    errno = 55;
    bn_futex_wait(&word, 1, 2000000);
    EXPECT_GE(bn_clock_ns() - start, 2000000u);
    EXPECT_EQ(errno, 55);
}

TEST(Futex, WakesAnotherProcess)
{
    void* memory;
    ASSERT_EQ(bn_memory_share(4096, &memory), BN_OK);
    uint32_t* word = static_cast<uint32_t*>(memory);
    uint32_t* answer = word + 1;
    pid_t child = fork();
    if (child == 0) {
        for (uint32_t round = 0; round < 100; round++) {
            while (__atomic_load_n(word, __ATOMIC_SEQ_CST) == round)
                bn_futex_wait(word, round, BN_FUTEX_FOREVER);
            __atomic_store_n(answer, round + 1, __ATOMIC_SEQ_CST);
            bn_futex_wake(answer, 1);
        }
        _exit(0);
    }
    for (uint32_t round = 0; round < 100; round++) {
        __atomic_store_n(word, round + 1, __ATOMIC_SEQ_CST);
        bn_futex_wake(word, 1);
        while (__atomic_load_n(answer, __ATOMIC_SEQ_CST) == round)
            bn_futex_wait(answer, round, BN_FUTEX_FOREVER);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    bn_memory_unshare(memory, 4096);
}

TEST(Pause, YieldKeepsErrno)
{
    errno = 66;
    bn_cpu_yield();
    EXPECT_EQ(errno, 66);
}

TEST(Pause, YieldsAndNapsBesideThreadsThatCompute)
{
    std::atomic<bool> is_over{false};
    std::vector<std::thread> others;
    for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); i++)
        others.emplace_back([&] {
            while (!is_over)
                bn_cpu_pause();
        });
    errno = 66;
    for (int i = 0; i < 20; i++)
        bn_cpu_yield();
    EXPECT_EQ(errno, 66);
    is_over = true;
    for (std::thread& other : others)
        other.join();
}

}  // namespace
