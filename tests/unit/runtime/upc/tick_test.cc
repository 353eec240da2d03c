// The clock: it agrees with the system's, never goes back, and converts any interval.
#include "upc/bupc_c.h"
#include "upc/job.h"

#include <time.h>

#include <cmath>

namespace {

uint64_t system_ns()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
}

TEST(Tick, AgreesWithTheSystemsClock)
{
    SKIP_IF_NO_WINDOW();
    run_job(3, [] {
        timespec nap = {0, 20000000};
        uint64_t before = system_ns();
        uint64_t start = upc_ticks_now();
        uint64_t inner_start = system_ns();
        nanosleep(&nap, nullptr);
        uint64_t inner = system_ns() - inner_start;
        uint64_t ns = upc_ticks_to_ns(upc_ticks_now() - start);
        uint64_t outer = system_ns() - before;
        EXPECT_GE(ns, inner - inner / 100);
        EXPECT_LE(ns, outer + outer / 100);
    });
}

TEST(Tick, NeverGoesBack)
{
    SKIP_IF_NO_WINDOW();
    run_job(2, [] {
        uint64_t previous = upc_ticks_now();
        for (int i = 0; i < 100000; i++) {
            uint64_t now = upc_ticks_now();
            ASSERT_GE(now, previous);
            previous = now;
        }
    });
}

TEST(Tick, ConvertsIntervalsFromNothingToYears)
{
    SKIP_IF_NO_WINDOW();
    run_job(1, [] {
        EXPECT_EQ(upc_ticks_to_ns(0), 0u);
        // The rate, from an interval that is long enough for accuracy
        constexpr uint64_t kLong = uint64_t{1} << 52;
        long double rate = static_cast<long double>(upc_ticks_to_ns(kLong)) / kLong;
        EXPECT_GT(rate, 0.01);
        EXPECT_LT(rate, 1000.0);
        uint64_t previous = 0;
        for (uint64_t ticks = 1; ticks != 0 && static_cast<long double>(ticks) * rate < 1.8e19L;
             ticks = ticks * 3 + 1) {
            uint64_t ns = upc_ticks_to_ns(ticks);
            ASSERT_NEAR(static_cast<double>(ns), static_cast<double>(ticks * rate),
                        static_cast<double>(ticks * rate * 1e-9L) + 1)
                << ticks;
            ASSERT_GE(ns, previous);
            previous = ns;
            if (ticks > UINT64_MAX / 4)
                break;
        }
    });
}

TEST(Tick, MicrosecondsOfBerkeleyAreThoseOfNanoseconds)
{
    SKIP_IF_NO_WINDOW();
    run_job(1, [] {
        for (uint64_t ticks : {uint64_t{0}, uint64_t{1}, uint64_t{12345}, uint64_t{1} << 40, uint64_t{1} << 52}) {
            EXPECT_EQ(bupc_ticks_to_us(ticks), upc_ticks_to_ns(ticks) / 1000);
            EXPECT_EQ(bupc_ticks_to_ns(ticks), upc_ticks_to_ns(ticks));
        }
        EXPECT_GT(bupc_tick_granularityus(), 0.0);
        EXPECT_GT(bupc_tick_overheadus(), 0.0);
    });
}

}  // namespace
