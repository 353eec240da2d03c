#include "boot/arguments.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

class Arguments : public testing::Test {
protected:
    bn_status_t take(std::vector<std::string> words)
    {
        static char* empty[] = {nullptr};
        bn_options_read(&options_, empty);
        words.insert(words.begin(), "prog");
        kept_ = std::move(words);
        std::vector<char*> argv;
        for (std::string& word : kept_)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        int argc = static_cast<int>(argv.size()) - 1;
        testing::internal::CaptureStderr();
        bn_status_t status = bn_arguments_take(&options_, &argc, argv.data());
        said_ = testing::internal::GetCapturedStderr();
        rest_.assign(argv.begin() + 1, argv.begin() + argc);
        EXPECT_EQ(argv[static_cast<size_t>(argc)], nullptr);
        EXPECT_STREQ(argv[0], "prog");
        return status;
    }
    int64_t threads() const
    {
        return options_.values[BN_OPTION_THREADS].source == BN_OPTION_FROM_DEFAULT
                   ? 0
                   : options_.values[BN_OPTION_THREADS].number;
    }

    using Words = std::vector<std::string>;
    bn_options options_;
    Words rest_;
    std::string said_;

private:
    std::vector<std::string> kept_;
};

TEST_F(Arguments, EveryFormOfTheThreadCount)
{
    for (const Words& words :
         {Words{"-n", "6"}, Words{"-n6"}, Words{"-n=6"}, Words{"-fupc-threads-6"}, Words{"-fupc-threads=6"}}) {
        Words all = words;
        all.push_back("own");
        EXPECT_EQ(take(all), BN_OK);
        EXPECT_EQ(threads(), 6) << words[0];
        EXPECT_EQ(rest_, Words{"own"}) << words[0];
    }
}

TEST_F(Arguments, EveryFormOfTheHeap)
{
    for (const Words& words :
         {Words{"-heap", "64M"}, Words{"-heap64"}, Words{"-fupc-heap-64MB"}, Words{"-fupc-heap=64"}}) {
        EXPECT_EQ(take(words), BN_OK);
        EXPECT_EQ(options_.values[BN_OPTION_SHARED_HEAP].number, 64 << 20) << words[0];
        EXPECT_TRUE(rest_.empty());
    }
}

TEST_F(Arguments, OnlyLeadingOnesAreTaken)
{
    EXPECT_EQ(take({"-n", "2", "own", "-n", "5"}), BN_OK);
    EXPECT_EQ(threads(), 2);
    EXPECT_EQ(rest_, (Words{"own", "-n", "5"}));
}

TEST_F(Arguments, TwoDashesEndThem)
{
    EXPECT_EQ(take({"-n2", "--", "-n", "5"}), BN_OK);
    EXPECT_EQ(threads(), 2);
    EXPECT_EQ(rest_, (Words{"-n", "5"}));
    EXPECT_EQ(take({"--", "--"}), BN_OK);
    EXPECT_EQ(rest_, Words{"--"});
}

TEST_F(Arguments, WhatOnlyLooksSimilarIsThePrograms)
{
    for (const char* word : {"-name", "-heapsort", "-no", "-fupc-heaps", "-", "-N", "--n", "-g", "-fupc-threads"}) {
        EXPECT_EQ(take({word, "-n", "3"}), BN_OK) << word;
        EXPECT_EQ(threads(), 0) << word;
        EXPECT_EQ(rest_, (Words{word, "-n", "3"}));
    }
}

TEST_F(Arguments, NothingToTake)
{
    EXPECT_EQ(take({}), BN_OK);
    EXPECT_TRUE(rest_.empty());
}

TEST_F(Arguments, WrongValuesAreReported)
{
    EXPECT_EQ(take({"-n"}), BN_ERR_INVALID);
    EXPECT_EQ(said_, "banyan: -n needs a value after it\n");
    EXPECT_EQ(take({"-n", "x"}), BN_ERR_INVALID);
    EXPECT_EQ(said_, "banyan: -n: \"x\" is not a number from 1 to 1024\n");
    EXPECT_EQ(take({"-n5000"}), BN_ERR_INVALID);
    EXPECT_EQ(take({"-heap", "big"}), BN_ERR_INVALID);
}

}  // namespace
