// Lengths of string literals from their spelling
#include "sema/strings.h"

#include <gtest/gtest.h>

namespace bn::sema {
namespace {

TEST(StringsTest, Characters)
{
    EXPECT_EQ(string_units("\"\"", 1), 0u);
    EXPECT_EQ(string_units("\"ab\"", 1), 2u);
    EXPECT_EQ(string_units("u8\"\xC3\xA9\"", 1), 2u);
    EXPECT_EQ(string_units("L\"\xC3\xA9\"", 4), 1u);
    EXPECT_EQ(string_units("u\"\xF0\x9F\x98\x80\"", 2), 2u);
    EXPECT_EQ(string_units("U\"\xF0\x9F\x98\x80\"", 4), 1u);
}

TEST(StringsTest, Escapes)
{
    EXPECT_EQ(string_units(R"("\n\\\"\?")", 1), 4u);
    EXPECT_EQ(string_units(R"("\0\1234\18")", 1), 5u);
    EXPECT_EQ(string_units(R"("\x41g\xfF")", 1), 3u);
    EXPECT_EQ(string_units(R"("\u00e9\U0001F600")", 1), 6u);
    EXPECT_EQ(string_units(R"(u"\u00e9\U0001F600")", 2), 3u);
}

TEST(StringsTest, Raw)
{
    EXPECT_EQ(string_units("R\"(a\\n)\"", 1), 3u);
    EXPECT_EQ(string_units("u8R\"x(a)\"\")x\"", 1), 4u);
}

}  // namespace
}  // namespace bn::sema
