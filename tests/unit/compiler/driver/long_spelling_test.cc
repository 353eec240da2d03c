#include "driver/long_spelling.h"

#include <gtest/gtest.h>

namespace bn::driver {
namespace {

using Arguments = std::vector<std::string>;

Arguments spelt(Arguments arguments)
{
    spell_short(arguments, 0);
    return arguments;
}

TEST(LongSpelling, WithoutValue)
{
    EXPECT_EQ(spelt({"--compile", "a.upc"}), (Arguments{"-c", "a.upc"}));
    EXPECT_EQ(spelt({"--write-user-dependencies"}), Arguments{"-MMD"});
    EXPECT_EQ(spelt({"--compile=x"}), Arguments{"--compile=x"});
}

TEST(LongSpelling, WithAValue)
{
    EXPECT_EQ(spelt({"--output=a=b", "x"}), (Arguments{"-o", "a=b", "x"}));
    EXPECT_EQ(spelt({"--output", "a", "x"}), (Arguments{"-o", "a", "x"}));
    EXPECT_EQ(spelt({"--std=c11"}), Arguments{"-std=c11"});
    EXPECT_EQ(spelt({"--std", "c11", "x"}), (Arguments{"-std=c11", "x"}));
    EXPECT_EQ(spelt({"--std"}), Arguments{"-std="});
}

TEST(LongSpelling, WithAValueOrNot)
{
    EXPECT_EQ(spelt({"--optimize=2"}), Arguments{"-O2"});
    EXPECT_EQ(spelt({"--debug", "x"}), (Arguments{"-g", "x"}));
}

TEST(LongSpelling, OthersStay)
{
    for (const char* argument : {"-c", "a.upc", "", "--", "--help", "--outputs", "--pthreads=2", "="})
        EXPECT_EQ(spelt({argument, "x"}), (Arguments{argument, "x"}));
}

}  // namespace
}  // namespace bn::driver
