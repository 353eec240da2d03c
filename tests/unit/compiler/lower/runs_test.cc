// Indices that follow the variable of a loop in runs of iterations (lower/runs.h).
#include <string>

#include "forall_fixture.h"

namespace bn::lower {
namespace {

class RunsTest : public ForallTest {
protected:
    // Whether the element with this index has a base pointer that holds in a run
    bool follows(const std::string& index, const std::string& limit = "n", const std::string& type = "int",
                 const std::string& first = "0")
    {
        std::string c = translate("unsigned long m = k; upc_forall (" + type + " x = " + first + "; x < " + limit +
                                  "; x++; &v[x]) v[x] = u[" + index + "];");
        return c.find("bn_loop_run") != std::string::npos;
    }
};

TEST_F(RunsTest, LoopsGoFromRunToRun)
{
    std::string c = translate("upc_forall (i = 0; i < n; i++; &v[i]) v[i] = u[(i + 1) % n] + u[(i + n - 1) % n];");
    EXPECT_TRUE(has(c, "struct bn_loop_run bn_run12 = { bn_start4, bn_end5 }; for (; bn_run12.n < bn_end5; "
                       "bn_run12.n = bn_run12.stop, bn_run12.stop = bn_end5) { const bn_i64 bn_ahead6 = "
                       "bn_run_remainder(&bn_run12, bn_run12.n + 1, 0 + (bn_i64)(n), 0); "));
    EXPECT_TRUE(has(c, "bn_run_remainder(&bn_run12, bn_run12.n + -1 + (bn_i64)(n), 0 + (bn_i64)(n), 0);"));
    EXPECT_TRUE(has(c, "bn_near7[] = { { bn_ahead6, 0, 0 }, { bn_ahead9, 0, 0 }, };"));
    EXPECT_TRUE(has(c, "bn_first_piece_beside(&bn_blocks3, bn_run12.n, bn_run12.stop, 0, 16, "));
    EXPECT_TRUE(has(c, ".where + (bn_u64)(bn_near7[0].shift + bn_ahead6) * sizeof(int));"));
    EXPECT_TRUE(has(c, "bn_11_v[bn_n2] = bn_8_u[bn_n2] + bn_10_u[bn_n2];"));
    c = translate("upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i > 0 ? i - 1 : n - 1];");
    EXPECT_TRUE(has(c, "bn_run_choice(&bn_run9, bn_run9.n + 0, 0, 4, 0) ? -1 : bn_run_single(&bn_run9, "
                       "-1 + (bn_i64)(n));"));
    EXPECT_TRUE(has(c, "(bn_i64)bn_mythread() + (bn_ahead"));
    c = translate("upc_forall (i = 0; i < n; i++; &m[i][0]) for (j = 0; j < 4; j++) m[i][j] = m[(i + 1) % n][j];");
    EXPECT_TRUE(has(c, "[bn_n2 * 4 + (bn_i64)(j)]"));
}

TEST_F(RunsTest, RemaindersBegin)
{
    for (const char* index : {"(x + 1) % n", "(1 + x) % n + 2", "((x - 1 + n)) % n", "(x + k) % n", "x % n"})
        EXPECT_TRUE(follows(index)) << index;
    EXPECT_TRUE(follows("(x + 1) % (4 * THREADS)", "4 * THREADS"));
    EXPECT_TRUE(follows("(x + 1) % 100", "90"));
    EXPECT_TRUE(follows("(x + 1) & 63", "90"));
    EXPECT_TRUE(follows("(x + m - 1) % m", "m", "unsigned long"));
    for (const char* index :
         {"(2 * x) % n", "(n - x) % n", "(x + 1) % k", "(x + 1) % (n / 2)", "(x + 1) % h()", "(x + n / k) % n",
          "(x + 1) % x", "z[x] % n", "(x + 1) % n % n", "(x + 1) % n * 2", "-((x + 1) % n)", "(x + 1u) % n",
          "(unsigned)(x + 1) % n", "(x & 7) + x % n", "x & 6", "x & n", "(short)((x + 1) % n)"})
        EXPECT_FALSE(follows(index)) << index;
    EXPECT_FALSE(follows("(x + 1) % 5", "90"));  // too many runs
    EXPECT_FALSE(follows("(x + 1) % n", "n", "unsigned"));
}

TEST_F(RunsTest, ChoicesChange)
{
    for (const char* index : {"x == n - 1 ? 0 : x + 1", "x != n - 1 ? x + 1 : 0", "x + 1 < n ? x + 1 : 0",
                              "n <= x + 1 ? 0 : x + 1", "x > 0 ? x - 1 : n - 1", "x ? x - 1 : n - 1",
                              "0 == x ? n - 1 : x - 1", "x < k ? x + 1 : x - 1", "x >= n - 3 ? k : x + 3"})
        EXPECT_TRUE(follows(index)) << index;
    for (const char* index :
         {"x < k ? 0 : x + 1", "x >= n / 2 ? 0 : x + 1", "x > 0 ? x - 1 : h()", "z[x] ? x : x + 1", "x > k ? 3 : 4",
          "x != n - 1 ? 0 : x + 1", "2 * x < n ? x : x + 1", "x > 0 && x < n ? x : x + 1", "x < 2u ? x + 1 : x",
          "x ? : n", "x > 0 ? x - 1 : n / k", "x > 0.5 ? x : x + 1"})
        EXPECT_FALSE(follows(index)) << index;
    EXPECT_FALSE(follows("x > 0 ? x - 1 : n - 1", "n", "int", "k"));  // it may begin far below 0
    EXPECT_TRUE(follows("x > 0 ? x - 1 : m - 1", "m", "unsigned long"));
}

TEST_F(RunsTest, OtherLoopsStay)
{
    auto follows_in = [&](const std::string& loop) { return translate(loop).find("bn_loop_run") != std::string::npos; };
    EXPECT_TRUE(follows_in("upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[(i + 1) % n];"));
    EXPECT_FALSE(follows_in("upc_forall (i = 0; i < n; i += 2; &a[i]) a[i] = b[(i + 1) % n];"));
    EXPECT_FALSE(follows_in("upc_forall (i = n; i > 0; i--; &a[i]) a[i] = b[(i + 1) % n];"));
    EXPECT_FALSE(follows_in("upc_forall (i = 0; i < n; i++; &a[2 * i]) a[2 * i] = b[(i + 1) % n];"));
    EXPECT_FALSE(follows_in("upc_forall (i = 0, j = 0; i < n; i++, j++; &a[i]) a[i] = b[(i + 1) % n];"));
    EXPECT_FALSE(follows_in("upc_forall (i = 0; i < n; i++; &c[i]) c[i] = d[(i + 1) % n];"));  // small blocks
    EXPECT_FALSE(follows_in("upc_forall (i = 0; i < n; i++; &v[i]) v[i] = b[(i + 1) % n];"));  // another layout
    EXPECT_EQ(translate("upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[(i + 1) % n];", {true, true}, true)
                  .find("bn_loop_run"),
              std::string::npos);
}

}  // namespace
}  // namespace bn::lower
