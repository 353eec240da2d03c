#include "tune/pair.h"

#include <limits>

#include <gtest/gtest.h>

namespace bn::tune {

namespace {

TEST(PairOfHosts, LinesAreWholeWithAnyNames)
{
    std::vector<std::string> hosts;
    for (int i = 0; i < 20; i++)
        hosts.push_back("node-" + std::to_string(100 + i) + "." + std::string(200, 'd'));
    std::string text = network_lines(hosts, {{30000, 5000, 60000, -1, 2}});
    EXPECT_NE(text.find(", node-118." + std::string(200, 'd') + " and node-119."), std::string::npos);
    EXPECT_TRUE(text.ends_with("\nnic     latency=25us overhead=5us gap=0us bandwidth=2000M\n"
                               "link    hop=0ns bandwidth=2000M\n"));
}

TEST(PairOfHosts, IsPlausibleIfItCanBeSimulated)
{
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(is_plausible({3, 1, 4, -1, 0.5}));
    for (double bandwidth : {0.0, -1.0, kInfinite, -kInfinite, std::nan("")})
        EXPECT_FALSE(is_plausible({3, 1, 4, 1, bandwidth})) << bandwidth;
    EXPECT_FALSE(is_plausible({-3, 1, 4, 1, 1}));
    EXPECT_FALSE(is_plausible({3, 1, 4, kInfinite, 1}));
}

}  // namespace

}  // namespace bn::tune
