// A thread's own elements, found by MYTHREAD in their index (lower/local.cc, lower/round_loop.cc) or in a upc_forall.
#include <string>
#include <utility>

#include "forall_fixture.h"

namespace bn::lower {
namespace {

class OwnElementsTest : public ForallTest {};

TEST_F(OwnElementsTest, LoopsOverOwnElementsCountTheirTurns)
{
    const std::string own = "((int *)((bn_u64)a + bn_stride((bn_u64)bn_mythread())))";
    EXPECT_TRUE(has(translate("for (i = MYTHREAD; i < n; i += THREADS) a[i] = i;"),
                    "{ bn_i64 bn_turn1 = 0; for (i = bn_mythread(); i < n; (i += bn_threads(), bn_turn1 += 1)) " + own +
                        "[(bn_i64)(bn_turn1)] = i; }"));
    std::string c = translate(
        "for (long i = 2 * THREADS + MYTHREAD; i > 0; i = i - 2 * THREADS) { p[i] = a[i + THREADS]; r[i][j] = 1; }");
    EXPECT_TRUE(has(c, "{ bn_i64 bn_turn1 = 2; for "));
    EXPECT_TRUE(has(c, "bn_turn1 += -2)) "));
    EXPECT_TRUE(has(c, "bn_add_cyclic(p, (bn_i64)(bn_mythread()), sizeof(int)).addr)[(bn_i64)(bn_turn1)] = "));
    EXPECT_TRUE(has(c, own + "[(bn_i64)(bn_turn1) + 1];"));
    EXPECT_TRUE(has(c, "[(bn_i64)(bn_turn1) * 4 + (bn_i64)(j)] = 1;"));
    for (const char* loop : {
             "for (i = 0; i < n; i += THREADS) a[i] = 1;",
             "for (i = MYTHREAD; i < n; i += k * THREADS) a[i] = 1;",
             "for (i = MYTHREAD; i < n; i++) a[i] = 1;",
             "for (i = MYTHREAD; i < n; i += THREADS) { a[i] = 1; if (n > k) i++; }",
             "for (i = MYTHREAD; i++ < n; i += THREADS) a[i] = 1;",
             "for (unsigned i = MYTHREAD; i < n; i += THREADS) a[i] = 1;",
             "for (short i = MYTHREAD; i < n; i += THREADS) a[i] = 1;",
             "for (volatile int i = MYTHREAD; i < n; i += THREADS) a[i] = 1;",
             "for (global = MYTHREAD; global < n; global += THREADS) a[global] = 1;",
             "z = &i; for (i = MYTHREAD; i < n; i += THREADS) a[i] = 1;",
             "goto x; for (i = MYTHREAD; i < n; i += THREADS) { x: a[i] = 1; }",
             "switch (n) { for (i = MYTHREAD; i < n; i += THREADS) { case 1: a[i] = 1; } }",
             "for (i = MYTHREAD; i < n; i += THREADS) c[i] = 1;",
             "for (i = MYTHREAD; i < n; i += THREADS) a[i + 1] = 1;",
         })
        EXPECT_FALSE(has(translate(loop), "[(bn_i64)(bn_turn")) << loop;
}

TEST_F(OwnElementsTest, OwnElementsAreFoundWithoutDivision)
{
    const std::string own = "((int *)((bn_u64)a + bn_stride((bn_u64)bn_mythread())))";
    EXPECT_TRUE(has(translate("a[MYTHREAD] = 1;"), own + "[0] = 1;"));
    EXPECT_TRUE(has(translate("a[i * THREADS + MYTHREAD] = 1;"), own + "[(bn_i64)(i)] = 1;"));
    EXPECT_TRUE(has(translate("a[MYTHREAD + THREADS * (i + 1) - n * THREADS] = 1;"),
                    own + "[(bn_i64)((i + 1)) - (bn_i64)(n)] = 1;"));
    EXPECT_TRUE(has(translate("r[MYTHREAD][j] = 1;"),
                    "((int *)((bn_u64)r + bn_stride((bn_u64)bn_mythread())))[(bn_i64)(j)] = 1;"));
    EXPECT_TRUE(has(translate("a[MYTHREAD * 2] = 1;"), "bn_elem_cyclic(a, "));
    EXPECT_TRUE(has(translate("a[MYTHREAD + i] = 1;"), "bn_elem_cyclic(a, "));
    EXPECT_TRUE(has(translate("c[MYTHREAD] = 1;"), "bn_elem_block(c, "));
    EXPECT_TRUE(has(translate("a[i * THREADS - MYTHREAD] = 1;"), "bn_elem_cyclic(a, "));
}

TEST_F(OwnElementsTest, OwnBlocksAreFoundByAComparison)
{
    auto mine = [](const char* x) {
        return "(*(int *)bn_elem_mine(c, (bn_u64)(" + std::string(x) + "), 3, sizeof(int)))";
    };
    for (int threads : {0, 2, 3})
        for (auto [upc, x] : {std::pair{"c[MYTHREAD * 3 + i] = 1;", "(bn_i64)(i)"},
                              std::pair{"c[MYTHREAD * 1 * 3 + i] = 1;", "(bn_i64)(i)"},
                              std::pair{"c[3 * (1 * MYTHREAD) + i] = 1;", "(bn_i64)(i)"},
                              std::pair{"c[i - j + 3 * (MYTHREAD)]++;", "(bn_i64)(i) - (bn_i64)(j)"},
                              std::pair{"c[n + (MYTHREAD * (1 + 2) - k)] = 1;", "(bn_i64)(n) - (bn_i64)(k)"},
                              std::pair{"*(c + (z[i] + MYTHREAD * 3)) = 1;", "(bn_i64)(z[i])"},
                              std::pair{"i = c[MYTHREAD * 3 + 2];", "(bn_i64)(2)"}})
            EXPECT_TRUE(has(translate(upc, {true, true}, false, threads), mine(x))) << upc;
    for (const char* other :
         {"c[MYTHREAD * 2 + i] = 1;", "c[i - MYTHREAD * 3] = 1;", "c[MYTHREAD * 3 + i + MYTHREAD * 3] = 1;",
          "c[MYTHREAD * 3 + (1u + i) + 1l] = 1;", "a[MYTHREAD * 1 + i] = 1;", "c[MYTHREAD * n + i] = 1;",
          "w[MYTHREAD * 3 + i] = 1;", "q[MYTHREAD * 3 + i] = 1;", "c[i] = 1;"})
        EXPECT_FALSE(has(translate(other), "elem_mine(")) << other;
    for (auto [upc, x] : {std::pair{"c[MYTHREAD * 3 + 1u + i] = 1;", "(bn_i64)(1u) + (bn_i64)(i)"},
                          std::pair{"c[MYTHREAD * 3 - 1u] = 1;", " - (bn_i64)(1u)"},
                          std::pair{"c[1u + (i + MYTHREAD * 3)] = 1;", "(bn_i64)(1u) + (bn_i64)(i)"}})
        EXPECT_TRUE(has(translate(upc), "bn_word_elem_mine(c, (bn_u32)(" + std::string(x) + "), 3, sizeof(int))"))
            << upc;
}

TEST_F(OwnElementsTest, OwnElementsOfRowsAreFoundWithoutDivision)
{
    auto own = [](const char* array) {
        return "((int *)((bn_u64)" + std::string(array) + " + bn_stride((bn_u64)bn_mythread())))";
    };
    for (int threads : {0, 1, 3, 4}) {
        auto c = [&](const std::string& body) { return translate(body, {true, true}, false, threads); };
        std::string t = threads > 0 ? std::to_string(threads) : "THREADS";  // what the preprocessor makes of THREADS
        EXPECT_TRUE(has(c("t1[i][MYTHREAD] = 1;"), own("t1") + "[(bn_i64)(i)] = 1;"));
        EXPECT_TRUE(
            has(c("t1[i + 1][" + t + " * k + MYTHREAD] = 1;"), own("t1") + "[(bn_i64)(i + 1) + (bn_i64)(k)] = 1;"));
        EXPECT_TRUE(has(c("*(t2[1][i] + MYTHREAD) = 1;"), own("t2") + "[(bn_i64)(1) * 9 + (bn_i64)(i)] = 1;"));
        EXPECT_TRUE(has(c("t3[i][MYTHREAD][j] = 1;"), own("t3") + "[(bn_i64)(i) * 4 + (bn_i64)(j)] = 1;"));
        EXPECT_TRUE(
            has(c("t4[i][MYTHREAD + " + t + "][j] = 1;"), own("t4") + "[(bn_i64)(i) * 8 + 4 + (bn_i64)(j)] = 1;"));
        EXPECT_TRUE(has(c("t4[i][MYTHREAD - " + t + " * k][j] = 1;"),
                        own("t4") + "[(bn_i64)(i) * 8 - (bn_i64)(k) * 4 + (bn_i64)(j)] = 1;"));
        EXPECT_TRUE(has(c("a[MYTHREAD + i * " + t + "] = 1;"), own("a") + "[(bn_i64)(i)] = 1;"));
    }
    for (int threads : {0, 3, 4})
        for (const char* other :
             {"t1[i][MYTHREAD + 1] = 1;", "t1[MYTHREAD][i] = 1;", "t2[1][MYTHREAD][i] = 1;", "t1[i][k] = 1;",
              "t3[MYTHREAD][1][j] = 1;", "t4[i][2 * MYTHREAD][j] = 1;", "t1[i][MYTHREAD + (unsigned)k * THREADS] = 1;",
              "a[MYTHREAD + 5 * i] = 1;", "t1[i][MYTHREAD + MYTHREAD] = 1;"})
            EXPECT_TRUE(has(translate(other, {true, true}, false, threads), "bn_elem_")) << other;
}

// What is known to be this thread's own is near; nothing else is taken for near.
TEST_F(OwnElementsTest, OwnElementsAreNear)
{
    auto c = [&](const std::string& body) { return translate(body, {true, true}, true); };
    std::string cyclic = c("upc_forall (i = 0; i < n; i++; &a[i]) a[i] += b[i];");
    EXPECT_TRUE(has(cyclic, "bn_7_a[bn_row3] += bn_6_b[bn_row3]"));
    EXPECT_TRUE(has(c("upc_forall (i = 0; i < n; i++; &c[i]) c[i]++;"), "[bn_n2]++"));
    EXPECT_TRUE(has(c("upc_forall (i = 0; i < n; i++; &st[i]) st[i].y = i;"), "[bn_row3].y = i"));
    EXPECT_FALSE(has(c("a[k * THREADS + MYTHREAD] = r[MYTHREAD][k];"), "bn_is_near"));
    for (const char* other : {"a[k] = 1;", "k = b[i];", "cells[(MYTHREAD + 1) % THREADS][k]++;", "n_shared = k;",
                              "upc_forall (i = 0; i < n; i++; &a[i]) b[i + 1] = i;"})
        EXPECT_TRUE(has(c(other), "bn_is_near")) << other;
    std::string strict =
        c("((strict shared int *)&a[MYTHREAD])[0] = k; upc_forall (i = 0; i < n; i++; &flags[i]) flags[i] = 1;");
    EXPECT_TRUE(has(strict, "bn_before_strict_write(); if (bn_is_near("));
}

}  // namespace
}  // namespace bn::lower
