// upc_forall loops over a thread's own blocks, in pieces of them, or over all of them at once (lower/own_loop.cc).
#include <string>

#include "forall_fixture.h"

namespace bn::lower {
namespace {

class BlockedForallTest : public ForallTest {};

TEST_F(BlockedForallTest, BlockedLoopsGoOverOwnBlocks)
{
    std::string c = translate("upc_forall (i = 0; i < n; i++; &c[i + 1]) c[i + 1] = d[1 + i] + d[i];");
    EXPECT_TRUE(has(c,
                    "struct bn_blocks bn_blocks3; for (bn_first_piece(&bn_blocks3, bn_start4, bn_end5, 1, 3, "
                    "bn_outer1); bn_blocks3.n < bn_blocks3.stop; bn_next_piece(&bn_blocks3)) { const bn_i64 bn_stop8 = "
                    "bn_blocks3.stop; "));
    EXPECT_TRUE(
        has(c, "int *const bn_6_d = (int *)((bn_u64)d + bn_blocks3.where + (bn_u64)bn_blocks3.shift * sizeof(int));"));
    EXPECT_TRUE(has(c, "bn_i64 bn_n2 = bn_blocks3.n; for (; bn_n2 < bn_stop8; ++bn_n2)"));
    EXPECT_TRUE(
        has(c, "bn_7_c[bn_n2 + 1] = bn_6_d[bn_n2 + 1] + (*(int *)bn_elem_block(d, (bn_u64)(i), 3, sizeof(int)));"));
    c = translate("upc_forall (i = 0; i < n; i += 2; &c[i - 1]) c[i - 1] = 0;");
    EXPECT_TRUE(has(c, "bn_first_piece_apart(&bn_blocks3, bn_start4, bn_end5, -1, 3, bn_outer1, 2, 1)"));
    c = translate("upc_forall (i = 0; i < global; i++; &c[i]) { c[i] = 0; g(i); }");
    EXPECT_TRUE(has(c, "bn_first_piece(&bn_blocks3, bn_start4, (bn_i64)1 << 62, 0, 3, bn_outer1); "
                       "bn_blocks3.n < ((bn_i64)(global)); "));
    EXPECT_TRUE(has(c, "for (; bn_n2 < bn_min(((bn_i64)(global)), bn_blocks3.stop); ++bn_n2)"));
}

// Nobody else controls what main alone calls: all own blocks are then one piece, and no loop stands around it.
TEST_F(BlockedForallTest, JoinedBlocksStandInNoLoopWhereNobodyElseControls)
{
    const std::string loop = "{ int i; upc_forall (i = 0; i < n; i++; &c[i]) c[i] = ";
    auto c = [&](const std::string& value) {
        return translate("} static void own(int n) " + loop + value + "; } int main(void) { own(9);");
    };
    EXPECT_TRUE(has(c("1"), ", 0, 3, 0); if (bn_blocks"));
    EXPECT_FALSE(has(c("1"), "bn_next_piece("));
    EXPECT_TRUE(has(c("i"), "bn_next_piece("));
    EXPECT_TRUE(has(translate(loop + "1; }"), "bn_next_piece("));
}

// Where the body says nothing of the variable but in own elements, one loop goes through all own blocks.
TEST_F(BlockedForallTest, BlocksAreJoinedWhereNobodyAsksForTheIteration)
{
    auto is_joined = [&](const std::string& body) {
        return translate(body).find("bn_first_piece_joined(") != std::string::npos;
    };
    const std::string loop = "upc_forall (i = 0; i < n; i++; &c[i + k]) ";
    for (const char* body :
         {"c[i + k] = d[k + i] * j;", "{ j += c[i + k]++; if (j > 3) continue; d[i + k] = h(); }", "g(k);", ";",
          "for (j = 0; j < n; j++) c[i + k] += z[j];", "*z = c[i + k];", "{ upc_fence; c[i + k] = 1; }"})
        EXPECT_TRUE(is_joined(loop + body)) << body;
    EXPECT_TRUE(is_joined("upc_forall (i = k; i <= n; i += 1; i / 3) c[i] = 1;"));
    EXPECT_TRUE(is_joined("upc_forall (i = n; i > k; i--; &c[n - i]) c[n - i] = 1;"));
    EXPECT_TRUE(is_joined("upc_forall (i = 0; i < n; i++; &m[i][0]) for (j = 0; j < 4; j++) m[i][j] = j;"));
    EXPECT_TRUE(is_joined("upc_forall (i = 0; i < n; i++; &q[i]) q[i] = c[i];"));
    for (const char* body :
         {"c[i + k] = i;", "c[i + k] = d[i];", "c[i + k] = a[i + k];", "c[i + k] = z[i];", "c[i + k] = u[i + k];",
          "g(i);", "if (i > 3) c[i + k] = 1;", "{ int x[i + 1]; z = x; }", "c[i + k] = *p + sizeof(int[i + 1]);",
          "__asm__ volatile (\"\" : : \"r\"(i));", "{ int where(shared void *); j = where(&c[i + k]); }",
          "q = &c[i + k];", "{ j = 3; while (j < i) j++; }", "{ upc_barrier i; }", "goto out; out: ;"})
        EXPECT_FALSE(is_joined(loop + body)) << body;
    EXPECT_FALSE(is_joined("upc_forall (i = 1; i < n; i++; &v[i]) v[i] = u[i + 1];"));
    EXPECT_FALSE(is_joined("upc_forall (i = 0; i < n; i++; &m[i][0]) m[i][i & 3] = 1;"));
    EXPECT_FALSE(is_joined("upc_forall (i = 0; i < n; i += 2; &c[i]) c[i] = 1;"));
    EXPECT_FALSE(is_joined("upc_forall (i = 0; i < n; i += k; &c[i]) c[i] = 1;"));
    EXPECT_FALSE(is_joined("upc_forall (i = n; i > k; i--; &c[i]) c[i] = 1;"));
    EXPECT_FALSE(is_joined("upc_forall (i = 0; i < n; i++; &c[2 * i]) c[2 * i] = 1;"));
    EXPECT_FALSE(is_joined("upc_forall (i = 0; i < global; i++; &c[i]) { c[i] = 1; h(); }"));  // the limit may change
    EXPECT_FALSE(is_joined("upc_forall (i = 0; i < n; i++; &c[i]) c[i] = n--;"));
    const std::string other = "upc_forall (j = 0; j < n; j++; &c[j]) c[j] = *z;";  // z may lead to the variable
    EXPECT_TRUE(is_joined(other));
    EXPECT_FALSE(is_joined("z = &j; " + other));
    EXPECT_FALSE(is_joined("{ extern int j; " + other + " }"));
    EXPECT_FALSE(is_joined("upc_forall (global = 0; global < n; global++; &c[global]) c[global] = *z;"));
}

// Blocks of 3 (c) and of 16 (v): where all pieces are whole, their length is written down.
TEST_F(BlockedForallTest, WholeBlocksHaveTheirLength)
{
    auto is_whole = [&](const std::string& head, int block) {
        std::string c = translate("upc_forall (" + head + ") g(i);");
        std::string stop = "bn_blocks3.n + " + std::to_string(block) + "; ";
        EXPECT_TRUE(has(c, stop) || has(c, "= bn_blocks3.stop; ")) << c;
        return has(c, stop);
    };
    for (const char* head : {"i = 0; i < 6 * THREADS; i++; &c[i]", "j = 1, i = 0; i < 6; i++; &c[i]",
                             "i = 3; i <= 8 + THREADS * 9; i++; &c[i]", "i = 2; i < 5; i++; &c[i + 1]",
                             "i = 0; i != 3 * THREADS; i++; &c[i]", "i = 0; i < 12; ++i; i / 3"})
        EXPECT_TRUE(is_whole(head, 3)) << head;
    for (const char* head : {"i = 0; i < 16 * n; i++; &v[i]", "i = 0; i < 32ul * THREADS; i++; &v[i]",
                             "i = 16; i < 16 * (n + k); i++; &v[i + 48 * k]"})
        EXPECT_TRUE(is_whole(head, 16)) << head;
    for (const char* head :
         {"i = 0; i < n; i++; &c[i]", "i = 1; i < 6 * THREADS; i++; &c[i]", "i = 0; i < 6 * THREADS - 1; i++; &c[i]",
          "i = 0; i < 4 * THREADS; i++; &c[i]", "i = 0; i < 6; i++; &c[i + 1]", "i = 0; i < 3 * n; i++; &c[i]",
          "i = 0; i <= 6 * THREADS; i++; &c[i]", "; i < 6 * THREADS; i++; &c[i]", "i = n; i < 6; i++; &c[i]",
          "i = 0; i < 3ul * THREADS; i++; &c[i]", "i = 0; i < 6; i++; &c[i + k]", "i = 0, i++; i < 6; i++; &c[i]",
          "int i = 0, l = i++; i < 6; i++; &c[i]"})
        EXPECT_FALSE(is_whole(head, 3)) << head;
    EXPECT_FALSE(is_whole("i = 0; i < 16 * THREADS; i++; &v[i + k]", 16));
    std::string counted = translate("upc_forall (i = 0; i < 16 * THREADS; i++; &v[i]) v[i] = 1;");
    EXPECT_TRUE(has(counted, "= bn_blocks3.n + (bn_i64)((bn_u64)(bn_blocks3.stop - bn_blocks3.n) / 16 * 16); "));
    EXPECT_FALSE(has(translate("upc_forall (i = 0; i < 6 * THREADS; i++; &c[i]) c[i] = 1;"), " / 3 * 3"));
    EXPECT_FALSE(has(translate("upc_forall (i = 0; i < 16 * THREADS; i++; &v[i]) v[i] = v[i + 1];"), ".n + "));
}

TEST_F(BlockedForallTest, NeighboursAreFoundByPieces)
{
    std::string c = translate("upc_forall (i = 1; i < n; i++; &v[i]) v[i] = u[i - 1] + u[i] + u[i + 1] + v[i + 1];");
    EXPECT_TRUE(has(c, "struct bn_beside bn_near6[] = { { -1, 0, 0 }, { 1, 0, 0 }, };"));
    EXPECT_TRUE(has(c, "bn_first_piece_beside(&bn_blocks3, bn_start4, bn_end5, 0, 16, bn_outer1, bn_near6, 2)"));
    EXPECT_TRUE(has(c, "bn_7_u = (int *)((bn_u64)u + bn_near6[0].where + (bn_u64)bn_near6[0].shift * sizeof(int));"));
    EXPECT_TRUE(has(c, "bn_11_v[bn_n2] = bn_7_u[bn_n2 - 1] + bn_8_u[bn_n2] + bn_9_u[bn_n2 + 1] + bn_10_v[bn_n2 + 1];"));
    c = translate("upc_forall (i = 1; i < n; i++; &v[i + k]) v[i + k] = u[k + i - 1] + u[i];");
    EXPECT_TRUE(has(c, "[bn_n2 + bn_offset6 - 1] + (*(int *)bn_elem_block(u, "));
    c = translate("upc_forall (i = 0; i < n; i++; &m[i][0]) for (j = 0; j < 4; j++) m[i][j] = m[i + 1][j];");
    EXPECT_TRUE(has(c, "bn_near6[0].where + (bn_u64)bn_near6[0].shift * 4 * sizeof(int)"));
    EXPECT_TRUE(has(c, "[(bn_n2 + 1) * 4 + (bn_i64)(j)]"));
    c = translate("upc_forall (i = 1; i < n; i += 2; &v[i]) v[i] = u[i - 1];");
    EXPECT_TRUE(has(c, "bn_elem_block(u, "));
    c = translate(
        "upc_forall (i = 1; i < n; i++; &v[i]) v[i] = u[i - 1] + u[i - 2] + u[i + 1] + u[i + 2];");  // more pieces than
                                                                                                     // they are worth
    EXPECT_TRUE(has(c, "bn_elem_block(u, (bn_u64)(i + 2), "));
    EXPECT_FALSE(has(c, "bn_elem_block(u, (bn_u64)(i + 1), "));
}

TEST_F(BlockedForallTest, QuotientsAreBlocks)
{
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; i / 3 % THREADS) c[i] = 0;"), "bn_6_c[bn_n2] = 0;"));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < n; i++; i * THREADS / (3 * THREADS)) c[i] = 0;"), "bn_6_c[bn_n2] = 0;"));
    std::string c = translate("upc_forall (i = 0; i < n; i++; i * THREADS / n) g(i);");
    EXPECT_TRUE(has(c, " == 0 && (bn_i64)(n) > 0) {"));
    EXPECT_TRUE(has(
        c,
        "bn_first_piece_apart(&bn_blocks3, bn_start4, bn_end5, 0, (bn_i64)(n), bn_outer1, 1, (bn_i64)bn_threads())"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; i / k) g(i);"), "bn_first_piece(&bn_blocks3, bn_start4, "
                                                                              "bn_end5, 0, (bn_i64)(k), bn_outer1)"));
    EXPECT_TRUE(has(translate("upc_forall (i = k; i < n; i++; i / 3) g(i);"), " == 0 && i >= 0) {"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i += 3; 5 * i / k) g(i);"),
                    " == 0 && (bn_i64)(k) > 14 / bn_threads()) {"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i += 3; 5 * i * THREADS / 7) g(i);"), " == 0 && 7 > 14) {"));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < n; i += k; 5 * i / 12) g(i);"), " == 0 && (bn_u64)(k) - 1 < 2) {"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i += k; 5 * i / n) g(i);"),
                    " == 0 && (bn_u64)(k) - 1 < 1048576 && (bn_u64)(k) - 1 < (bn_u64)(bn_i64)(n) / 5 && "
                    "(bn_i64)(n) > 0) {"));
    EXPECT_TRUE(has(translate("upc_forall (i = n; i >= k; i--; i / 3) g(i);"), " == 0 && -(bn_i64)(k) + 1 <= 1) {"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; i / k) k++;"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; i / -3) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; (i - 1) / 3) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; -i / 3) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (unsigned u = 0; u < 9; u++; u * THREADS / n) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; i % k) g(i);"));
}

}  // namespace
}  // namespace bn::lower
