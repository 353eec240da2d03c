#include "tune/thread_counts.h"

#include <gtest/gtest.h>

namespace bn::tune {

namespace {

using Counts = std::vector<int>;

TEST(ThreadCounts, AreThoseOfFewAndOfManyCores)
{
    EXPECT_EQ(default_thread_counts(1, 1024), (Counts{2, 4}));
    EXPECT_EQ(default_thread_counts(2, 1024), (Counts{2, 4, 8}));
    EXPECT_EQ(default_thread_counts(17, 1024), (Counts{2, 4, 8, 16, 17, 34, 68}));
}

TEST(ThreadCounts, AreNotAboveTheLimitOfThreads)
{
    EXPECT_EQ(default_thread_counts(400, 1024), (Counts{2, 4, 8, 16, 32, 64, 128, 256, 400, 800, 1024}));
    EXPECT_EQ(default_thread_counts(4096, 1024), (Counts{2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}));
}

}  // namespace

}  // namespace bn::tune
