// Which loops are marked for the back end as having independent iterations (lower/independence.h).  That the results
// are right is tested by tests/programs and tests/random/loops.py.
#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::lower {
namespace {

const char* const kIndependenceDeclarations =
    "shared double a[8*THREADS], b[8*THREADS], c[8*THREADS]; shared [16] double u[32*THREADS], v[32*THREADS];"
    "shared [] double w[9], x[9]; shared struct { double y; int z[4]; int bits : 3; } st[8*THREADS]; shared [4] int "
    "r[8*THREADS][4], s[8*THREADS][4];shared double total; strict shared double flag[8*THREADS]; double global, "
    "table[9]; volatile double device;double sqrt(double); double h(void);\n";

class IndependenceTest : public ::testing::Test {
protected:
    static std::string translate(const std::string& body, Passes passes, bool far_threads = false)
    {
        driver::TranslateOptions options;
        options.source_name = "t.upc";
        options.passes = passes;
        options.far_threads = far_threads;
        std::string text =
            std::string(kIndependenceDeclarations) +
            "double f(int n, int k, shared double *p, double *z, double t) { int i, j = 0; double l[4]; double sum = "
            "0; " +
            body + " return sum + j + l[0]; }\n";
        driver::TranslateResult result = driver::translate(text, options);
        EXPECT_TRUE(result.ok) << text << "\n" << result.messages;
        EXPECT_TRUE(result.has_own_loops) << text;
        return result.c;
    }

    static bool is_told(const std::string& body, bool far_threads = false)
    {
        return translate(body, Passes::all(), far_threads).find("\n#pragma GCC ivdep\n") != std::string::npos;
    }

    static std::string over(const std::string& affinity, const std::string& body)
    {
        return "upc_forall (i = 0; i < n; i++; &" + affinity + ") " + body;
    }
};

TEST_F(IndependenceTest, NamedArraysAtTheUnitOfTheAffinity)
{
    EXPECT_TRUE(is_told(over("a[i]", "a[i] = b[i] + 3 * c[i];")));
    EXPECT_TRUE(is_told(over(
        "a[i + 1]", "{ double d = sqrt(b[i + 1]); if (d > 0) a[i + 1] += d * THREADS + table[k]; else continue; }")));
    EXPECT_TRUE(is_told("upc_forall (i = n; i > k; i -= 3; i) a[i] = (int)b[i] ? t : l[0];"));
    EXPECT_TRUE(is_told(over("u[i]", "u[i] = v[i - 1] + v[i + 1];")));
    EXPECT_TRUE(is_told(over("u[i]", "{ u[i] = v[(i * 5) % n]; sum += u[i]; j++; }")));
    EXPECT_TRUE(is_told(over("st[i]", "{ st[i].y = b[i]; st[i].z[k] = 1; st[i].bits ^= 1; }")));
    EXPECT_TRUE(is_told(over("r[i][0]", "r[i][0] = s[i][1] + r[i][3] + s[i + 1][2];")));
}

TEST_F(IndependenceTest, AnotherUnitOfWhatIsWritten)
{
    EXPECT_FALSE(is_told(over("u[i]", "u[i] = v[i] + u[i - 1];")));
    EXPECT_FALSE(is_told(over("u[i]", "{ u[i] = v[i]; u[i + 1] = 0; }")));
    EXPECT_FALSE(is_told(over("u[i]", "u[i] = v[i] + u[(i * 5) % n];")));
    EXPECT_FALSE(is_told(over("u[i]", "v[k] = u[i];")));
    EXPECT_FALSE(is_told(over("u[i]", "a[i] = u[i];")));
    EXPECT_FALSE(is_told(over("r[i][0]", "r[i][0] = s[i][1] + r[i + 1][3];")));
}

TEST_F(IndependenceTest, MemoryThatMayBeAnywhere)
{
    EXPECT_FALSE(is_told(over("a[i]", "a[i] = b[i] + p[i];")));
    EXPECT_FALSE(is_told(over("a[i]", "a[i] = b[i] + *p;")));
    EXPECT_FALSE(is_told(over("a[i]", "a[i] = b[i] + z[i];")));
    EXPECT_FALSE(is_told(over("a[i]", "{ a[i] = b[i]; *z = 0; }")));
    EXPECT_FALSE(is_told(over("a[i]", "{ a[i] = b[i]; l[i % 4] = 1; }")));
    EXPECT_FALSE(is_told(over("a[i]", "{ double *q = l; a[i] = b[i] + *q; }")));
    EXPECT_FALSE(is_told(over("a[i]", "{ a[i] = b[i]; global += 1; }")));
    EXPECT_FALSE(is_told(over("a[i]", "{ a[i] = b[i]; total += b[i]; }")));
    EXPECT_FALSE(is_told("double *q = &sum; " + over("a[i]", "{ a[i] = b[i]; sum += *q; }")));
    EXPECT_FALSE(is_told("double *q = &sum; " + over("a[i]", "{ a[i] = b[i]; sum += b[i]; }") + " sum += *q;"));
    EXPECT_FALSE(is_told(over("p[i]", "p[i] = b[i] + c[i];")));
}

TEST_F(IndependenceTest, OrderThatIsToBeKept)
{
    EXPECT_FALSE(is_told(over("a[i]", "a[i] = b[i] + flag[i];")));
    EXPECT_FALSE(is_told(over("a[i]", "a[i] = b[i] + device;")));
    EXPECT_FALSE(is_told(over("a[i]", "a[i] = b[i] + h();")));
    EXPECT_FALSE(is_told(over("a[i]", "{ a[i] = b[i]; upc_fence; }")));
    EXPECT_FALSE(is_told(over("a[i]", "for (j = 0; j < 3; j++) a[i] += b[i];")));
    EXPECT_FALSE(is_told("upc_forall (i = 0; i < k; i++; &a[i]) { a[i] = b[i]; k -= 1; }"));
}

TEST_F(IndependenceTest, WhereTheBackEndNeedsNoHelp)
{
    EXPECT_FALSE(is_told(over("a[i]", "a[i] = 2 * a[i];")));
    EXPECT_FALSE(is_told(over("a[i]", "sum += 1;")));
}

TEST_F(IndependenceTest, OtherUnitsMayBeOnOtherNodes)
{
    EXPECT_TRUE(is_told(over("a[i]", "a[i] = b[i] + 3 * c[i];"), true));
    EXPECT_FALSE(is_told(over("u[i]", "u[i] = v[i - 1] + v[i + 1];"), true));
}

TEST_F(IndependenceTest, HasASwitch)
{
    Passes passes = Passes::all();
    passes.independent = false;
    EXPECT_EQ(translate(over("a[i]", "a[i] = b[i];"), passes).find("#pragma"), std::string::npos);
}

TEST_F(IndependenceTest, TheLineIsKnownBehindThePragma)
{
    std::string c = translate("\n\n" + over("a[i]", "a[i] = b[i];"), Passes::all());
    EXPECT_NE(c.find("\n#pragma GCC ivdep\n# 4 \"t.upc\"\nfor (; "), std::string::npos) << c;
}

}  // namespace
}  // namespace bn::lower
