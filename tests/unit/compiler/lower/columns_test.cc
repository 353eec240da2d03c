// Which loops process several columns at a time (lower/column_loop.h), and the C for them (lower/columns.cc).  That the
// results are right is tested by tests/random/columns.py.
#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::lower {
namespace {

const char* const kColumnsDeclarations =
    "shared [9] double a[8*THREADS][9], b[8*THREADS][9], c[8*THREADS][9];"
    "shared [18] int u[8*THREADS][9], "
    "v[8*THREADS][9]; shared double w[8*THREADS][9]; shared [] double x[9][9];"
    "strict shared [9] double s[9 * THREADS][9];"
    "shared double total; double global, table[9]; double sqrt(double); double h(void);\n";

class ColumnsTest : public ::testing::Test {
protected:
    static std::string translate(const std::string& body, Passes passes = Passes::all(), bool checks = false)
    {
        driver::TranslateOptions options;
        options.source_name = "t.upc";
        options.passes = passes;
        options.checks = checks;
        std::string text =
            std::string(kColumnsDeclarations) +
            "double f(int n, int m, int i, shared [9] double *p, double *z, double t, unsigned long e) { int "
            "j, k, r = 0; double sum = 0, o; " +
            body + " return sum + j + k + r; }\n";
        driver::TranslateResult result = driver::translate(text, options);
        EXPECT_TRUE(result.ok) << text << "\n" << result.messages;
        return result.c;
    }

    static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

    static bool takes_eight(const std::string& body) { return has(translate(body), " + 7 < "); }

    static std::string along(const std::string& body) { return "for (j = 0; j < n; j++) { " + body + " }"; }

    static std::string down(const std::string& body) { return "for (k = 0; k < m; k++) { " + body + " }"; }
};

TEST_F(ColumnsTest, Products)
{
    EXPECT_TRUE(takes_eight("for (int j = 0; j < 9; j++) { double d = 0; for (int k = 0; k < 9; k++) d += a[i][k] * "
                            "b[k][j]; c[i][j] = d; }"));
    EXPECT_TRUE(takes_eight("for (j = 0; j < n; ++j) for (k = m; k > 0; k -= 2) c[i][j] += a[i][k] * b[k][j];"));
    EXPECT_TRUE(takes_eight(along("c[i][j] = 0; " + down("double d = a[i][k]; c[i][j] -= sqrt(d) * b[k][j];"))));
    EXPECT_TRUE(takes_eight(along("o = t; " + down("o += b[k + 1][j] * table[k];") + " c[i][j] = o / total;")));
    EXPECT_TRUE(takes_eight(along("int d = 0, q; " + down("d += u[k][j] * i;") + " q = d + 1; v[i][j] = q;")));
    EXPECT_TRUE(takes_eight("for (unsigned long q = 0; q < e; q++) for (k = 0; k < m; k++) c[i][q] += b[k][q];"));
    EXPECT_TRUE(takes_eight("upc_forall (i = 0; i < n; i++; &c[i][0]) " + along(down("c[i][j] += b[k][j];"))));
    EXPECT_TRUE(takes_eight(along(down("c[i][j] += b[k][j];") + "c[i][j] += 1;" + down("c[i][j] += a[k][j];"))));
    EXPECT_TRUE(takes_eight(along(down("w[i][2 * j + n] += b[k][j];"))));
    EXPECT_TRUE(takes_eight(along(down("c[(long)i][j] += b[(long)k][j];"))));
}

TEST_F(ColumnsTest, OneTurnNeedsAnother)
{
    EXPECT_FALSE(takes_eight(along(down("c[i][j] += c[i][j - 1] * b[k][j];"))));
    EXPECT_FALSE(takes_eight(along(down("c[i][j] += c[i][k] * b[k][j];"))));
    EXPECT_FALSE(takes_eight(along(down("b[i][j] += b[k][j];"))));
    EXPECT_FALSE(takes_eight(along(down("c[i][n] += b[k][j];"))));
    EXPECT_FALSE(takes_eight(along(down("c[k][j] += b[k][j];"))));
    EXPECT_FALSE(takes_eight(along(down("sum += b[k][j];"))));
    EXPECT_FALSE(takes_eight(along("o += 1; " + down("o += b[k][j];") + "c[i][j] = o;")));
    EXPECT_FALSE(takes_eight(along(down("o = b[k][j]; c[i][j] += o;"))));
    EXPECT_FALSE(takes_eight(along("c[i][j] = k; " + down("c[i][j] += b[k][j];"))));
    EXPECT_FALSE(takes_eight(along(down("total += b[k][j];"))));
}

TEST_F(ColumnsTest, LoopsInsideDiffer)
{
    EXPECT_FALSE(takes_eight("for (j = 0; j < n; j++) for (k = 0; k < j; k++) c[i][j] += b[k][j];"));
    EXPECT_FALSE(takes_eight("for (j = 0; j < n; j++) for (k = j; k < m; k++) c[i][j] += b[k][j];"));
    EXPECT_FALSE(takes_eight("for (j = 0; j < n; j++) for (k = 0; c[i][j] < 5 && k < m; k++) c[i][j] += b[k][j];"));
    EXPECT_FALSE(takes_eight(along(down("c[i][j] += b[k][j]; k++;"))));
    EXPECT_FALSE(takes_eight(along(down("if (k == 3) break; c[i][j] += b[k][j];"))));
    EXPECT_FALSE(takes_eight(along("if (j == 2) continue; " + down("c[i][j] += b[k][j];"))));
    EXPECT_FALSE(takes_eight(along(down(down("c[i][j] += b[k][j];")))));
}

TEST_F(ColumnsTest, OtherOrdersAndPointers)
{
    EXPECT_FALSE(takes_eight(along(down("c[i][j] += *z * b[k][j];"))));
    EXPECT_FALSE(takes_eight(along(down("c[i][j] += p[k] * b[k][j];"))));
    EXPECT_FALSE(takes_eight(along(down("c[i][j] += h() * b[k][j];"))));
    EXPECT_FALSE(takes_eight(along(down("c[i][j] += s[k][j] * b[k][j];"))));
    EXPECT_FALSE(takes_eight(along("upc_fence; " + down("c[i][j] += b[k][j];"))));
    EXPECT_FALSE(takes_eight(along(down("global += b[k][j];"))));
    EXPECT_FALSE(takes_eight(along(down("table[j] += b[k][j];"))));
    EXPECT_FALSE(takes_eight("int *at = &j; *at = 0; " + along(down("c[i][j] += b[k][j];"))));
    EXPECT_FALSE(takes_eight("for (j = 0; j < n; j++) { static double d; " + down("c[i][j] += b[k][j] + d;") + "}"));
}

TEST_F(ColumnsTest, NothingToGain)
{
    EXPECT_FALSE(takes_eight(along(down("c[i][j] += w[k][j];"))));  // rows that lie on all threads
    EXPECT_FALSE(takes_eight(along(down("c[i][j] += x[k][j];"))));  // a plain matrix, for the back end
    EXPECT_FALSE(takes_eight(along(down("c[i][j] += b[j][k];"))));  // along rows, and each turn has another one
    EXPECT_FALSE(takes_eight(along("c[i][j] = b[i][j];")));
}

TEST_F(ColumnsTest, TurnsAreCountedInTheTypesOfTheProgram)
{
    std::string c = translate(along(down("c[i][j] += b[k][j];")));
    EXPECT_TRUE(has(c, "for (; (bn_i64)j + 7 < (bn_i64)(n); j += 8) {")) << c;
    c = translate("for (unsigned long q = 0; q < e; q++) { c[i][q] = 0; for (k = 0; k < m; k++) c[i][q] += b[k][q]; }");
    EXPECT_TRUE(has(c, "if ((bn_u64)q <= (bn_u64)(~(bn_u64)0 >> 0) - 7) for (; (bn_u64)q + 7 < (bn_u64)(e); q += 8)"))
        << c;
    EXPECT_FALSE(takes_eight("for (e = 0; e < n; e++) for (k = 0; k < m; k++) c[i][e] += b[k][e];"));
}

TEST_F(ColumnsTest, WhatIsNotWrittenIsNotWritten)
{
    std::string c = translate(along("for (k = 2; k <= m; k++) c[i][j] += b[k][j];"));
    EXPECT_TRUE(has(c, "if ((int)(2) <= (m)) for (; ")) << c;
    c = translate(along("c[i][j] = 1; for (k = 2; k <= m; k++) c[i][j] += b[k][j];"));
    EXPECT_FALSE(has(c, "(int)(2) <= (m)")) << c;
    EXPECT_TRUE(has(c, "double bn_2_c_0; ")) << c;  // nor is it read before
}

TEST_F(ColumnsTest, VariablesOutsideHaveTheLastValue)
{
    std::string c = translate(along("o = t; " + down("o += b[k][j];") + " c[i][j] = o;"));
    EXPECT_TRUE(has(c, "o = bn_2_o_7; ")) << c;
}

TEST_F(ColumnsTest, OnlyWhereAskedFor)
{
    std::string body = along(down("c[i][j] += b[k][j];"));
    Passes none = Passes::all();
    none.columns = false;
    EXPECT_FALSE(has(translate(body, none), " + 7 < "));
    EXPECT_FALSE(has(translate(body, Passes::all(), true), " + 7 < "));
}

}  // namespace
}  // namespace bn::lower
