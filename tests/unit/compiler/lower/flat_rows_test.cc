// Rows of arrays that are indexed as flat ones (lower/flat_rows.cc): where their starts are computed, and which loops
// and accesses keep their form.  That the forms do the same is for tests/programs/flat_rows.upc and
// tests/random/loops.py to show.
#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::lower {
namespace {

const char* const kFlatDeclarations =
    "shared int s[4*THREADS]; shared [8] int c[32*THREADS]; shared [32] int d[64*THREADS]; shared [*] int e[9*THREADS];"
    "shared [8] int *extern_p; shared int n_shared; void g(int); void h(int *);\n";

// The C of a function with this body
std::string translate(const std::string& body, int static_threads = 0, bool far_threads = false)
{
    driver::TranslateOptions options;
    options.source_name = "t.upc";
    options.passes.loops = true;
    options.passes.local = true;
    options.passes.indexed = true;
    options.static_threads = static_threads;
    options.far_threads = far_threads;
    std::string text = std::string(kFlatDeclarations) +
                       "void f(int n, int m, shared [8] int *q, int *z) { int i, j, k; " + body + " }\n";
    driver::TranslateResult result = driver::translate(text, options);
    EXPECT_TRUE(result.ok) << text << "\n" << result.messages;
    size_t start = result.c.find("void f(");
    return result.c.substr(start, result.c.find("\nextern struct", start) - start);
}

bool has_row(const std::string& c)
{
    return c.find("bn_elem_beside(") != std::string::npos;
}

::testing::AssertionResult has(const std::string& c, const std::string& part)
{
    if (c.find(part) != std::string::npos)
        return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "no " << part << " in " << c;
}

TEST(FlatRows, TheStartOfARowIsFoundBeforeTheLoop)
{
    std::string c = translate("for (j = 0; j < n; j++) c[i*8 + j + 1] = 1;");
    EXPECT_TRUE(
        has(c, "{ const bn_pts_t bn_1_c = bn_add_whole_blocks(bn_start(c), (bn_i64)((bn_u64)(i)), 8, sizeof(int)); "));
    EXPECT_TRUE(has(c, "((bn_i64)j <= bn_last) & ((bn_u64)(0 + (bn_i64)j + (1)) < 8) & "
                       "((bn_u64)(0 + bn_last + (1)) < 8)) { for ( ; j < n; j++) "
                       "((int *)bn_1_c.addr)[(bn_i64)j + (1)] = 1; }"));
    EXPECT_TRUE(has(c, "else { for ( ; j < n; j++) "
                       "(*(int *)bn_elem_beside(bn_1_c, 0, (bn_i64)j + (1), 8, sizeof(int))) = 1; }"));
}

TEST(FlatRows, TheyAreFoundBeforeTheOutermostLoopThatKeepsThem)
{
    EXPECT_TRUE(has(translate("for (k = 0; k < n; k++) for (j = 0; j < n; j++) q[8*i + j] += k;"),
                    "bn_add_whole_blocks(q, (bn_i64)((bn_u64)(i)), 8, sizeof(int)); for (k = 0;"));
    EXPECT_TRUE(has(translate("for (k = 0; k < n; k++, i++) for (j = 0; j < n; j++) q[8*i + j] += k;"),
                    "k++, i++) { const bn_pts_t bn_1_q = "));
    EXPECT_TRUE(has(translate("for (k = 0; k < n; k++) { for (j = 0; j < n; j++) q[8*i + j] += k; q += 8; }"),
                    "{ { const bn_pts_t bn_1_q = "));
}

TEST(FlatRows, SeveralRowsMayBeInABlock)
{
    std::string c = translate("for (j = n; j > 0; j--) d[(i - 1) * 8 + j] = 1;");
    EXPECT_TRUE(has(c, "bn_add_block(bn_start(d), (bn_i64)((bn_u64)(i) * 8 - 8), 32, sizeof(int))"));
    EXPECT_TRUE(has(c, ">= bn_last) & ((bn_u64)(bn_1_d.phase + (bn_i64)j) < 32)"));
}

TEST(FlatRows, TheLoopMayBeginWithTheNumberOfTheRow)
{
    std::string c = translate("for (i = MYTHREAD * 9; i < (MYTHREAD + 1) * 9; i++) e[i] = 1;");
    EXPECT_TRUE(has(c, "bn_add_whole_blocks(bn_start(e), (bn_i64)((bn_u64)(bn_mythread())), 9, sizeof(int))"));
    EXPECT_TRUE(has(c, "((int *)bn_1_e.addr)[(bn_i64)i + (bn_i64)( - (bn_u64)(bn_mythread()) * 9)] = 1;"));
    EXPECT_TRUE(has_row(translate("for (j = i; j < i + 8; j++) c[j] = 1;")));
    EXPECT_TRUE(has_row(translate("for (k = 0, j = i; j < i + 8; j++) c[j] = 1;")));
    EXPECT_TRUE(has_row(translate("for (int l = 0, j = i; j < i + 8; j++) c[j] = 1;")));
    EXPECT_FALSE(has_row(translate("for (i = 0, j = i; j < i + 8; j++) c[j] = 1;")));
    EXPECT_FALSE(has_row(translate("for (j = i; j < i + 9; j++) c[j] = 1;")));
    EXPECT_FALSE(has_row(translate("for (j = i; j < n; j++) c[j] = 1;")));
}

// Known of a pointer inside the form of a loop that is dealt out
TEST(FlatRows, PhasesOfPointersAreTestedBeforeDealtLoops)
{
    std::string c = translate("upc_forall (i = 0; i < n; i++; &q[8*i]) for (j = 0; j < m; j++) q[8*i + j] = 1;");
    EXPECT_TRUE(has(c, "q.phase == 0"));
    EXPECT_TRUE(has(c, "(bn_u64)(0 + (bn_i64)j) < 8"));
    EXPECT_TRUE(has(c, ".phase, (bn_i64)j, 8, sizeof(int)))"));  // in the general form
}

TEST(FlatRows, LoopsThatMayNotStandTwiceTestEachAccess)
{
    for (const char* loop :
         {"for (j = 0; j < n; j++) { c[i*8 + j] = 1; for (k = 0; k < 2; k++) g(k); }",
          "for (j = 0; j < n; j++) { c[i*8 + j] = 1; j += k; }", "for (j = 0; j < z[0]; j++) c[i*8 + j] = 1;",
          "for (j = 0; j != n; j++) c[i*8 + j] = 1;", "for (j = 0; j < n; j += m) c[i*8 + j] = 1;",
          "h(&j); for (j = 0; j < n; j++) { c[i*8 + j] = 1; g(1); }"}) {
        EXPECT_TRUE(has_row(translate(loop))) << loop;
        EXPECT_EQ(translate(loop).find("bn_last"), std::string::npos) << loop;
    }
}

TEST(FlatRows, OtherAccessesKeepTheirForm)
{
    for (const char* loop :
         {"for (j = 0; j < n; j++) c[j*8 + i] = 1;", "for (j = 0; j < n; j++) c[i + j] = 1;",
          "for (j = 0; j < n; j++) c[i*7 + j] = 1;", "for (j = 0; j < n; j++, i++) c[i*8 + j] = 1;",
          "for (j = 0; j < n; j++) s[i*8 + j] = 1;", "for (j = 0; j < n; j++) { extern_p[i*8 + j] = 1; g(j); }",
          "for (j = 0; j < n; j++) { l: c[i*8 + j] = 1; if (z[j]) goto l; }",
          "for (j = 0; j < n; j++) c[8*(i / m) + j] = 1;", "for (j = 0; j < n; j++) c[8*i + j + n / m] = 1;",
          "for (j = 0; j < n; j++) c[8u*i + j] = 1;", "\n#pragma GCC unroll 2\nfor (j = 0; j < n; j++) c[8*i + j] = 1;",
          "for (n_shared = 0; n_shared < n; n_shared++) c[i*8 + n_shared] = 1;",
          "for (volatile int l = 0; l < n; l++) c[i*8 + l] = 1;", "for (j = 0; j < n; ) { c[i*8 + j] = 1; j++; }"})
        EXPECT_FALSE(has_row(translate(loop))) << loop;
    const char* loop = "for (j = 0; j < n; j++) c[i*8 + j] = 1;";
    EXPECT_FALSE(has_row(translate(loop, 0, true)));
    EXPECT_TRUE(has_row(translate(loop, 3)));
    EXPECT_TRUE(has(translate(loop, 1), "bn_elem_indef(c, (bn_u64)(i*8 + j), sizeof(int))"));
}

}  // namespace
}  // namespace bn::lower
