// Plain loops from block to block (lower/blockwise.cc): what they look like, and which loops keep their form.  That the
// forms do the same is for tests/programs/for_all_elements.upc and tests/random/loops.py to show.
#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::lower {
namespace {

const char* const kBlockwiseDeclarations =
    "shared [*] int e[64*THREADS]; shared [32] int c[64*THREADS], d[64*THREADS]; shared [16] int other[64*THREADS];"
    "shared [8] int few[64*THREADS]; shared int cyclic[64*THREADS]; shared [64] int m[64*THREADS][2];"
    "strict shared [32] int s[64*THREADS]; shared [32] struct { int x; } st[64*THREADS];"
    "int global; int h(int); void g(void *);\n";

class BlockwiseTest : public ::testing::Test {
protected:
    // The C of a function with this body
    std::string translate(const std::string& body, int static_threads = 0, bool far_threads = false)
    {
        driver::TranslateOptions options;
        options.source_name = "t.upc";
        options.passes.loops = true;
        options.passes.local = true;
        options.passes.independent = true;
        options.static_threads = static_threads;
        options.far_threads = far_threads;
        std::string text = std::string(kBlockwiseDeclarations) +
                           "void f(int n, int k, shared [32] int *q, shared int *r, int *z) { int i, j; " + body +
                           " }\n";
        driver::TranslateResult result = driver::translate(text, options);
        EXPECT_TRUE(result.ok) << text << "\n" << result.messages;
        size_t start = result.c.find("void f(");
        return result.c.substr(start, result.c.find("\nextern struct", start) - start);
    }

    bool goes_by_blocks(const std::string& c) { return c.find("bn_next_piece(") != std::string::npos; }

    ::testing::AssertionResult has(const std::string& c, const std::string& part)
    {
        if (c.find(part) != std::string::npos)
            return ::testing::AssertionSuccess();
        return ::testing::AssertionFailure() << "no " << part << " in " << c;
    }
};

TEST_F(BlockwiseTest, ALoopOverAllElementsGoesFromBlockToBlock)
{
    std::string c = translate("for (i = 0; i < 64*THREADS; i++) c[i] = d[i] + 1;");
    EXPECT_TRUE(has(c, "{ i = 0; const bn_i64 bn_start3 = (bn_i64)i; const bn_i64 bn_end4 = "
                       "(bn_i64)(64*bn_threads()); struct bn_blocks bn_blocks2; "
                       "for (bn_first_piece(&bn_blocks2, bn_start3, bn_end4, 0, 32, 1); "
                       "bn_blocks2.n < bn_blocks2.stop; bn_next_piece(&bn_blocks2)) "
                       "{ const bn_i64 bn_stop7 = bn_blocks2.n + 32; "));
    EXPECT_TRUE(has(c, "#pragma GCC ivdep"));
    EXPECT_TRUE(has(c, "for (; bn_n1 < bn_stop7; ++bn_n1) { i = (int)bn_n1; bn_6_c[bn_n1] = bn_5_d[bn_n1] + 1; } } "
                       "i = (int)bn_next_step(bn_start3, bn_end4, 1); }"));
    c = translate("for (long v = 1; v <= 64*THREADS; ++v) c[v] = d[v - 1] + d[1 + v];");
    EXPECT_TRUE(has(c, "bn_first_piece_beside("));
    EXPECT_TRUE(has(c, "] = bn_6_d[bn_n1 - 1] + bn_7_d[bn_n1 + 1]; "));
}

TEST_F(BlockwiseTest, WhatTheBodyMayDo)
{
    for (const char* loop :
         {"for (i = 0; i < 64*THREADS; i++) k += e[i];",
          "for (unsigned long v = 0; v < 64*THREADS; v++) z[v] = st[v].x;",
          "for (i = 0; i < 64*THREADS; i++) { if (c[i] < 0) continue; if (d[i] == k) return; cyclic[i] = r[i]; }",
          "for (i = 0; i < 64*THREADS; i++) m[i][n & 1] = 0;", "for (i = 5; i < 69; i++) c[i] = 0;",
          "for (j = 0; j < n; j++) for (i = 0; i < 64*THREADS; i++) c[i] += q[j * 32] + c[k];",
          "for (i = 0; i < 64*THREADS; i++) k += few[i] + other[i + 1] + e[i];",
          "upc_forall (j = 0; j < 64*THREADS; j++; &c[j]) for (i = 0; i < 64*THREADS; i++) c[j] += d[i];"})
        EXPECT_TRUE(goes_by_blocks(translate(loop))) << loop;
    EXPECT_TRUE(goes_by_blocks(translate("for (i = 0; i < 65; i++) c[i] = 0;", 2)));
    EXPECT_TRUE(
        has(translate("upc_forall (j = 0; j < 64*THREADS; j++; &c[j]) for (i = 0; i < 64*THREADS; i++) c[j] += d[i];"),
            "_d["));
}

TEST_F(BlockwiseTest, ShortLoopsAndSmallBlocksStay)
{
    for (const char* loop :
         {"for (i = 0; i < n; i++) c[i] = 0;", "for (i = k; i < 64*THREADS; i++) c[i] = 0;",
          "for (i = 2; i < 64*THREADS; i++) k += c[i];", "for (i = 0; i < 63; i++) c[i] = 0;",
          "for (i = 0; i < 32 * THREADS; i++) c[i] = 0;", "for (i = 0; i < 64*THREADS; i++) few[i] = 0;",
          "for (i = 0; i < 64*THREADS; i++) cyclic[i] = 0;", "for (i = 0; i < 100; i += 2) c[i] = 0;",
          "for (i = 64*THREADS; i > 0; i--) c[i - 1] = 0;"})
        EXPECT_FALSE(goes_by_blocks(translate(loop))) << loop;
    EXPECT_FALSE(goes_by_blocks(translate("for (i = 0; i < 64; i++) e[i] = 0;", 2))) << "one block";
    EXPECT_FALSE(goes_by_blocks(translate("for (i = 0; i < 64*THREADS; i++) c[i] = 0;", 1)));
    EXPECT_FALSE(goes_by_blocks(translate("for (i = 0; i < 64*THREADS; i++) c[i] = 0;", 0, true)));
}

TEST_F(BlockwiseTest, LoopsThatItCouldChangeStay)
{
    for (const char* body :
         {"{ if (d[i]) break; c[i] = 0; }", "{ c[i] = 0; i += k; }", "{ c[i] = 0; goto out; }", "{ x: c[i] = 0; }",
          "c[i] = h(i);", "{ g(&i); c[i] = 0; }", "{ c[i] = 0; for (j = 0; j < n; j++) k++; }",
          "{ static int s; c[i] = s++; }", "{ int y __attribute__((cleanup(g))) = 1; c[i] = y; }", "c[i] = s[i];",
          "{ c[i] = 0; upc_barrier; }"})
        EXPECT_FALSE(goes_by_blocks(translate("for (i = 0; i < 64*THREADS; i++) " + std::string(body) + " out:;")))
            << body;
    EXPECT_FALSE(
        goes_by_blocks(translate("for (global = 0; global < 64*THREADS; global++) { c[global] = 0; *z = 1; }")));
    EXPECT_FALSE(goes_by_blocks(translate("for (i = 0; i < 64*THREADS + global; i++) { c[i] = 0; global = 1; }")));
    EXPECT_FALSE(goes_by_blocks(translate("\n#pragma omp for collapse(2)\nfor (j = 0; j < n; j++) "
                                          "for (i = 0; i < 64*THREADS; i++) c[i] = 0;")));
    EXPECT_FALSE(goes_by_blocks(translate("\n#pragma GCC unroll 2\nfor (i = 0; i < 64*THREADS; i++) c[i] = 0;")));
}

TEST_F(BlockwiseTest, OtherElementsThatDependOnTheVariableKeepTheLoop)
{
    for (const char* value : {"c[i] + c[2 * i]", "c[i] + d[i + k]", "c[i] + q[i]", "m[k][i & 1] + c[i]",
                              "c[i] + *(q + i)", "c[i] + c[d[i]]"})
        EXPECT_FALSE(goes_by_blocks(translate("for (i = 0; i < 64*THREADS; i++) k += " + std::string(value) + ";")))
            << value;
}

}  // namespace
}  // namespace bn::lower
