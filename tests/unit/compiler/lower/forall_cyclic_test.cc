// upc_forall loops over elements, one in each round of all threads or several rounds apart (lower/own_loop.cc).
#include <string>

#include "forall_fixture.h"

namespace bn::lower {
namespace {

class CyclicForallTest : public ForallTest {};

TEST_F(CyclicForallTest, CyclicLoopsGoOverLocalRows)
{
    std::string c = translate("upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i] + i;");
    EXPECT_TRUE(has(c, "const bn_i64 bn_start4 = (bn_i64)i; const bn_i64 bn_end5 = (bn_i64)(n);"));
    EXPECT_TRUE(
        has(c, "bn_i64 bn_n2 = bn_first_cyclic(bn_start4, bn_start4); bn_i64 bn_row3 = bn_floor_threads(bn_n2);"));
    EXPECT_TRUE(has(c, "int *const bn_6_b = (int *)((bn_u64)b + bn_stride((bn_u64)bn_mythread()));"));
    EXPECT_TRUE(has(c, "{ i = (int)bn_n2; bn_7_a[bn_row3] = bn_6_b[bn_row3] + i; }"));
    EXPECT_TRUE(has(
        c, "i = (int)bn_next_step(bn_start4, bn_end5, 1); } else for (; i < n; i++) (*(int *)bn_cold_elem_cyclic(a, "));
}

TEST_F(CyclicForallTest, CyclicNeighboursHaveOneBaseForEachDistance)
{
    const std::string base = "(int *)(bn_add_cyclic(bn_start(b), (bn_i64)bn_mythread() + (";
    std::string c = translate("upc_forall (i = 1; i < n; i++; &a[i]) a[i] = b[i + 1] - b[i - 1] + b[i + 1];");
    EXPECT_TRUE(has(c, "int *const bn_6_b = " + base + "1), sizeof(int)).addr);"));
    EXPECT_TRUE(has(c, "int *const bn_7_b = " + base + "-1), sizeof(int)).addr);"));
    EXPECT_TRUE(has(c, "bn_8_a[bn_row3] = bn_6_b[bn_row3] - bn_7_b[bn_row3] + bn_6_b[bn_row3];"));
    c = translate("upc_forall (i = n; i > 1; i -= 2; i) a[i] = b[i + 3];");
    EXPECT_TRUE(has(c, base + "3), sizeof(int)).addr);"));
    c = translate("upc_forall (i = 1; i < n; i++; &p[i]) p[i] = p[i + 1];");
    EXPECT_TRUE(has(c, "(int *)(bn_add_cyclic(p, (bn_i64)bn_mythread() + (1), sizeof(int)).addr);"));
    EXPECT_TRUE(has(c, "(p.thread | p.phase) == 0"));
    c = translate("upc_forall (i = 0; i < n; i++; &r[i][0]) for (j = 0; j < 4; j++) r[i][j] = s[i + 1][j];");
    EXPECT_TRUE(has(c, "bn_add_cyclic(bn_start(s), (bn_i64)bn_mythread() + (1), 4 * sizeof(int)).addr"));
    EXPECT_TRUE(has(c, "[bn_row3 * 4 + (bn_i64)(j)]; "));
    // Elements of other threads may be far.
    c = translate("upc_forall (i = 1; i < n; i++; &a[i]) a[i] = b[i + 1];", {true, true}, true);
    EXPECT_TRUE(has(c, "bn_elem_cyclic(b, (bn_u64)(i + 1), "));
}

TEST_F(CyclicForallTest, UnitsThatAreApartAreFoundByTheirTurns)
{
    std::string c = translate("upc_forall (i = 0; i < n; i += 2; &a[i]) a[i] = 1;");
    EXPECT_TRUE(has(
        c, "bn_own_turns(bn_start4, 2); if (bn_turns7.period > 0) { const bn_i64 bn_stride8 = 2 * bn_turns7.period;"));
    EXPECT_TRUE(has(c, "bn_n2 = bn_wrapping_sum(bn_n2, bn_stride8), bn_row3 += bn_turns7.rows) "
                       "{ i = (int)bn_n2; bn_6_a[bn_row3] = 1; }"));
    c = translate("upc_forall (i = 0; i < n; i++; &a[2 * i + 1]) a[1 + i * 2] = a[2 * i];");
    EXPECT_TRUE(has(c, "bn_own_turns((bn_i64)(2 * (bn_u64)bn_start4 + 1), 2);"));
    EXPECT_TRUE(has(c, "bn_7_a[bn_row3] = bn_6_a[bn_row3];"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &a[n - i]) a[n - i] = 1;"),
                    "bn_own_turns((bn_i64)(-(bn_u64)bn_start4 + bn_offset6), (-1))"));
    c = translate("upc_forall (i = 0; i < n; i += k; i) a[i] = 1;");
    EXPECT_TRUE(has(c, " == 0 && (bn_u64)(k) - 1 < 1048576) {"));
    EXPECT_TRUE(has(c, "const bn_i64 bn_step6 = (bn_i64)(k); "
                       "const struct bn_turns bn_turns8 = bn_own_turns(bn_start4, 1 * bn_step6);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i += k; i) k++;"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i += 0; i) g(i);"));
    c = translate("upc_forall (i = 0; i < n; i++; &c[2 * i]) c[2 * i] = 1;");
    EXPECT_TRUE(has(c, "bn_first_piece_apart(&bn_blocks3, bn_start4, bn_end5, 0, 3, bn_outer1, 1, 2)"));
    EXPECT_TRUE(has(c, "bn_6_c[2 * bn_n2] = 1;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i += 5; &c[i]) g(i);"), " == 0 && 3 > 4 / bn_threads()) {"));
}

}  // namespace
}  // namespace bn::lower
