// Loops that are dealt out (lower/dealt_loop.cc) and accesses of which it is known where they go (lower/local.cc): which form they get,
// and that they keep the general one where another would be wrong.  That the forms do the same is for tests/programs and
// tests/random/loops.py to show.
#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::lower {
namespace {

const char* const kDeclarations =
    "shared int a[4*THREADS], b[4*THREADS]; shared [3] int c[6*THREADS], d[6*THREADS]; shared [4] int r[THREADS][4], s[THREADS][4];"
    "shared [8] int r2[2*THREADS][4]; shared [] int w[9]; shared struct { char x; int y; } st[THREADS]; shared int n_shared;"
    "extern int global; void g(int); int h(void); double sqrt(double);\n";

class ForallTest : public ::testing::Test {
protected:
    // The C of a function with this body
    std::string translate(const std::string& body, Passes passes = {true, true})
    {
        driver::TranslateOptions options;
        options.source_name = "t.upc";
        options.passes = passes;
        std::string text = std::string(kDeclarations) + "void f(int n, int k, shared int *p, shared [3] int *q, int *z) { int i, j; " + body + " }\n";
        driver::TranslateResult result = driver::translate(text, options);
        EXPECT_TRUE(result.ok) << text << "\n" << result.messages;
        size_t start = result.c.find("void f(");
        size_t end = result.c.find("\nextern struct", start);
        return result.c.substr(start, end - start);
    }

    bool is_dealt(const std::string& loop) { return translate(loop).find(" == 0") != std::string::npos; }

    ::testing::AssertionResult has(const std::string& c, const std::string& part)
    {
        if (c.find(part) != std::string::npos)
            return ::testing::AssertionSuccess();
        return ::testing::AssertionFailure() << "no " << part << " in " << c;
    }
};

TEST_F(ForallTest, NothingIsDoneUnlessAskedFor)
{
    std::string c = translate("upc_forall (i = 0; i < n; i++; &a[i]) a[i] = r[i][j];", {false, false});
    EXPECT_FALSE(has(c, " == 0)"));
    EXPECT_TRUE(has(c, "bn_elem_block(r, "));
}

TEST_F(ForallTest, CyclicLoopsGoOverLocalRows)
{
    std::string c = translate("upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i] + i;");
    EXPECT_TRUE(has(c, "const bn_i64 bn_start4 = (bn_i64)i; const bn_i64 bn_end5 = (bn_i64)(n);"));
    EXPECT_TRUE(has(c, "bn_i64 bn_n2 = bn_first_cyclic(bn_start4); bn_i64 bn_row3 = bn_floor_threads(bn_n2);"));
    EXPECT_TRUE(has(c, "int *const bn_b_6 = (int *)((bn_u64)b + bn_stride((bn_u64)bn_mythread()));"));
    EXPECT_TRUE(has(c, "{ i = (int)bn_n2; bn_a_7[bn_row3] = bn_b_6[bn_row3] + i; }"));
    EXPECT_TRUE(has(c, "i = (int)bn_next_step(bn_start4, bn_end5, 1); } else for (; i < n; i++) if (bn_outer1 | "));
}

TEST_F(ForallTest, BlockedLoopsGoOverOwnBlocks)
{
    std::string c = translate("upc_forall (i = 0; i < n; i += 2; &c[i + 1]) c[i + 1] = d[1 + i] + d[i];");
    EXPECT_TRUE(has(c, "bn_block3 = bn_first_block(bn_start4 + 1, 3); bn_block3 * 3 < bn_end5 + 1; bn_block3 += bn_threads()"));
    EXPECT_TRUE(has(c, "int *const bn_d_6 = (int *)((bn_u64)d + bn_own_block(bn_block3, 3, sizeof(int)));"));
    EXPECT_TRUE(has(c, "bn_i64 bn_n2 = bn_next_step(bn_start4, bn_block3 * 3 - 1, 2);"));
    EXPECT_TRUE(has(c, "bn_c_7[bn_n2 + 1] = bn_d_6[bn_n2 + 1] + (*(int *)bn_elem_block(d, (bn_u64)(i), 3, sizeof(int)));"));
}

TEST_F(ForallTest, RowsAreUnits)
{
    std::string c = translate("upc_forall (i = 0; i < n; i++; &r[i][0]) for (j = 0; j < 4; j++) r[i][j] = s[i][j] + s[i + 1][j];");
    EXPECT_TRUE(has(c, "bn_r_7[bn_row3 * 4 + (bn_i64)(j)] = bn_s_6[bn_row3 * 4 + (bn_i64)(j)] + "));
    EXPECT_TRUE(has(c, "((int *)bn_elem_cyclic(s, (bn_u64)(i + 1), 4 * sizeof(int)))[(bn_i64)(j)];"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; r2[i]) r2[i][1] = 0;"), "[bn_n2 * 4 + (bn_i64)(1)] = 0;"));
}

TEST_F(ForallTest, OtherFormsOfAffinity)
{
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; i) a[i] = 0;"), "bn_a_6[bn_row3] = 0;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; i / 3) c[i] = 0;"), "bn_c_6[bn_n2] = 0;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; a + i) *(a + i) = 0;"), "bn_a_6[bn_row3] = 0;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &st[i].y) st[i].x = 0;"), "bn_st_6[bn_row3].x = 0;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &a[i + k]) a[k + i] = 0;"), "bn_i64 bn_offset6 = 0 + (bn_i64)(k);"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &w[i]) w[i] = 0;"), "if (bn_mythread() == 0) { "));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &p[i]) p[i] = 0;"), "== 0 && (p.thread | p.phase) == 0) {"));
}

TEST_F(ForallTest, WhatMayChangeIsLookedAtAgain)
{
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < global; i++; i) g(i);"), "for (; bn_n2 < ((bn_i64)(global)); ++bn_row3"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < global; i++; i) sqrt(i);"), "const bn_i64 bn_end5 = (bn_i64)(global);"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; i) n--;"), "< ((bn_i64)(n));"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < global; i++; i) z[i] = 0;"), "< ((bn_i64)(global));"));
}

TEST_F(ForallTest, TheGeneralFormStaysWhereAnotherWouldBeWrong)
{
    EXPECT_TRUE(is_dealt("upc_forall (i = 0; i < n; i++; &a[i]) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < h(); i++; &a[i]) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &a[i]) i++;"));
    EXPECT_FALSE(is_dealt("z = &i; upc_forall (i = 0; i < n; i++; &a[i]) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &a[h()]) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &a[i * 2]) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &a[n - i]) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &p[i]) p++;"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i += 2; i) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = n; i > 0; i--; i) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i += k; i) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = -1; i < n; i++; i / 2) g(i);"));
    EXPECT_FALSE(is_dealt("unsigned m = 3; upc_forall (i = k; i < m; i++; i) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; i) { static int count; count++; }"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; i) { x: g(i); }"));
    EXPECT_FALSE(is_dealt("switch (n) upc_forall (i = 0; i < n; i++; i) { case 3: g(i); }"));
    EXPECT_TRUE(is_dealt("upc_forall (i = 0; i < n; i++; i) switch (n) { case 3: g(i); }"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; i) __asm__ volatile (\"\");"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &c[2 * i]) g(i);"));
}

TEST_F(ForallTest, InsideAnotherLoopTheAffinityIsNotLookedAt)
{
    std::string c = translate("upc_forall (i = 0; i < n; i++; i) upc_forall (j = 0; j < n; j++; &a[j]) g(j);");
    EXPECT_TRUE(has(c, "{ for (j = 0; j < n; j++) g(j); }"));
    c = translate("upc_forall (i = 0; i < n; i++; i) upc_forall (j = 0; j < n; j++; h()) g(j);");
    EXPECT_TRUE(has(c, "bn_here_int(h())"));
    c = translate("upc_forall (i = 0; i < n; i++; continue) upc_forall (j = 0; j < n; j++; j) g(j);");
    EXPECT_TRUE(has(c, " == 0) {"));
}

TEST_F(ForallTest, OwnElementsAreFoundWithoutDivision)
{
    const std::string own = "((int *)((bn_u64)a + bn_stride((bn_u64)bn_mythread())))";
    EXPECT_TRUE(has(translate("a[MYTHREAD] = 1;"), own + "[0] = 1;"));
    EXPECT_TRUE(has(translate("a[i * THREADS + MYTHREAD] = 1;"), own + "[(bn_i64)(i)] = 1;"));
    EXPECT_TRUE(has(translate("a[MYTHREAD + THREADS * (i + 1) - n * THREADS] = 1;"), own + "[(bn_i64)((i + 1)) - (bn_i64)(n)] = 1;"));
    EXPECT_TRUE(has(translate("r[MYTHREAD][j] = 1;"), "((int *)((bn_u64)r + bn_stride((bn_u64)bn_mythread())))[(bn_i64)(j)] = 1;"));
    EXPECT_TRUE(has(translate("a[MYTHREAD * 2] = 1;"), "bn_elem_cyclic(a, "));
    EXPECT_TRUE(has(translate("a[MYTHREAD + i] = 1;"), "bn_elem_cyclic(a, "));
    EXPECT_TRUE(has(translate("c[MYTHREAD] = 1;"), "bn_elem_block(c, "));
    EXPECT_TRUE(has(translate("a[i * THREADS - MYTHREAD] = 1;"), "bn_elem_cyclic(a, "));
}

TEST_F(ForallTest, NamesOfTemporariesAreNobodyElses)
{
    std::string loops;
    for (int i = 0; i < 40; i++)
        loops += "upc_forall (i = 0; i < n; i++; &c[i + k]) c[i + k] = j++ ? *p++ : (*q)++; ";
    std::string c = translate(loops);
    for (const char* type : {"bn_i64", "bn_u64", "bn_u32", "bn_i32"})
        EXPECT_FALSE(has(c, std::string("bn_i64 ") + type + " = "));
}

TEST_F(ForallTest, StrictAccessesStayStrict)
{
    std::string c = translate("\n#pragma upc strict\n upc_forall (i = 0; i < n; i++; &a[i]) a[i] = 1;");
    EXPECT_FALSE(has(c, "bn_a_"));
}

}  // namespace
}  // namespace bn::lower
