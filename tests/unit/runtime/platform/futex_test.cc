#include "platform/futex.h"

#include "platform/clock.h"
#include "platform/memory.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

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

}  // namespace
