// The program's pragmas (lower/directives.h).
#include "lower/directives.h"

#include <gtest/gtest.h>

#include "lex/lex.h"

namespace bn::lower {
namespace {

TEST(DirectivesTest, StandBeforeTokens)
{
    source::Source source("#pragma omp a\nx\n#pragma omp b\n#pragma omp c\ny \"\n#pragma omp d\n\" z", "t.upc");
    lex::TokenList tokens = lex::lex(source);
    auto count = [&](lex::TokenIndex first, lex::TokenIndex last) {
        return pragmas_before(first, last, tokens).size();
    };
    EXPECT_EQ(count(1, 1), 1U);
    EXPECT_EQ(count(2, 2), 2U);
    EXPECT_EQ(count(1, 2), 3U);
    EXPECT_EQ(pragmas_before(2, 2, tokens)[1].text, "#pragma omp c");
}

TEST(DirectivesTest, ConsistOfWordsOutsideOfParentheses)
{
    auto expect = [](const char* pragma, const std::vector<std::string_view>& expected) {
        EXPECT_EQ(words(pragma), expected) << pragma;
    };
    expect("# pragma omp for, private(nowait (x) y)\\\n ordered ( 2 )nowait",
           {"omp", "for", "private", "ordered", "nowait"});
    expect("#pragma", {});
    expect("#pragma GCC unroll 4", {"GCC", "unroll", "4"});
}

}  // namespace
}  // namespace bn::lower
