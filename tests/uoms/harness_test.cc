// Statistics, processors, memory and JSON of the harness, without a parallel system.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

extern "C" {
#include "bench.h"
#include "clock.h"
#include "cpus.h"
#include "json.h"
#include "memory.h"
#include "stats.h"
}

namespace {

uoms_summary summarise(const std::vector<double>& samples, bool discards = false)
{
    std::vector<double> scratch(samples.size());
    uoms_summary summary;
    uoms_summarise(samples.data(), samples.size(), discards, scratch.data(), &summary);
    return summary;
}

TEST(Stats, SummaryOfKnownSamples)
{
    std::vector<double> samples;
    for (int i = 101; i >= 1; i--)
        samples.push_back(i);
    uoms_summary summary = summarise(samples);
    EXPECT_EQ(summary.count, 101u);
    EXPECT_EQ(summary.min, 1);
    EXPECT_EQ(summary.max, 101);
    EXPECT_EQ(summary.median, 51);
    EXPECT_DOUBLE_EQ(summary.mean, 51);
    EXPECT_DOUBLE_EQ(summary.p95, 96);
    EXPECT_DOUBLE_EQ(summary.p99, 100);
    EXPECT_EQ(summary.outliers, 0u);
}

TEST(Stats, InvalidSamplesAreLeftOut)
{
    uoms_summary summary = summarise({3, NAN, 1, 2, NAN});
    EXPECT_EQ(summary.count, 3u);
    EXPECT_EQ(summary.median, 2);
    summary = summarise({NAN, NAN});
    EXPECT_EQ(summary.count, 0u);
    EXPECT_TRUE(std::isnan(summary.median));
}

TEST(Stats, OutliersAreCountedAndDiscardedOnlyOnDemand)
{
    std::vector<double> samples(50, 10);
    for (size_t i = 0; i < samples.size(); i++)
        samples[i] += static_cast<double>(i % 5);
    samples[7] = 1000;
    EXPECT_EQ(summarise(samples).outliers, 1u);
    EXPECT_EQ(summarise(samples).max, 1000);
    EXPECT_EQ(summarise(samples, true).outliers, 1u);
    EXPECT_EQ(summarise(samples, true).max, 14);
    EXPECT_EQ(summarise(samples, true).count, 49u);
}

TEST(Stats, RanksOfTheMedianAreTheTabulatedOnes)
{
    // Counted from 0; from tables of the sign test at 95 %.
    const struct {
        size_t count, low, high;
    } table[] = {{6, 0, 5}, {8, 0, 7}, {9, 1, 7}, {10, 1, 8}, {20, 5, 14}, {50, 17, 32}, {100, 39, 60}};
    for (const auto& row : table) {
        size_t low, high;
        ASSERT_TRUE(uoms_median_ranks(row.count, &low, &high)) << row.count;
        EXPECT_EQ(low, row.low) << row.count;
        EXPECT_EQ(high, row.high) << row.count;
    }
    size_t low, high;
    EXPECT_FALSE(uoms_median_ranks(5, &low, &high));
    EXPECT_TRUE(std::isnan(summarise({1, 2, 3, 4, 5}).low));
    EXPECT_TRUE(uoms_median_ranks(20000, &low, &high));
    EXPECT_NEAR(static_cast<double>(low), 10000 - 0.98 * std::sqrt(20000.0), 2);
}

TEST(Stats, IntervalsHoldTheMedianInAtLeast95Of100)
{
    std::mt19937 random(7);
    std::lognormal_distribution<double> skewed(0, 1);  // its median is 1
    for (size_t count : {6u, 15u, 40u}) {
        int held = 0;
        for (int trial = 0; trial < 2000; trial++) {
            std::vector<double> samples(count);
            for (double& sample : samples)
                sample = skewed(random);
            uoms_summary summary = summarise(samples);
            held += summary.low <= 1 && 1 <= summary.high;
        }
        EXPECT_GT(held, 1880) << count;
    }
}

TEST(Stats, SlowestThreadImbAndSkew)
{
    // Two threads, and one that does not take part; the third iteration is invalid for thread 1.
    const double raw[] = {10, 20, 30, 40, 15, 10, NAN, 60, -1, -1, -1, -1};
    double slowest[4], scratch[4];
    uoms_slowest(raw, 3, 4, slowest);
    EXPECT_EQ(slowest[0], 15);
    EXPECT_EQ(slowest[1], 20);
    EXPECT_TRUE(std::isnan(slowest[2]));
    EXPECT_EQ(slowest[3], 60);

    struct uoms_imb imb;
    uoms_imb(raw, 3, 4, &imb);
    EXPECT_DOUBLE_EQ(imb.min, 25);  // (10 + 20 + 30 + 40) / 4
    EXPECT_DOUBLE_EQ(imb.max, 85.0 / 3);
    EXPECT_DOUBLE_EQ(imb.mean, (25 + 85.0 / 3) / 2);

    EXPECT_DOUBLE_EQ(uoms_skew(raw, 3, 4, scratch), 10);  // of 5, 10, 20
    const double alone[] = {5, 6, -1, -1};
    EXPECT_TRUE(std::isnan(uoms_skew(alone, 2, 2, scratch)));
}

TEST(Clock, OffsetIsThatOfTheMiddleOfTheRoundTrip)
{
    double error;
    EXPECT_DOUBLE_EQ(uoms_clock_offset(100, 1150, 200, &error), 1000);
    EXPECT_DOUBLE_EQ(error, 50);
}

TEST(Bench, SizesThatAreTooLargeStaySo)
{
    EXPECT_EQ(uoms_times(SIZE_MAX / 2, 2), SIZE_MAX - 1);
    EXPECT_EQ(uoms_times(SIZE_MAX / 2 + 1, 2), SIZE_MAX);
    EXPECT_EQ(uoms_times(0, SIZE_MAX) + uoms_times(SIZE_MAX, 0), 0u);
    EXPECT_EQ(uoms_plus(SIZE_MAX - 1, 1), SIZE_MAX);
    EXPECT_EQ(uoms_plus(SIZE_MAX, SIZE_MAX), SIZE_MAX);
    EXPECT_EQ(uoms_room(1), 128u);
    EXPECT_EQ(uoms_room(64), 128u);
    for (size_t size : {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 64})
        EXPECT_EQ(uoms_room(size), SIZE_MAX);
}

TEST(Bench, PatternsTellOwnersPlacesAndSeedsApart)
{
    int same = 0;
    for (size_t place = 0; place < 4096; place++) {
        same += uoms_pattern(0, place, 1) == uoms_pattern(1, place, 1);
        same += uoms_pattern(0, place, 1) == uoms_pattern(0, place, 2);
        same += uoms_pattern(0, place, 1) == uoms_pattern(0, place + 1, 1);
        same += uoms_pattern(0, place, 1) == uoms_pattern(0, place + 256, 1);
        same += uoms_pattern(0, place, 1) == uoms_pattern(0, place + 65536, 1);
    }
    EXPECT_LT(same, 5 * 4096 / 32);
}

TEST(Cpus, AreCountedOnce)
{
    EXPECT_EQ(uoms_cpu_count(""), 0u);
    EXPECT_EQ(uoms_cpu_count("3"), 1u);
    EXPECT_EQ(uoms_cpu_count("0-3,8"), 5u);
    EXPECT_EQ(uoms_cpu_count("0-1,0-1,1,2"), 3u);
    std::string many = "0-999";
    for (int thread = 0; thread < 600; thread++)
        many += ",0-1";
    EXPECT_EQ(uoms_cpu_count((many + ",1000").c_str()), 1001u);
}

TEST(Bench, ComparisonFindsTheFirstWrongByteAndTheGuard)
{
    std::vector<unsigned char> data(100 + UOMS_GUARD);
    uoms_run run = {};
    uoms_poison(data.data(), data.size());
    uoms_fill(data.data(), 3, 50, 100, 9);
    EXPECT_EQ(uoms_compare(&run, data.data(), 3, 50, 100, 9, 0), 0u);
    EXPECT_EQ(uoms_compare_guard(&run, data.data() + 100, 100), 0u);
    data[40] ^= 1;
    data[60] ^= 1;
    EXPECT_EQ(uoms_compare(&run, data.data(), 3, 50, 100, 9, 0), 2u);
    EXPECT_EQ(run.bad_place, 40u);
    data[101] = 0;
    EXPECT_EQ(uoms_compare_guard(&run, data.data() + 100, 100), 1u);
    EXPECT_EQ(run.bad_place, 101u);
}

// A folder that serves as the root of a machine's files
class Root : public testing::Test {
protected:
    Root() : path_(std::filesystem::path(testing::TempDir()) / ("uoms-root-" + std::to_string(getpid())))
    {
        std::filesystem::remove_all(path_);
    }
    ~Root() override { std::filesystem::remove_all(path_); }

    void write(const std::string& name, const std::string& text)
    {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name) << text << "\n";
    }

    void add_cpu(int number, int core, int package, int numa, const std::string& cache2, const std::string& cache3)
    {
        std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(number);
        write(folder + "/topology/core_id", std::to_string(core));
        write(folder + "/topology/physical_package_id", std::to_string(package));
        write(folder + "/cache/index2/level", "2");
        write(folder + "/cache/index2/shared_cpu_list", cache2);
        write(folder + "/cache/index3/level", "3");
        write(folder + "/cache/index3/shared_cpu_list", cache3);
        write("sys/devices/system/node/node" + std::to_string(numa) + "/cpu" + std::to_string(number) + "/x", "");
    }

    std::filesystem::path path_;
};

TEST_F(Root, DistancesAndPairsOfTwoPackages)
{
    // Two hardware threads, a core with the same L3, a core with another L3 in the region, another package.
    add_cpu(0, 0, 0, 0, "0-1", "0-2");
    add_cpu(1, 0, 0, 0, "0-1", "0-2");
    add_cpu(2, 1, 0, 0, "2", "0-2");
    add_cpu(3, 2, 0, 0, "3", "3");
    add_cpu(4, 3, 0, 1, "4", "4");
    add_cpu(5, 0, 1, 2, "5", "5");
    static uoms_cpus cpus;
    uoms_cpus_read(path_.c_str(), "0-4,5", &cpus);
    ASSERT_EQ(cpus.count, 6u);
    const int distances[] = {0, 2, 3, 4, 5};
    for (size_t other = 1; other < 6; other++)
        EXPECT_EQ(uoms_cpu_distance(&cpus.cpus[0], &cpus.cpus[other]), distances[other - 1]) << other;

    uoms_pair pairs[32];
    ASSERT_EQ(uoms_cpu_pairs(&cpus, 0, pairs, 32), 5u);
    for (size_t i = 0; i < 5; i++)
        EXPECT_EQ(pairs[i].distance, distances[i]);
    EXPECT_EQ(uoms_cpu_pairs(&cpus, 1, pairs, 32), 15u);
    EXPECT_EQ(uoms_cpu_pairs(&cpus, 1, pairs, 7), 7u);
}

TEST_F(Root, NoProcessorIsPairedWithItself)
{
    add_cpu(0, 0, 0, 0, "0", "0-1");
    add_cpu(1, 1, 0, 0, "1", "0-1");
    static uoms_cpus cpus;
    uoms_cpus_read(path_.c_str(), "1,0-1,0", &cpus);  // the masks of several threads, in their order
    ASSERT_EQ(cpus.count, 2u);
    uoms_pair pairs[4];
    ASSERT_EQ(uoms_cpu_pairs(&cpus, 1, pairs, 4), 1u);
    EXPECT_EQ(pairs[0].first, 1);
    EXPECT_EQ(pairs[0].second, 0);
}

TEST_F(Root, ProcessorsOfTheMachineAreThoseThatAreOn)
{
    static uoms_cpus cpus;
    add_cpu(0, 0, 0, 0, "0", "0-3");
    add_cpu(1, 1, 0, 0, "1", "0-3");
    add_cpu(3, 3, 0, 0, "3", "0-3");
    uoms_cpus_read_all(path_.c_str(), &cpus);
    EXPECT_EQ(cpus.count, 0u);
    write("sys/devices/system/cpu/online", "0-1,3");
    uoms_cpus_read_all(path_.c_str(), &cpus);
    ASSERT_EQ(cpus.count, 3u);
    EXPECT_EQ(cpus.cpus[2].number, 3);
    EXPECT_EQ(cpus.cpus[2].core, 3);
}

TEST_F(Root, MemoryIsTheLeastOfMachineAndGroups)
{
    write("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable:   800 kB");
    EXPECT_EQ(uoms_memory_available(path_.c_str()), 800 * 1024.0);
    write("proc/self/cgroup", "0::/a/b");
    write("sys/fs/cgroup/a/b/memory.max", "max");
    EXPECT_EQ(uoms_memory_available(path_.c_str()), 800 * 1024.0);
    write("sys/fs/cgroup/a/memory.max", "500000");
    write("sys/fs/cgroup/a/memory.current", "100000");
    EXPECT_EQ(uoms_memory_available(path_.c_str()), 400000.0);
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "250000");
    write("sys/fs/cgroup/memory/memory.usage_in_bytes", "50000");
    EXPECT_EQ(uoms_memory_available(path_.c_str()), 200000.0);
}

TEST_F(Root, MemoryIsUnlimitedWhereNothingTells)
{
    EXPECT_TRUE(std::isinf(uoms_memory_available(path_.c_str())));
}

TEST(Json, NumbersTextsAndNesting)
{
    char text[512] = "";
    uoms_json json = {};
    json.file = fmemopen(text, sizeof text, "w");
    const double times[] = {12.345678, NAN, 1234567.8, -1};
    uoms_json_stream(&json, nullptr, '{');
    uoms_json_text(&json, "a", "x\"\\\n");
    uoms_json_text(&json, "none", nullptr);
    uoms_json_text(&json, "latin", "caf\xe9");
    uoms_json_number(&json, "b", NAN);
    uoms_json_number(&json, "large", 8388608);
    uoms_json_number(&json, "exact", 123456.7890625);
    uoms_json_bool(&json, "caf\xe9", 1);
    uoms_json_times(&json, "t", times, 4);
    uoms_json_open(&json, "l", '[');
    uoms_json_count(&json, nullptr, 1);
    uoms_json_count(&json, nullptr, 2);
    uoms_json_open(&json, nullptr, '{');
    uoms_json_close(&json, '}');
    uoms_json_close(&json, ']');
    uoms_json_stream(&json, "rows", '[');
    for (int row = 0; row < 2; row++) {
        uoms_json_open(&json, nullptr, '{');
        uoms_json_count(&json, "\xe9", static_cast<size_t>(row));
        uoms_json_close(&json, '}');
    }
    fflush(json.file);
    EXPECT_STREQ(text, R"({
"a":"x\"\\\n",
"none":null,
"latin":"caf?",
"b":null,
"large":8388608,
"exact":123456.7890625,
"caf?":true,
"t":[12.3457,null,1234568,null],
"l":[1,2,{}],
"rows":[
{"?":0},
{"?":1})");
    uoms_json_close(&json, ']');
    uoms_json_close(&json, '}');
    fclose(json.file);
    EXPECT_EQ(std::string(text).substr(strlen(text) - 3), "}]}");
}

}  // namespace
