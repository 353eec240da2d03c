// How the harness measures, with a clock that the test controls.
#include <gtest/gtest.h>

extern "C" {
#include "measure.h"
#include "one_thread.h"
}

namespace {

constexpr double kOperationNs = 3000;

void take_time(uoms_run*, long count)
{
    one_thread_now_ns += kOperationNs * static_cast<double>(count);
}

class Measure : public testing::Test {
protected:
    Measure()
    {
        bench_.name = "upc_all_broadcast";
        bench_.operation = "broadcast";
        bench_.run = take_time;
        options_.sync = UOMS_SYNC_CLOCK;
        options_.repetitions = 20;
        options_.time_s = 1;
        run_.bench = &bench_;
        run_.options = &options_;
        run_.threads = 1;
        one_thread_now_ns = 0;
        one_thread_look_ns = 50;
    }

    ~Measure() override { one_thread_look_ns = one_thread_barrier_ns = 0; }

    uoms_result measure(double barrier_ns)
    {
        uoms_meter meter;
        uoms_result result = {};
        one_thread_barrier_ns = barrier_ns;
        EXPECT_EQ(uoms_meter_start(&meter, &options_), 0);
        uoms_measure(&meter, &run_, &result);
        uoms_meter_finish(&meter);
        return result;
    }

    uoms_bench bench_ = {};
    uoms_options options_ = {};
    uoms_run run_ = {};
};

TEST_F(Measure, TakesTheTimeFromTheAgreedStart)
{
    uoms_result result = measure(100);
    EXPECT_EQ(result.repetitions, 20u);
    EXPECT_EQ(result.late, 0u);
    EXPECT_NEAR(result.slowest.median, kOperationNs, 200);
}

// A barrier of 2 ms, as between hosts, for which the first windows leave 5 us.
TEST_F(Measure, WindowsThatAreTooShortAreTakenAgainWithMoreTime)
{
    uoms_result result = measure(2e6);
    EXPECT_EQ(result.repetitions, 20u);
    EXPECT_EQ(result.late, 0u);
    EXPECT_NEAR(result.slowest.median, kOperationNs, 200);
}

TEST_F(Measure, GivesUpWhereThreadsAreAlwaysLate)
{
    uoms_result result = measure(1e9);
    EXPECT_GE(result.repetitions, 6u);
    EXPECT_EQ(result.late, result.repetitions);
    EXPECT_EQ(result.slowest.count, 0u);
}

// The other threads' delays have no effect on thread 0 if it works alone.
TEST_F(Measure, TimeCountsFromTheLastArrivalOfThoseThatTakePart)
{
    options_.sync = UOMS_SYNC_BARRIER;
    options_.skew_ns = 1e5;
    run_.threads = 4;
    bench_.flags = UOMS_ALONE;
    EXPECT_NEAR(measure(0).slowest.median, kOperationNs, 200);
    bench_.flags = 0;
    EXPECT_EQ(measure(0).slowest.min, 0);
}

// All samples are equal, which reflects the resolution of the clock (50 ns here) and not the precision of the result.
TEST_F(Measure, NoResultIsMorePreciseThanTheClock)
{
    options_.sync = UOMS_SYNC_BARRIER;
    options_.precision = 1e-6;
    EXPECT_EQ(measure(0).repetitions, 20u);
    options_.precision = 0.1;
    EXPECT_LT(measure(0).repetitions, 20u);
}

class ClockCost : public testing::Test {
protected:
    ~ClockCost() override { one_thread_look_ns = one_thread_first_look_ns = 0; }
};

// What a clock does at its first reading, such as calibration, is not part of the cost of a reading.
TEST_F(ClockCost, LeavesTheFirstReadingOut)
{
    uoms_clock clock;
    one_thread_look_ns = 16;
    one_thread_first_look_ns = 5e6;
    uoms_clock_examine(&clock);
    EXPECT_DOUBLE_EQ(clock.cost_ns, 16);
    EXPECT_DOUBLE_EQ(clock.step_ns, 16);
}

}  // namespace
