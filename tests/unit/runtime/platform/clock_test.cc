#include "platform/clock.h"

#include "platform/pause.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>

namespace {

bool is_held_up;  // at the next reading of the system's clock

}  // namespace

// In place of the C library's
extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept
{
    int result = static_cast<int>(syscall(SYS_clock_gettime, clock, now));
    if (is_held_up) {
        is_held_up = false;
        usleep(2000);
    }
    return result;
}

namespace {

TEST(Clock, GoesForward)
{
    uint64_t previous = bn_clock_ns();
    for (int i = 0; i < 10000; i++) {
        uint64_t now = bn_clock_ns();
        ASSERT_GE(now, previous);
        previous = now;
    }
}

TEST(Clock, TicksAgreeWithNanoseconds)
{
    bn_clock_start();
    uint64_t start_ns = bn_clock_ns();
    uint64_t start_ticks = bn_clock_ticks();
    while (bn_clock_ns() - start_ns < 20000000)
        bn_cpu_pause();
    uint64_t ticks = bn_clock_ticks() - start_ticks;
    uint64_t inner_ns = 20000000;
    EXPECT_GE(bn_clock_ticks_to_ns(ticks), inner_ns * 99 / 100);
    EXPECT_LE(bn_clock_ticks_to_ns(ticks), (bn_clock_ns() - start_ns) * 101 / 100);
}

/* A child that has just started its clocks: returns whether it was told at once that ticks cannot be converted yet, or
 * that they are nanoseconds, as on processors without a counter */
bool hears_that_it_is_too_early()
{
    pid_t child = fork();
    if (child == 0) {
        bn_clock_start();
        uint64_t ns = bn_clock_ticks_to_known_ns(1000);
        _exit(ns == UINT64_MAX || ns == 1000);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

void be_too_early_once()
{
    for (int i = 0; i < 100; i++) /* one of them is not held up for 5 ms */
        if (hears_that_it_is_too_early())
            _exit(55);
    _exit(1);
}

TEST(ClockDeathTest, DoesNotWaitForTheRateOfTicks)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe"); /* a process whose clocks have not been started */
    EXPECT_EXIT(be_too_early_once(), testing::ExitedWithCode(55), "");
    uint64_t awaited_ns = bn_clock_ticks_to_ns(1000000);
    EXPECT_EQ(bn_clock_ticks_to_known_ns(1000000), awaited_ns);
}

void relate_clocks_while_held_up()
{
    is_held_up = true;
    bn_clock_start();
    uint64_t start_ns = bn_clock_ns(), start_ticks = bn_clock_ticks();
    usleep(20000);
    uint64_t ticks = bn_clock_ticks() - start_ticks, outer_ns = bn_clock_ns() - start_ns;
    uint64_t ns = bn_clock_ticks_to_ns(ticks);
    _exit(ns >= 20000000 * UINT64_C(99) / 100 && ns <= outer_ns * 101 / 100 ? 55 : 1);
}

TEST(ClockDeathTest, AThreadThatIsHeldUpBetweenTheClocksKnowsTheRate)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe"); /* a process whose clocks have not been started */
    EXPECT_EXIT(relate_clocks_while_held_up(), testing::ExitedWithCode(55), "");
}

}  // namespace
