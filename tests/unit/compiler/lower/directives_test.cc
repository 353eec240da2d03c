// The program's pragmas (lower/directives.h): how they are found, and which of them make threads wait for each other,
// or exchange data.
#include "lower/directives.h"

#include <string>

#include <gtest/gtest.h>

#include "lex/lex.h"

namespace bn::lower {
namespace {

bool synchronises_in(const std::string& text)
{
    source::Source source(text + "\n;", "t.upc");
    lex::TokenList tokens = lex::lex(source);
    return synchronises(tokens.other_pragmas.back().text, tokens);
}

TEST(DirectivesTest, Flushes)
{
    for (const char* pragma : {"omp barrier",
                               "omp flush",
                               "omp flush(x) acquire",
                               "omp critical",
                               "omp critical (name)",
                               "omp ordered",
                               "omp ordered depend(source)",
                               "omp taskwait",
                               "omp taskyield",
                               "omp taskgroup",
                               "omp task",
                               "omp taskloop nogroup",
                               "omp masked taskloop",
                               "omp parallel",
                               "omp parallel for simd",
                               "omp distribute parallel for nowait",
                               "omp for",
                               "omp for simd",
                               "omp for private(nowait)",
                               "omp sections",
                               "omp single copyprivate(x)",
                               "omp scope",
                               "omp loop",
                               "omp teams",
                               "omp target",
                               "omp cancel for",
                               "omp unheard of",
                               "omp atomic read seq_cst",
                               "omp atomic, acq_rel capture",
                               "omp atomic write release",
                               "omp atomic\tacquire",
                               "acc parallel loop",
                               "acc wait",
                               "omp \\\n barrier"})
        EXPECT_TRUE(synchronises_in(std::string("#pragma ") + pragma)) << pragma;
}

TEST(DirectivesTest, OthersAreFree)
{
    for (const char* pragma : {"omp simd",
                               "omp for nowait",
                               "omp for schedule(static, 2) nowait",
                               "omp for simd nowait",
                               "omp single nowait",
                               "omp sections nowait",
                               "omp section",
                               "omp master",
                               "omp masked filter(1)",
                               "omp scan inclusive(x)",
                               "omp atomic",
                               "omp atomic capture",
                               "omp atomic update relaxed",
                               "omp atomic read hint(seq_cst)",
                               "omp tile sizes(4)",
                               "omp unroll",
                               "acc loop",
                               "acc atomic",
                               "omp",
                               "GCC ivdep",
                               "GCC unroll 4",
                               "barrier",
                               ""})
        EXPECT_FALSE(synchronises_in(std::string("#pragma ") + pragma)) << pragma;
}

TEST(DirectivesTest, AtomicsMayHaveAnOrderForAll)
{
    const std::string order = "#pragma omp requires atomic_default_mem_order(acq_rel)\n";
    EXPECT_TRUE(synchronises_in(order + "#pragma omp atomic"));
    EXPECT_FALSE(synchronises_in(order + "#pragma omp atomic relaxed"));
    EXPECT_FALSE(synchronises_in("#pragma omp requires unified_shared_memory\n#pragma omp atomic"));
}

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
    expect("#pragma omp metadirective when(user={condition(1)}: parallel for) default(simd)",
           {"omp", "metadirective", "when", "user={condition", "1", "}", "parallel", "for", "default", "simd"});
}

TEST(DirectivesTest, ClausesMakeVariablesPrivate)
{
    for (const char* clause : {"private(a)", "private (b, a)", "firstprivate(a)", "lastprivate(conditional: a)",
                               "linear(a : 2)", "reduction(+: b, a[0:4])"})
        EXPECT_TRUE(makes_private(std::string("#pragma omp parallel ") + clause, "a")) << clause;
    for (const char* clause : {"shared(a)", "private(aa)", "private(b) if(a)", "a", ""})
        EXPECT_FALSE(makes_private(std::string("#pragma omp parallel ") + clause, "a")) << clause;
}

}  // namespace
}  // namespace bn::lower
