#include "driver/compiler_message.h"

#include <gtest/gtest.h>

namespace bn::driver {
namespace {

TEST(CompilerMessage, HasPlaceLabelAndText)
{
    auto found = compiler_message("a b.c:12:7: fatal error: none.h: No such file or directory");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->location.file, "a b.c");
    EXPECT_EQ(found->location.line, 12u);
    EXPECT_EQ(found->location.column, 7u);
    EXPECT_EQ(found->label, "fatal error");
    EXPECT_EQ(found->text, "none.h: No such file or directory");
}

TEST(CompilerMessage, MayLackAColumn)
{
    auto found = compiler_message("a.c:3: warning: text");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->location.line, 3u);
    EXPECT_EQ(found->location.column, 0u);
    EXPECT_EQ(found->label, "warning");
}

TEST(CompilerMessage, OtherLinesAreNone)
{
    for (const char* line :
         {"", "   12 | int a: 3;", "In file included from a.c:3:", "a.c: In function 'f':", "cc1: error: x"})
        EXPECT_FALSE(compiler_message(line)) << line;
}

}  // namespace
}  // namespace bn::driver
