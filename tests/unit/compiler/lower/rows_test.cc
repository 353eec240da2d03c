// Rows that lie on one thread (lower/local.cc): units of a upc_forall, and found once for all of their elements.
#include <string>

#include "forall_fixture.h"

namespace bn::lower {
namespace {

class RowsTest : public ForallTest {};

TEST_F(RowsTest, RowsAreUnits)
{
    std::string c =
        translate("upc_forall (i = 0; i < n; i++; &r[i][0]) for (j = 0; j < 4; j++) r[i][j] = s[i][j] + s[2 * i][j];");
    EXPECT_TRUE(has(c, "bn_8_r[bn_row3 * 4 + (bn_i64)(j)] = bn_6_s[bn_row3 * 4 + (bn_i64)(j)] + bn_7_s[(bn_i64)(j)];"));
    EXPECT_TRUE(has(c, "{ i = (int)bn_n2; int *const bn_7_s = (int *)bn_elem_once(s, "
                       "((bn_u64)(2) * (bn_u64)(i)), 1, 4 * sizeof(int)); "));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < n; i++; r2[i]) r2[i][1] = 0;"), "[bn_n2 * 4 + (bn_i64)(1)] = 0;"));
}

// An index that passes each thread the same number of times does not change the owner, so it may be anything.
TEST_F(RowsTest, RowsOfWholeRoundsAreCountedWithinEachThread)
{
    std::string c = translate("upc_forall (j = 0; j < n; j++; &wide[i][j]) wide[i][j] = wide[i - 1][j] + a[j];");
    EXPECT_TRUE(has(c, "bn_6_wide[bn_row3 + (bn_i64)(i) * 4] = bn_6_wide[bn_row3 + (bn_i64)(i - 1) * 4] + "
                       "bn_7_a[bn_row3];"));
    c = translate("upc_forall (j = 0; j < n; j++; &wide[i][j]) wide[h()][j] = k++;");
    EXPECT_TRUE(has(c, "bn_6_wide[bn_row3 + (bn_i64)(h()) * 4] = k++;"));
    c = translate("upc_forall (j = 0; j < n; j++; &wide[k][j]) wide[k][j] = wide[0][j];", {true, true}, false, 3);
    EXPECT_TRUE(has(c, "bn_6_wide[bn_row3 + (bn_i64)(k) * 4] = bn_6_wide[bn_row3 + (bn_i64)(0) * 4];"));
    EXPECT_FALSE(is_dealt("upc_forall (j = 0; j < n; j++; &wide[h()][j]) wide[0][j] = 0;"));
    EXPECT_FALSE(is_dealt("upc_forall (j = 0; j < n; j++; &odd[i][j]) odd[i][j] = 0;"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &wide[i][k]) wide[i][k] = 0;"));
}

TEST_F(RowsTest, OneIndexOfSeveralMayBeTheVariable)
{
    EXPECT_TRUE(has(translate("for (i = 0; i < 3; i++) upc_forall (j = 0; j < 4; j++; &r[i][j]) r[i][j] = 0;"),
                    "bn_7_r[bn_n2 + bn_offset6] = 0;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &cells[i][k]) cells[i][k] = 0;"),
                    "bn_own_turns((bn_i64)(4 * (bn_u64)bn_start4 + bn_offset6), 4);"));
}

TEST_F(RowsTest, RowsMayBeCountedByAnIndexInTheMiddle)
{
    std::string c = translate(
        "upc_forall (i = 0; i < n; i++; &t4[1 - k][i][0]) for (j = 0; j < 4; j++) t4[1 - k][i][j] = t4[k][3 - i][j];");
    EXPECT_TRUE(has(c, "int *const bn_6_t4 = (int *)bn_elem_cyclic(t4, (bn_u64)(k) * 2 * (bn_u64)bn_threads() + "
                       "((bn_u64)(3) - (bn_u64)(i)), 4 * sizeof(int)); "));
    EXPECT_TRUE(has(c, "bn_7_t4[bn_row3 * 4 + (bn_i64)(1 - k) * 8 + (bn_i64)(j)] = bn_6_t4[(bn_i64)(j)];"));
    c = translate("upc_forall (i = 0; i < n; i++; &t4[1 - k][i][0]) t4[1 - k][i][2] = t4[k][i - 1][2];");
    EXPECT_TRUE(has(c, "= (int *)(bn_add_cyclic(bn_start(t4), (bn_i64)bn_mythread() + (-1), 4 * sizeof(int)).addr);"));
    EXPECT_TRUE(has(c, "= bn_6_t4[bn_row3 * 4 + (bn_i64)(k) * 8 + (bn_i64)(2)];"));
    c = translate("upc_forall (i = 0; i < n; i++; &planes[k][i][0]) planes[k][i][1] = 0;", {true, true}, false, 3);
    EXPECT_TRUE(has(c, "bn_offset6 = 0 + (bn_i64)(k) * 5;"));
    EXPECT_TRUE(has(c, "bn_7_planes[bn_row3 * 4 + (bn_i64)(1)] = 0;"));
}

TEST_F(RowsTest, RowsAreFoundThroughPointersToThem)
{
    functions_ = "typedef shared [4] int row[4];";
    std::string rows = "row *x = &r[n], *y = &s[k]; ";
    std::string c = translate(rows + "upc_forall (i = 0; i < n; i++; &x[i][0]) x[i][1] = y[3 - i][2];");
    EXPECT_TRUE(has(c, "(x.thread | x.phase) == 0 && (y.thread | y.phase) == 0) {"));
    EXPECT_TRUE(
        has(c, "int *const bn_6_y = (int *)bn_elem_cyclic((bn_shared_t)y.addr, ((bn_u64)(3) - (bn_u64)(i)), 4 * "));
    EXPECT_TRUE(has(c, "bn_7_x[bn_row3 * 4 + (bn_i64)(1)] = bn_6_y[(bn_i64)(2)];"));
    EXPECT_FALSE(has(translate(rows + "upc_forall (i = 0; i < n; i++; &x[i][0]) x[i][1] = y++[i - 1][2];"), "(y.th"));
    c = translate(rows + "upc_forall (i = 0; i < n; i++; &x[i][0]) { x[i][1] = y[i - 1][2]; y++; }");
    EXPECT_FALSE(has(c, "y.thread"));
}

// A plain loop that has loops inside hides how the row was found (bn_row); one that has none may be vectorised over
// rows.
TEST_F(RowsTest, RowsOfPlainLoops)
{
    std::string c = translate("for (i = 0; i < n; i++) for (j = 0; j < 4; j++) k += s[i][j];");
    EXPECT_TRUE(has(c, "int *const bn_1_s = (int *)bn_row(bn_elem_once(s, "));
    EXPECT_TRUE(has(translate("for (i = 0; i < n; i++) k += s[i][1] + s[i][2];"),
                    "int *const bn_1_s = (int *)bn_elem_once(s, "));
}

// The loop over j stands twice (indexed.cc), what it takes from the loop around it once.
TEST_F(RowsTest, RowsOfLoopsThatStandTwice)
{
    std::string c =
        translate("upc_forall (i = 0; i < n; i++; &c[2*THREADS - i]) for (j = 0; j < 4; j++) r[2*THREADS - 6 - i][j] = "
                  "cells[i][j % 3];",
                  Passes::all());
    EXPECT_TRUE(has(
        c,
        "int *const bn_7_r = (int *)bn_elem_once(r, ((((bn_u64)(2) * (bn_u64)(bn_threads())) - 6) - (bn_u64)(i)), "));
    EXPECT_TRUE(has(c, "bn_threads_shift() >= 0"));
    EXPECT_FALSE(has(c, "*THREADS"));
}

TEST_F(RowsTest, RowsThatChangeInTheBodyAreFoundWhereTheyAreUsed)
{
    EXPECT_FALSE(has(translate("upc_forall (i = 0; i < n; i++; &c[i]) if (k) c[i] = r[n / k][1];"), "_r = (int *)"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &c[i]) if (k) c[i] = r[n / 2][1];"), "_r = (int *)"));
    EXPECT_FALSE(
        has(translate("upc_forall (i = 0; i < n; i++; &r[i][0]) { j = 0; while (j < 4) r[i][0] += s[j++][1]; }"),
            "_s = (int *)"));
    EXPECT_FALSE(
        has(translate("upc_forall (i = 0; i < n; i++; &r[i][0]) { int j = k; r[i][0] += s[j][1]; }"), "_s = (int *)"));
    std::string c = translate("upc_forall (i = 0; i < n; i++; &r[i][0]) r[i][0] += s[k][1] + s[k][2] + r2[k][1];");
    EXPECT_TRUE(has(c, "+= bn_6_s[(bn_i64)(1)] + bn_6_s[(bn_i64)(2)] + bn_7_r2[(bn_i64)(1)];"));
}

// Outside of upc_forall, too: the back end keeps a typed pointer in a register, where it would compute with the parts
// of the address.
TEST_F(RowsTest, RowsThatALoopDoesNotChangeAreFoundWhereItsBodyBegins)
{
    auto begins = [&](const std::string& loop) {
        std::string c = translate(loop);
        return c.find("_r = (int *)") != std::string::npos;
    };
    const std::string inner = "for (j = 0; j < 4; j++) r[i][j] = 1;";
    EXPECT_TRUE(begins("for (i = 0; i < 8; i++) " + inner));
    EXPECT_TRUE(begins("for (i = 0; i < 8; i++) { n++; " + inner + " }"));
    EXPECT_FALSE(begins("while (n--) { i = n; r[i][0] = 1; }"));
    EXPECT_FALSE(begins("for (i = 0; i < 8; i++) { ++i; r[i][0] = 1; }"));
    EXPECT_FALSE(begins("for (i = 0; i < 8; i++) { __asm__(\"\" : \"=r\"(i)); r[i][0] = 1; }"));
    EXPECT_TRUE(begins("for (i = 0; i < 8; i++) {\n#pragma omp barrier\n" + inner + " }"));
    EXPECT_FALSE(begins("for (i = 0; i < 8; i++) {\n#pragma omp barrier\nr[global][0] = 1; }"));
    EXPECT_FALSE(begins("for (i = 0; i < 8; i++) { again: r[i][0] = 1; }"));
    EXPECT_FALSE(begins("for (i = 0; i < 8; i++) if (n) r[i / n][0] = 1;"));
}

// The row is found even in iterations in which the program does not use it, so what the program does not compute must
// not overflow: gcc would take it for a proof that there are no such iterations.
TEST_F(RowsTest, RowsOfAccessesThatAreNotReached)
{
    auto number = [&](const std::string& number) {
        std::string c = translate("for (i = 0; i < n; i++) if (k) s[" + number + "][1] = 1;");
        size_t begin = c.find("_s = (int *)bn_elem_once(s, ");
        if (begin == std::string::npos)
            return std::string();
        begin += std::string("_s = (int *)bn_elem_once(s, ").size();
        return c.substr(begin, c.find(", 1, 4 * sizeof", begin) - begin);
    };
    const std::string times = "((bn_u64)(i) * 1000000000)";
    EXPECT_EQ(number("i & 3"), "(bn_u64)(i & 3)");
    EXPECT_EQ(number("2 * 3 + 1"), "(bn_u64)(2 * 3 + 1)");
    EXPECT_EQ(number("i * 1000000000 & 3"), "(" + times + " & 3)");
    EXPECT_EQ(number("-i * n"), "((-(bn_u64)(i)) * (bn_u64)(n))");
    EXPECT_EQ(number("(i * 1000000000) % 8"), "(bn_u64)((int)" + times + " % 8)");
    EXPECT_EQ(number("i * 1000000000 / THREADS"), "(bn_u64)((int)" + times + " / bn_threads())");
    EXPECT_EQ(number("(i << 3) >> 1"), "(bn_u64)((int)((bn_u64)(i) << 3) >> 1)");
    EXPECT_EQ(number("(unsigned char)(i * 1000000000)"), "(bn_u64)(unsigned char)(" + times + ")");
    EXPECT_EQ(number("i * 1000000000 + 1u"), "(bn_u64)(unsigned int)(" + times + " + 1u)");
    EXPECT_EQ(number("i * 1000000000 + 1ul"), "(" + times + " + 1ul)");
    EXPECT_EQ(number("1 << i"), "");
    EXPECT_EQ(number("i >> n"), "");
    EXPECT_EQ(number("i % n"), "");
    EXPECT_EQ(number("1 << 40"), "");
    EXPECT_EQ(number("(int)(i * 0.5)"), "");
    EXPECT_EQ(number("i + 1 < n"), "");
}

}  // namespace
}  // namespace bn::lower
