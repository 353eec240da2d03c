#include "host/wish.h"

#include <gtest/gtest.h>

#include <string>

namespace {

class Wish : public testing::TestWithParam<bn_option_id> {
protected:
    void say(const std::string& value)
    {
        entry_ = bn_option_describe(GetParam())->name + ("=" + value);
        char* list[] = {entry_.data(), nullptr};
        bn_options_read(&options_, list);
        bn_options_load(&options_);
    }

    std::string entry_;
    bn_options options_ = {};
};

TEST_P(Wish, IsNothingOrATableOrAFile)
{
    for (const char* nothing : {"0", "no"}) {
        say(nothing);
        EXPECT_FALSE(bn_wish_is_made(GetParam()));
        EXPECT_TRUE(bn_wish_check(GetParam()));
    }
    for (const char* table : {"1", "yes"}) {
        say(table);
        EXPECT_TRUE(bn_wish_is_made(GetParam()));
        EXPECT_TRUE(bn_wish_check(GetParam()));
        EXPECT_EQ(bn_wish_json_file(GetParam()), nullptr);
    }
    say("json:a file");
    EXPECT_TRUE(bn_wish_check(GetParam()));
    EXPECT_STREQ(bn_wish_json_file(GetParam()), "a file");
}

TEST_P(Wish, AnythingElseIsWrong)
{
    for (const char* wrong : {"loud", "json", "json:", "2"}) {
        say(wrong);
        testing::internal::CaptureStderr();
        EXPECT_FALSE(bn_wish_check(GetParam()));
        EXPECT_NE(testing::internal::GetCapturedStderr().find(" is not 1, for a table, nor json:FILE"),
                  std::string::npos);
    }
}

INSTANTIATE_TEST_SUITE_P(Reports, Wish, testing::Values(BN_OPTION_MPI_REPORT, BN_OPTION_MPI_THREADS_REPORT));

}  // namespace
