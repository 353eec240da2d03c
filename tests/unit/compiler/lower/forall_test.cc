// Loops whose iterations are divided among threads (lower/dealt_loop.cc) and accesses with known affinity
// (lower/local.cc): which form they get, and that they keep the general form where another would be wrong.  That the
// forms are equivalent is tested by tests/programs and tests/random/loops.py.
#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::lower {
namespace {

const char* const kForallDeclarations =
    "shared int a[4*THREADS], b[4*THREADS]; shared [3] int c[6*THREADS], d[6*THREADS];"
    "shared [16] int u[32*THREADS], v[32*THREADS]; shared [48] int m[24*THREADS][4]; shared [4] int r[THREADS][4], "
    "s[THREADS][4];shared [8] int r2[2*THREADS][4]; shared [] int w[9]; shared struct { char x; int y; } st[THREADS]; "
    "shared int n_shared;shared int cells[THREADS][4]; strict shared int flags[THREADS];"
    "shared int t1[9][THREADS], t2[2][9][THREADS]; shared [4] int t3[9][THREADS][4], t4[9][2*THREADS][4];"
    "shared int wide[6][4*THREADS]; shared [3] int odd[6][4*THREADS];"
    "extern int global; void g(int); int h(void); double sqrt(double);\n";

// For limits: functions that only return a value, and others
const char* const kFunctions =
    "struct size { int rows; }; static const struct size sizes[2]; static int counted; static volatile int seen;\n"
    "static int rows_of(int x) { return sizes[x].rows; } static int twice(int x) { return 2 * rows_of(x); }\n"
    "static int count(void) { return counted; } static int count_at(const struct size *s) { return s->rows; }\n"
    "static int taken(void) { return counted--; } static int looked_at(void) { return seen; }\n"
    "static int by_flag(void) { return flags[0]; } static int deep(int x) { return x > 0 ? deep(x - 1) : 0; }\n"
    "static int shared_count(void) { return n_shared; } static int called(void) { return h(); }\n"
    "int seen_by_others(void) { return counted; }\n";

class ForallTest : public ::testing::Test {
protected:
    // The C of a function with this body
    std::string translate(const std::string& body, Passes passes = {true, true}, bool far_threads = false,
                          int static_threads = 0)
    {
        driver::TranslateOptions options;
        options.source_name = "t.upc";
        options.passes = passes;
        options.far_threads = far_threads;
        options.static_threads = static_threads;
        std::string text = std::string(kForallDeclarations) + functions_ +
                           (static_threads > 0 ? "shared [4] int planes[6][5][4];" : "") +
                           "void f(int n, int k, shared int *p, shared [3] int *q, int *z) { int i, j; " + body +
                           " }\n";
        driver::TranslateResult result = driver::translate(text, options);
        EXPECT_TRUE(result.ok) << text << "\n" << result.messages;
        size_t start = result.c.find("void f(");
        size_t end = result.c.find("\nextern struct", start);
        return result.c.substr(start, end - start);
    }

    std::string functions_;

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
    EXPECT_TRUE(has(c, "bn_narrow_once(r, "));
}

TEST_F(ForallTest, CyclicLoopsGoOverLocalRows)
{
    std::string c = translate("upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i] + i;");
    EXPECT_TRUE(has(c, "const bn_i64 bn_start4 = (bn_i64)i; const bn_i64 bn_end5 = (bn_i64)(n);"));
    EXPECT_TRUE(
        has(c, "bn_i64 bn_n2 = bn_first_cyclic(bn_start4, bn_start4); bn_i64 bn_row3 = bn_floor_threads(bn_n2);"));
    EXPECT_TRUE(has(c, "int *const bn_b_6 = (int *)((bn_u64)b + bn_stride((bn_u64)bn_mythread()));"));
    EXPECT_TRUE(has(c, "{ i = (int)bn_n2; bn_a_7[bn_row3] = bn_b_6[bn_row3] + i; }"));
    EXPECT_TRUE(has(
        c, "i = (int)bn_next_step(bn_start4, bn_end5, 1); } else for (; i < n; i++) (*(int *)bn_cold_elem_cyclic(a, "));
}

TEST_F(ForallTest, BlockedLoopsGoOverOwnBlocks)
{
    std::string c = translate("upc_forall (i = 0; i < n; i++; &c[i + 1]) c[i + 1] = d[1 + i] + d[i];");
    EXPECT_TRUE(has(c,
                    "struct bn_blocks bn_blocks3; for (bn_first_piece(&bn_blocks3, bn_start4, bn_end5, 1, 3, "
                    "bn_outer1); bn_blocks3.n < bn_blocks3.stop; bn_next_piece(&bn_blocks3)) { const bn_i64 bn_stop8 = "
                    "bn_blocks3.stop; "));
    EXPECT_TRUE(
        has(c, "int *const bn_d_6 = (int *)((bn_u64)d + bn_blocks3.where + (bn_u64)bn_blocks3.shift * sizeof(int));"));
    EXPECT_TRUE(has(c, "bn_i64 bn_n2 = bn_blocks3.n; for (; bn_n2 < bn_stop8; ++bn_n2)"));
    EXPECT_TRUE(
        has(c, "bn_c_7[bn_n2 + 1] = bn_d_6[bn_n2 + 1] + (*(int *)bn_elem_block(d, (bn_u64)(i), 3, sizeof(int)));"));
    c = translate("upc_forall (i = 0; i < n; i += 2; &c[i - 1]) c[i - 1] = 0;");
    EXPECT_TRUE(has(c, "bn_first_piece_apart(&bn_blocks3, bn_start4, bn_end5, -1, 3, bn_outer1, 2, 1)"));
    c = translate("upc_forall (i = 0; i < global; i++; &c[i]) { c[i] = 0; g(i); }");
    EXPECT_TRUE(has(c, "bn_first_piece(&bn_blocks3, bn_start4, (bn_i64)1 << 62, 0, 3, bn_outer1); "
                       "bn_blocks3.n < ((bn_i64)(global)); "));
    EXPECT_TRUE(has(c, "for (; bn_n2 < bn_min(((bn_i64)(global)), bn_blocks3.stop); ++bn_n2)"));
}

// Nobody else controls what main alone calls: all own blocks are then one piece, and no loop stands around it.
TEST_F(ForallTest, JoinedBlocksStandInNoLoopWhereNobodyElseControls)
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
TEST_F(ForallTest, BlocksAreJoinedWhereNobodyAsksForTheIteration)
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
TEST_F(ForallTest, WholeBlocksHaveTheirLength)
{
    auto is_whole = [&](const std::string& head, int block) {
        std::string c = translate("upc_forall (" + head + ") g(i);");
        std::string stop = "bn_blocks3.n + " + std::to_string(block) + "; ";
        EXPECT_TRUE(has(c, stop) || has(c, "= bn_blocks3.stop; ")) << c;
        return has(c, stop);
    };
    for (const char* head :
         {"i = 0; i < 6 * THREADS; i++; &c[i]", "i = 3; i <= 8 + THREADS * 9; i++; &c[i]",
          "i = 2; i < 5; i++; &c[i + 1]", "i = 0; i != 3 * THREADS; i++; &c[i]", "i = 0; i < 12; ++i; i / 3"})
        EXPECT_TRUE(is_whole(head, 3)) << head;
    for (const char* head : {"i = 0; i < 16 * n; i++; &v[i]", "i = 0; i < 32ul * THREADS; i++; &v[i]",
                             "i = 16; i < 16 * (n + k); i++; &v[i + 48 * k]"})
        EXPECT_TRUE(is_whole(head, 16)) << head;
    for (const char* head :
         {"i = 0; i < n; i++; &c[i]", "i = 1; i < 6 * THREADS; i++; &c[i]", "i = 0; i < 6 * THREADS - 1; i++; &c[i]",
          "i = 0; i < 4 * THREADS; i++; &c[i]", "i = 0; i < 6; i++; &c[i + 1]", "i = 0; i < 3 * n; i++; &c[i]",
          "i = 0; i <= 6 * THREADS; i++; &c[i]", "; i < 6 * THREADS; i++; &c[i]", "i = n; i < 6; i++; &c[i]",
          "i = 0; i < 3ul * THREADS; i++; &c[i]", "i = 0; i < 6; i++; &c[i + k]"})
        EXPECT_FALSE(is_whole(head, 3)) << head;
    EXPECT_FALSE(is_whole("i = 0; i < 16 * THREADS; i++; &v[i + k]", 16));
    std::string counted = translate("upc_forall (i = 0; i < 16 * THREADS; i++; &v[i]) v[i] = 1;");
    EXPECT_TRUE(has(counted, "= bn_blocks3.n + (bn_i64)((bn_u64)(bn_blocks3.stop - bn_blocks3.n) / 16 * 16); "));
    EXPECT_FALSE(has(translate("upc_forall (i = 0; i < 6 * THREADS; i++; &c[i]) c[i] = 1;"), " / 3 * 3"));
    EXPECT_FALSE(has(translate("upc_forall (i = 0; i < 16 * THREADS; i++; &v[i]) v[i] = v[i + 1];"), ".n + "));
}

TEST_F(ForallTest, NeighboursAreFoundByPieces)
{
    std::string c = translate("upc_forall (i = 1; i < n; i++; &v[i]) v[i] = u[i - 1] + u[i] + u[i + 1] + v[i + 1];");
    EXPECT_TRUE(has(c, "struct bn_beside bn_near6[] = { { -1, 0, 0 }, { 1, 0, 0 }, };"));
    EXPECT_TRUE(has(c, "bn_first_piece_beside(&bn_blocks3, bn_start4, bn_end5, 0, 16, bn_outer1, bn_near6, 2)"));
    EXPECT_TRUE(has(c, "bn_u_7 = (int *)((bn_u64)u + bn_near6[0].where + (bn_u64)bn_near6[0].shift * sizeof(int));"));
    EXPECT_TRUE(has(c, "bn_v_11[bn_n2] = bn_u_7[bn_n2 - 1] + bn_u_8[bn_n2] + bn_u_9[bn_n2 + 1] + bn_v_10[bn_n2 + 1];"));
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

TEST_F(ForallTest, CyclicNeighboursHaveOneBaseForEachDistance)
{
    const std::string base = "(int *)(bn_add_cyclic(bn_start(b), (bn_i64)bn_mythread() + (";
    std::string c = translate("upc_forall (i = 1; i < n; i++; &a[i]) a[i] = b[i + 1] - b[i - 1] + b[i + 1];");
    EXPECT_TRUE(has(c, "int *const bn_b_6 = " + base + "1), sizeof(int)).addr);"));
    EXPECT_TRUE(has(c, "int *const bn_b_7 = " + base + "-1), sizeof(int)).addr);"));
    EXPECT_TRUE(has(c, "bn_a_8[bn_row3] = bn_b_6[bn_row3] - bn_b_7[bn_row3] + bn_b_6[bn_row3];"));
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

TEST_F(ForallTest, RowsAreUnits)
{
    std::string c =
        translate("upc_forall (i = 0; i < n; i++; &r[i][0]) for (j = 0; j < 4; j++) r[i][j] = s[i][j] + s[2 * i][j];");
    EXPECT_TRUE(has(c, "bn_r_8[bn_row3 * 4 + (bn_i64)(j)] = bn_s_6[bn_row3 * 4 + (bn_i64)(j)] + bn_s_7[(bn_i64)(j)];"));
    EXPECT_TRUE(
        has(c, "{ i = (int)bn_n2; int *const bn_s_7 = (int *)bn_elem_once(s, (bn_u64)(2 * i), 1, 4 * sizeof(int)); "));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < n; i++; r2[i]) r2[i][1] = 0;"), "[bn_n2 * 4 + (bn_i64)(1)] = 0;"));
}

// An index that passes each thread the same number of times does not change the owner, so it may be anything.
TEST_F(ForallTest, RowsOfWholeRoundsAreCountedWithinEachThread)
{
    std::string c = translate("upc_forall (j = 0; j < n; j++; &wide[i][j]) wide[i][j] = wide[i - 1][j] + a[j];");
    EXPECT_TRUE(has(c, "bn_wide_6[bn_row3 + (bn_i64)(i) * 4] = bn_wide_6[bn_row3 + (bn_i64)(i - 1) * 4] + "
                       "bn_a_7[bn_row3];"));
    c = translate("upc_forall (j = 0; j < n; j++; &wide[i][j]) wide[h()][j] = k++;");
    EXPECT_TRUE(has(c, "bn_wide_6[bn_row3 + (bn_i64)(h()) * 4] = k++;"));
    c = translate("upc_forall (j = 0; j < n; j++; &wide[k][j]) wide[k][j] = wide[0][j];", {true, true}, false, 3);
    EXPECT_TRUE(has(c, "bn_wide_6[bn_row3 + (bn_i64)(k) * 4] = bn_wide_6[bn_row3 + (bn_i64)(0) * 4];"));
    EXPECT_FALSE(is_dealt("upc_forall (j = 0; j < n; j++; &wide[h()][j]) wide[0][j] = 0;"));
    EXPECT_FALSE(is_dealt("upc_forall (j = 0; j < n; j++; &odd[i][j]) odd[i][j] = 0;"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &wide[i][k]) wide[i][k] = 0;"));
}

TEST_F(ForallTest, RowsMayBeCountedByAnIndexInTheMiddle)
{
    std::string c = translate(
        "upc_forall (i = 0; i < n; i++; &t4[1 - k][i][0]) for (j = 0; j < 4; j++) t4[1 - k][i][j] = t4[k][3 - i][j];");
    EXPECT_TRUE(has(c, "int *const bn_t4_6 = (int *)bn_elem_cyclic(t4, (bn_u64)((bn_i64)(k) * 2 * "
                       "(bn_i64)bn_threads() + (bn_i64)(3 - i)), 4 * sizeof(int)); "));
    EXPECT_TRUE(has(c, "bn_t4_7[bn_row3 * 4 + (bn_i64)(1 - k) * 8 + (bn_i64)(j)] = bn_t4_6[(bn_i64)(j)];"));
    c = translate("upc_forall (i = 0; i < n; i++; &t4[1 - k][i][0]) t4[1 - k][i][2] = t4[k][i - 1][2];");
    EXPECT_TRUE(has(c, "= (int *)(bn_add_cyclic(bn_start(t4), (bn_i64)bn_mythread() + (-1), 4 * sizeof(int)).addr);"));
    EXPECT_TRUE(has(c, "= bn_t4_6[bn_row3 * 4 + (bn_i64)(k) * 8 + (bn_i64)(2)];"));
    c = translate("upc_forall (i = 0; i < n; i++; &planes[k][i][0]) planes[k][i][1] = 0;", {true, true}, false, 3);
    EXPECT_TRUE(has(c, "bn_offset6 = 0 + (bn_i64)(k) * 5;"));
    EXPECT_TRUE(has(c, "bn_planes_7[bn_row3 * 4 + (bn_i64)(1)] = 0;"));
}

TEST_F(ForallTest, RowsAreFoundThroughPointersToThem)
{
    functions_ = "typedef shared [4] int row[4];";
    std::string rows = "row *x = &r[n], *y = &s[k]; ";
    std::string c = translate(rows + "upc_forall (i = 0; i < n; i++; &x[i][0]) x[i][1] = y[3 - i][2];");
    EXPECT_TRUE(has(c, "(x.thread | x.phase) == 0 && (y.thread | y.phase) == 0) {"));
    EXPECT_TRUE(has(c, "int *const bn_y_6 = (int *)bn_elem_cyclic((bn_shared_t)y.addr, (bn_u64)(3 - i), 4 * "));
    EXPECT_TRUE(has(c, "bn_x_7[bn_row3 * 4 + (bn_i64)(1)] = bn_y_6[(bn_i64)(2)];"));
    EXPECT_FALSE(has(translate(rows + "upc_forall (i = 0; i < n; i++; &x[i][0]) x[i][1] = y++[i - 1][2];"), "(y.th"));
    c = translate(rows + "upc_forall (i = 0; i < n; i++; &x[i][0]) { x[i][1] = y[i - 1][2]; y++; }");
    EXPECT_FALSE(has(c, "y.thread"));
}

TEST_F(ForallTest, MembersThatTheLoopDoesNotChangeAreVariables)
{
    functions_ = "struct vec { int n; shared int *data; }; static struct vec global; extern struct vec *seen;";
    std::string c = translate("upc_forall (i = 0; i < global.n; i++; &global.data[i]) global.data[i] = 0;");
    EXPECT_TRUE(has(c, "const bn_pts_t bn_data_2 __attribute__((unused)) = global.data; if (bn_outer1 == 0 && "
                       "(bn_data_2.thread | bn_data_2.phase) == 0) {"));
    EXPECT_TRUE(has(c, "bn_data_7[bn_row4] = 0;"));
    EXPECT_TRUE(has(c, "bn_end6 = (bn_i64)(global.n);"));
    c = translate("struct vec *x = seen; upc_forall (i = 0; i < n; i++; &x->data[i]) x->data[i] = 0;");
    EXPECT_TRUE(has(c, "bn_data_2 __attribute__((unused)) = (i < n) ? x->data : bn_null(); if (bn_outer1 == 0 && "));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &global.data[i]) global.data = global.data;"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &global.data[i]) *z = 0;"));
    for (const char* change : {"global.data = x->data", "*z = 0", "g(0)", "seen = 0", "cells[0][0] = *&flags[0]"})
        EXPECT_FALSE(
            is_dealt("struct vec *x = seen; upc_forall (i = 0; i < n; i++; &x->data[i]) " + std::string(change) + ";"))
            << change;
    EXPECT_FALSE(has(translate("struct vec *x = seen; upc_forall (i = 0; i < n; i++; &a[i]) if (k) x->data[i] = 0;"),
                     "= x->data"));
}

// A plain loop that has loops inside hides how the row was found (bn_row); one that has none may be vectorised over
// rows.
TEST_F(ForallTest, RowsOfPlainLoops)
{
    std::string c = translate("for (i = 0; i < n; i++) for (j = 0; j < 4; j++) k += s[i][j];");
    EXPECT_TRUE(has(c, "int *const bn_s_1 = (int *)bn_row(bn_elem_once(s, "));
    EXPECT_TRUE(has(translate("for (i = 0; i < n; i++) k += s[i][1] + s[i][2];"),
                    "int *const bn_s_1 = (int *)bn_elem_once(s, "));
}

// The loop over j stands twice (indexed.cc), what it takes from the loop around it once.
TEST_F(ForallTest, RowsOfLoopsThatStandTwice)
{
    std::string c =
        translate("upc_forall (i = 0; i < n; i++; &c[2*THREADS - i]) for (j = 0; j < 4; j++) r[2*THREADS - 6 - i][j] = "
                  "cells[i][j % 3];",
                  Passes::all());
    EXPECT_TRUE(has(c, "int *const bn_r_7 = (int *)bn_elem_once(r, (bn_u64)(2*bn_threads() - 6 - i), "));
    EXPECT_TRUE(has(c, "bn_threads_shift() >= 0"));
    EXPECT_FALSE(has(c, "*THREADS"));
}

TEST_F(ForallTest, RowsThatChangeInTheBodyAreFoundWhereTheyAreUsed)
{
    EXPECT_FALSE(
        has(translate("upc_forall (i = 0; i < n; i++; &r[i][0]) { j = 0; while (j < 4) r[i][0] += s[j++][1]; }"),
            "*const bn_s_"));
    EXPECT_FALSE(
        has(translate("upc_forall (i = 0; i < n; i++; &r[i][0]) { int j = k; r[i][0] += s[j][1]; }"), "*const bn_s_"));
    std::string c = translate("upc_forall (i = 0; i < n; i++; &r[i][0]) r[i][0] += s[k][1] + s[k][2] + r2[k][1];");
    EXPECT_TRUE(has(c, "+= bn_s_6[(bn_i64)(1)] + bn_s_6[(bn_i64)(2)] + bn_r2_7[(bn_i64)(1)];"));
}

TEST_F(ForallTest, OtherFormsOfAffinity)
{
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; i) a[i] = 0;"), "bn_a_6[bn_row3] = 0;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; i / 3) c[i] = 0;"), "bn_c_6[bn_n2] = 0;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; a + i) *(a + i) = 0;"), "bn_a_6[bn_row3] = 0;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &st[i].y) st[i].x = 0;"), "bn_st_6[bn_row3].x = 0;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &a[i + k]) a[k + i] = 0;"),
                    "bn_i64 bn_offset6 = 0 + (bn_i64)(k);"));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < n; i++; &w[i]) w[i] = 0;"), "if (bn_outer1 || bn_mythread() == 0) { "));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < n; i++; &p[i]) p[i] = 0;"), "== 0 && (p.thread | p.phase) == 0) {"));
}

TEST_F(ForallTest, WhatMayChangeIsLookedAtAgain)
{
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < global; i++; i) g(i);"), "for (; bn_n2 < ((bn_i64)(global)); ++bn_row3"));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < global; i++; i) sqrt(i);"), "const bn_i64 bn_end5 = (bn_i64)(global);"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; i) n--;"), "< ((bn_i64)(n));"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < global; i++; i) z[i] = 0;"), "< ((bn_i64)(global));"));
}

// What a pointer points to may be in shared memory, or a variable, where stores of other types leave it alone.
TEST_F(ForallTest, LimitsThatPointersPointToMayBeFixed)
{
    functions_ = "struct vec { int n; }; extern shared double x[8*THREADS]; static double sum; static int count;";
    auto is_fixed = [&](const std::string& body) {
        return has(translate("struct vec *size = (void *)z; upc_forall (i = 0; i < size->n; i++; i) " + body + ";"),
                   "bn_end5 = (bn_i64)(size->n);");
    };
    for (const char* body : {"x[i] = 0", "sum += x[i]", "{ int y = a[i]; x[i] = y; }"})
        EXPECT_TRUE(is_fixed(body)) << body;
    for (const char* body :
         {"a[i] = 0", "count++", "*z = 0", "size->n = 0", "g(0)", "st[i].x = 0", "flags[i]", "size = 0"})
        EXPECT_FALSE(is_fixed(body)) << body;
}

TEST_F(ForallTest, LimitsMayCallWhatOnlyReturnsAValue)
{
    functions_ = kFunctions;
    auto is_fixed = [&](const std::string& limit, const std::string& body) {
        return has(translate("upc_forall (i = 0; i < " + limit + "; i++; i) " + body),
                   "bn_end6 = (bn_i64)(" + limit + ")");
    };
    auto is_looked_at = [&](const std::string& limit, const std::string& body) {
        return has(translate("upc_forall (i = 0; i < " + limit + "; i++; i) " + body), "< ((bn_i64)(" + limit + "));");
    };
    EXPECT_TRUE(is_fixed("rows_of(k)", "g(i);"));
    EXPECT_TRUE(is_fixed("twice(k + 1) / 2", "g(i);"));
    EXPECT_TRUE(is_fixed("sizes[k].rows", "g(i);"));
    EXPECT_TRUE(is_fixed("count()", "a[i] = 0;"));
    EXPECT_TRUE(is_fixed("(int)sqrt(rows_of(k))", "g(i);"));
    EXPECT_TRUE(is_looked_at("rows_of(k)", "k++;"));
    EXPECT_TRUE(is_looked_at("count()", "counted++;"));
    EXPECT_TRUE(has(translate("extern int counted; upc_forall (i = 0; i < count(); i++; i) counted++;"),
                    "< ((bn_i64)(count()));"));
    EXPECT_TRUE(is_looked_at("count()", "g(i);"));
    EXPECT_TRUE(is_looked_at("count()", "z[i] = 0;"));
    EXPECT_TRUE(is_looked_at("count_at(&sizes[1])", "a[i] = 0;"));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < shared_count(); i++; i) a[i] = 0;"), "< ((bn_i64)(shared_count())"));
}

TEST_F(ForallTest, LimitsWithEffectsAreEvaluatedInEachIteration)
{
    functions_ = kFunctions;
    for (const char* limit : {"taken()", "rows_of(k++)", "looked_at()", "by_flag()", "deep(3)", "called()", "h()",
                              "seen_by_others()", "rows_of(i)", "count() + taken()"})
        EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < " + std::string(limit) + "; i++; i) a[i] = 0;")) << limit;
    EXPECT_FALSE(is_dealt("upc_forall (counted = 0; counted < count() + 1; counted++; counted) ;"));
    EXPECT_FALSE(is_dealt("extern int counted; upc_forall (counted = 0; counted < count() + 1; counted++; counted) ;"));
    EXPECT_FALSE(is_dealt("z = &i; upc_forall (i = 0; i < count_at(sizes); i++; i) ;"));
}

TEST_F(ForallTest, TheGeneralFormStaysWhereAnotherWouldBeWrong)
{
    EXPECT_TRUE(is_dealt("upc_forall (i = 0; i < n; i++; &a[i]) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < h(); i++; &a[i]) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &a[i]) i++;"));
    EXPECT_FALSE(is_dealt("z = &i; upc_forall (i = 0; i < n; i++; &a[i]) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &a[h()]) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &p[i]) p++;"));
    EXPECT_FALSE(is_dealt("upc_forall (i = -1; i < n; i++; i / 2) g(i);"));
    EXPECT_FALSE(is_dealt("unsigned m = 3; upc_forall (i = k; i < m; i++; i) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; i) { static int count; count++; }"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; i) { x: g(i); }"));
    EXPECT_FALSE(is_dealt("switch (n) upc_forall (i = 0; i < n; i++; i) { case 3: g(i); }"));
    EXPECT_TRUE(is_dealt("upc_forall (i = 0; i < n; i++; i) switch (n) { case 3: g(i); }"));
    EXPECT_TRUE(is_dealt("upc_forall (i = 0; i < n; i++; i) __asm__ volatile (\"\");"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; i) __asm__ volatile (\"1: nop\");"));
}

TEST_F(ForallTest, LoopsThatCountDownGoUpOverTheNegative)
{
    std::string c = translate("upc_forall (i = n - 1; i >= 0; i--; &a[i]) a[i] = b[i] + i;");
    EXPECT_TRUE(has(c, "const bn_i64 bn_start4 = -(bn_i64)i; const bn_i64 bn_end5 = -(bn_i64)(0) + 1;"));
    EXPECT_TRUE(has(c, "const struct bn_turns bn_turns8 = bn_own_turns(-bn_start4, (-1) * 1);"));
    EXPECT_TRUE(
        has(c, "bn_n2 += bn_stride9, bn_row3 += -1) { i = (int)-bn_n2; bn_a_7[bn_row3] = bn_b_6[bn_row3] + i; }"));
    EXPECT_TRUE(has(c, "i = (int)-bn_next_step(bn_start4, bn_end5, 1);"));
    c = translate("upc_forall (i = n; k < i; i = i - 2; &c[i + 1]) c[i + 1] = 0;");
    EXPECT_TRUE(has(c, "bn_first_piece_apart(&bn_blocks3, bn_start4, bn_end5, 1, 3, bn_outer1, 2, (-1))"));
    EXPECT_TRUE(has(c, "bn_n2 = bn_blocks3.n; for (; bn_n2 < bn_stop7; bn_n2 += 2)"));
    EXPECT_TRUE(has(c, "bn_c_6[-bn_n2 + 1] = 0;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 8; i != 0; i += -1; &w[i]) w[i] = 0;"),
                    "{ i = (int)-bn_n2; bn_w_6[(bn_i64)(i)] = 0; }"));
    EXPECT_TRUE(is_dealt("upc_forall (i = n; i > global; --i; i) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = n; i > 0; i++; i) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i--; i) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i != global; i++; i) g(i);"));
}

TEST_F(ForallTest, UnitsThatAreApartAreFoundByTheirTurns)
{
    std::string c = translate("upc_forall (i = 0; i < n; i += 2; &a[i]) a[i] = 1;");
    EXPECT_TRUE(has(
        c,
        "bn_own_turns(bn_start4, 1 * 2); if (bn_turns7.period > 0) { const bn_i64 bn_stride8 = 2 * bn_turns7.period;"));
    EXPECT_TRUE(has(c, "bn_n2 += bn_stride8, bn_row3 += bn_turns7.rows) { i = (int)bn_n2; bn_a_6[bn_row3] = 1; }"));
    c = translate("upc_forall (i = 0; i < n; i++; &a[2 * i + 1]) a[1 + i * 2] = a[2 * i];");
    EXPECT_TRUE(has(c, "bn_own_turns(2 * bn_start4 + 1, 2 * 1);"));
    EXPECT_TRUE(has(c, "bn_a_7[bn_row3] = bn_a_6[bn_row3];"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &a[n - i]) a[n - i] = 1;"),
                    "bn_own_turns(-bn_start4 + bn_offset6, (-1) * 1)"));
    c = translate("upc_forall (i = 0; i < n; i += k; i) a[i] = 1;");
    EXPECT_TRUE(has(c, " == 0 && (bn_u64)(k) - 1 < 1048576) {"));
    EXPECT_TRUE(has(c, "const bn_i64 bn_step6 = (bn_i64)(k); "
                       "const struct bn_turns bn_turns8 = bn_own_turns(bn_start4, 1 * bn_step6);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i += k; i) k++;"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i += 0; i) g(i);"));
    c = translate("upc_forall (i = 0; i < n; i++; &c[2 * i]) c[2 * i] = 1;");
    EXPECT_TRUE(has(c, "bn_first_piece_apart(&bn_blocks3, bn_start4, bn_end5, 0, 3, bn_outer1, 1, 2)"));
    EXPECT_TRUE(has(c, "bn_c_6[2 * bn_n2] = 1;"));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < n; i += 5; &c[i]) g(i);"), " == 0 && 5 <= 3 * (bn_u64)bn_threads()) {"));
}

TEST_F(ForallTest, QuotientsAreBlocks)
{
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; i / 3 % THREADS) c[i] = 0;"), "bn_c_6[bn_n2] = 0;"));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < n; i++; i * THREADS / (3 * THREADS)) c[i] = 0;"), "bn_c_6[bn_n2] = 0;"));
    std::string c = translate("upc_forall (i = 0; i < n; i++; i * THREADS / n) g(i);");
    EXPECT_TRUE(has(c, " == 0 && (bn_i64)(n) > 0) {"));
    EXPECT_TRUE(has(
        c,
        "bn_first_piece_apart(&bn_blocks3, bn_start4, bn_end5, 0, (bn_i64)(n), bn_outer1, 1, (bn_i64)bn_threads())"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; i / k) g(i);"), "bn_first_piece(&bn_blocks3, bn_start4, "
                                                                              "bn_end5, 0, (bn_i64)(k), bn_outer1)"));
    EXPECT_TRUE(has(translate("upc_forall (i = k; i < n; i++; i / 3) g(i);"), " == 0 && i >= 0) {"));
    EXPECT_TRUE(has(translate("upc_forall (i = n; i >= k; i--; i / 3) g(i);"), " == 0 && -(bn_i64)(k) + 1 <= 1) {"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; i / k) k++;"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; i / -3) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; (i - 1) / 3) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; -i / 3) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (unsigned u = 0; u < 9; u++; u * THREADS / n) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; i % k) g(i);"));
}

TEST_F(ForallTest, WhatDoesNotDependOnTheVariableIsLookedAtOnce)
{
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; 0) g(i);"), "if (bn_outer1 || bn_here_int(0)) { "));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < n; i++; k + 1) g(i);"), "if (bn_outer1 || bn_here_int(k + 1)) { "));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &a[k]) g(i);"),
                    "if (bn_outer1 || bn_owner_cyclic((bn_u64)(k)) == bn_mythread()) { "));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; p) g(i);"), "if (bn_outer1 || bn_here_pts(p)) { "));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < n; i++; &n_shared) g(i);"), "if (bn_outer1 || bn_mythread() == 0) { "));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; p) p++;"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; k) k++;"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; n_shared) g(i);"));
}

TEST_F(ForallTest, NoVariableLeavesWhatItsTypeHolds)
{
    EXPECT_TRUE(
        has(translate("upc_forall (short s = 0; s < n; s++; s) g(s);"), " == 0 && (bn_i64)(n) + 1 - 1 <= 32767) {"));
    EXPECT_TRUE(has(translate("upc_forall (signed char s = n; s >= k; s -= 3; s) g(s);"),
                    " == 0 && -(bn_i64)(k) + 1 + 3 - 1 <= 128) {"));
    EXPECT_TRUE(has(translate("upc_forall (unsigned u = 0; u <= 9 + (unsigned)n; u += 2; u) g(i);"),
                    " + 1 + 2 - 1 <= 4294967295) {"));
    EXPECT_TRUE(has(translate("upc_forall (unsigned u = n; u > 0; u--; &a[u]) a[u] = 0;"), " == 0) {"));
    EXPECT_TRUE(has(translate("upc_forall (unsigned u = n; u != k; u--; u) g(i);"), "&& -(bn_i64)u <= -(bn_i64)"));
    EXPECT_FALSE(is_dealt("upc_forall (unsigned u = n; u >= 0; u--; u) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (unsigned u = n; u > 0; u -= 2; u) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (unsigned char u = 0; u < 256; u++; u) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (short s = 0; s < global; s++; s) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = -3; i < 5u; i++; i) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = n; i > 5u; i--; i) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (_Bool b1 = 0; b1 < 1; b1++; b1) g(i);"));
}

// Of 64 bits: what wraps in the program must not overflow in the copy, and where that cannot be, nothing is tested.
TEST_F(ForallTest, HugeNumbersAreLeftToTheGeneralForm)
{
    const std::string declarations = "typedef unsigned long big; big x = (big)n; long y = k; ";
    auto of = [&](const std::string& head, const std::string& affinity) {
        return translate(declarations + "upc_forall (" + head + "; " + affinity + ") g(1);");
    };
    const std::string largest = " <= (bn_u64)((bn_i64)4611686018427387904)";
    EXPECT_TRUE(has(of("big u = 0; u < x; u++", "u"),
                    " == 0 && (bn_u64)(__typeof__(u + (x)))(x)" + largest + ") { const bn_i64 "));
    EXPECT_TRUE(has(of("big u = y; u < 9; u++", "u"), " == 0 && (bn_u64)u" + largest + ") {"));
    EXPECT_TRUE(has(of("big u = 0; u < n; u++", "u"), "(bn_u64)(__typeof__(u + (n)))(n)" + largest + ") {"));
    EXPECT_TRUE(has(of("big u = 0; u < x; u++", "u * 4"), " <= (bn_u64)((bn_i64)1152921504606846976)) {"));
    EXPECT_TRUE(has(of("big u = 0; u < x; u++", "u * THREADS / x"), "4611686018427387904 / bn_threads())) {"));
    EXPECT_TRUE(has(of("long l = 5; l > y; l--", "l"), " == 0 && (bn_i64)(y) >= -(bn_i64)4611686018427387904) {"));
    EXPECT_TRUE(has(of("long l = y; l >= 0; l--", "l"), " == 0 && (bn_i64)l >= -(bn_i64)4611686018427387904) {"));
    EXPECT_TRUE(has(translate(declarations + "upc_forall (big u = 0; u < x; u++; u) { x = 9; g(1); }"),
                    "bn_min_unsigned((__typeof__(u + (x)))(x), (bn_i64)4611686018427387904)"));
    for (const char* head : {"big u = 0; u < 9; u++", "big u = 0; u < 2 * THREADS; u++",
                             "big u = 3; u <= (unsigned)n; u++", "big u = 9; u > 0; u--", "long u = y; u < y + n; u++",
                             "long u = 9; u >= 0; u--", "int u = 0; u < x; u++", "long u = 9; u >= n; u--"})
        EXPECT_TRUE(has(of(head, "&a[u]"), " == 0) {")) << head;
}

TEST_F(ForallTest, OneIndexOfSeveralMayBeTheVariable)
{
    EXPECT_TRUE(has(translate("for (i = 0; i < 3; i++) upc_forall (j = 0; j < 4; j++; &r[i][j]) r[i][j] = 0;"),
                    "bn_r_7[bn_n2 + bn_offset6] = 0;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &cells[i][k]) cells[i][k] = 0;"),
                    "bn_own_turns(4 * bn_start4 + bn_offset6, 4 * 1);"));
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

TEST_F(ForallTest, LoopsOverOwnElementsCountTheirTurns)
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

TEST_F(ForallTest, OwnElementsAreFoundWithoutDivision)
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

TEST_F(ForallTest, OwnBlocksAreFoundByAComparison)
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

TEST_F(ForallTest, OwnElementsOfRowsAreFoundWithoutDivision)
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

// What is known to be this thread's own is near; nothing else is taken for near.
TEST_F(ForallTest, OwnElementsAreNear)
{
    auto c = [&](const std::string& body) { return translate(body, {true, true}, true); };
    std::string cyclic = c("upc_forall (i = 0; i < n; i++; &a[i]) a[i] += b[i];");
    EXPECT_TRUE(has(cyclic, "bn_a_7[bn_row3] += bn_b_6[bn_row3]"));
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

// Called from within another upc_forall, a loop goes over what others own, too: not by plain pointers where that may be
// far.
TEST_F(ForallTest, PlainPointersReachNobodyElse)
{
    const char* loop = "upc_forall (i = 0; i < n; i++; &c[i]) c[i] = h();";
    EXPECT_TRUE(has(translate(loop), "3, bn_outer1); "));
    std::string far = translate(loop, {true, true}, true);
    EXPECT_TRUE(has(far, "bn_first_piece_joined(&bn_blocks3, bn_start4, bn_end5, 0, 3, 0); "));
    EXPECT_TRUE(has(far, "if (bn_outer1 == 0) "));
    EXPECT_TRUE(has(far, "bn_is_near"));
    far = translate("upc_forall (i = 1; i < n; i++; &v[i]) v[i] = u[i - 1];", {true, true}, true);
    EXPECT_TRUE(has(far, "bn_elem_block(u, "));
}

// Outside of upc_forall, too: the back end keeps a typed pointer in a register, where it would compute with the parts
// of the address.
TEST_F(ForallTest, RowsThatALoopDoesNotChangeAreFoundWhereItsBodyBegins)
{
    auto begins = [&](const std::string& loop) {
        std::string c = translate(loop);
        return c.find("*const bn_r_") != std::string::npos;
    };
    const std::string inner = "for (j = 0; j < 4; j++) r[i][j] = 1;";
    EXPECT_TRUE(begins("for (i = 0; i < 8; i++) " + inner));
    EXPECT_TRUE(begins("for (i = 0; i < 8; i++) { n++; " + inner + " }"));
    EXPECT_FALSE(begins("while (n--) { i = n; r[i][0] = 1; }"));
    EXPECT_FALSE(begins("for (i = 0; i < 8; i++) { ++i; r[i][0] = 1; }"));
    EXPECT_FALSE(begins("for (i = 0; i < 8; i++) { __asm__(\"\" : \"=r\"(i)); r[i][0] = 1; }"));
    EXPECT_FALSE(begins("for (i = 0; i < 8; i++) { again: r[i][0] = 1; }"));
    EXPECT_FALSE(begins("for (i = 0; i < 8; i++) if (n) r[i / n][0] = 1;"));
}

}  // namespace
}  // namespace bn::lower
