// Loops that fetch far elements by index before reading them (lower/gather.h), and loops where that would be wrong.
// That the results are the same is tested by tests/programs/far_gather.upc.
#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::lower {
namespace {

class GatherTest : public ::testing::Test {
protected:
    static std::string translate(const std::string& body, Passes passes = Passes::all(), bool far_threads = true,
                                 bool ignores_types = false)
    {
        driver::TranslateOptions options;
        options.source_name = "t.upc";
        options.passes = passes;
        options.far_threads = far_threads;
        options.ignores_types = ignores_types;
        std::string text =
            "shared double x[99*THREADS], z[99*THREADS]; strict shared double s[99*THREADS]; extern int "
            "global; void h(int *); shared int ix[99*THREADS]; shared struct { int a, b; } st[THREADS]; void g(int); "
            "union number { int n; double d; }; extern shared union number us[THREADS];"
            "double sqrt(double);\n"
            "double f(int n, const int *c, double *y, int *o, shared double *p) { int k, i; double t = 0; " +
            body + " return t; }\n";
        driver::TranslateResult result = driver::translate(text, options);
        EXPECT_TRUE(result.ok) << text << "\n" << result.messages;
        return result.c;
    }

    static bool gathers(const std::string& body) { return translate(body).find("bn_gather_add(") != std::string::npos; }
};

TEST_F(GatherTest, ReadsByIndexAreFetchedBefore)
{
    for (const char* body :
         {"for (k = 0; k < n; k++) t += y[k] * x[c[k]];", "for (k = 0; k <= n; ++k) y[k] = x[c[k] + 1];",
          "for (int j = 2; j < n; j++) { double v = sqrt(x[c[j]]); t += v; }",
          "for (k = 0; k < n; k++) z[k] = x[c[k]];", "for (k = 0; k < n; k++) t += p[c[k]];",
          "for (k = 0; k < n; k++) t += x[k * k % 99];", "for (k = 0; k < n; k++) t += x[ix[k]];",
          "for (k = 0; k < c[n]; k++) t += *(x + c[k]);",
          "for (k = 0; k < n; k++) { t += x[c[k]]; for (i = 0; i < 3; i++) t *= 2; }",
          "for (k = 0; k < n; k++) { double v = x[c[k]];\n#pragma omp atomic\nt += v; }",
          "int to[9], by[9]; h(to); h(by); for (k = 0; k < n; k++) to[k] = x[by[k]];",
          "int to[9]; h(to); for (k = 0; k < n; k++) to[k] = x[ix[k]];"})
        EXPECT_TRUE(gathers(body)) << body;
}

TEST_F(GatherTest, WhatMayChangeIsNot)
{
    for (const char* body :
         {"for (k = 0; k < n; k++) x[c[k]] = x[c[k]] + 1;", "for (k = 0; k < n; k++) p[k] = x[c[k]];",
          "for (k = 0; k < n; k++) { t += x[c[k]]; o[k] = 0; }", "for (k = 0; k < n; k++) { t += x[c[k]]; c++; }",
          "for (k = 0; k < n; k++) { t += x[c[k]]; n--; }", "for (k = 0; k < n; k++) { t += p[c[k]]; p++; }",
          "for (k = 0; k < n; k++) { t += x[ix[k]]; ix[k] = 0; }", "for (k = 0; k < n; k++) { t += x[c[k]]; k++; }",
          "for (k = 0; k < global; k++) { t += x[c[k]]; *o = 1; }",
          "int own[9]; h(own); for (k = 0; k < n; k++) { t += x[own[k]]; own[k + 1] = 0; }",
          "int own[9], *q = own; for (k = 0; k < n; k++) { t += x[q[k]]; own[k] = 0; }",
          "for (k = 0; k < n; k++) { t += x[((const char *)c)[k]]; o[k] = 0; }",
          "for (k = 0; k < n; k++) { t += x[ix[k]]; us[k].d = 0; }",
          "for (k = 0; k < n; k++) { t += x[((union number *)c)[k].n]; y[k] = 0; }"})
        EXPECT_FALSE(gathers(body)) << body;
}

// With -fno-strict-aliasing y may point to indices.
TEST_F(GatherTest, TypesCountOnlyWhereTheyAreStrict)
{
    for (bool ignores_types : {false, true})
        EXPECT_NE(translate("for (k = 0; k < n; k++) y[k] = x[c[k]];", Passes::all(), true, ignores_types)
                          .find("bn_gather_add(") != std::string::npos,
                  ignores_types);
}

TEST_F(GatherTest, WhatMayNotBeReadIsNot)
{
    for (const char* body :
         {"for (k = 0; k < n; k++) if (c[k] > 0) t += x[c[k]];", "for (k = 0; k < n; k++) t += c[k] > 0 ? x[c[k]] : 0;",
          "for (k = 0; k < n; k++) t += c[k] > 0 && x[c[k]] > 0;",
          "for (k = 0; k < n; k++) { t += x[c[k]]; if (t > 9) break; }",
          "for (k = 0; k < n; k++) { if (c[k] < 0) continue; t += x[c[k]]; }",
          "for (k = 0; k < n; k++) { if (t > 9) return 0; t += x[c[k]]; }",
          "for (k = 0; k < n; k++) t += x[c[global++]];",
          "for (k = 0; k < n; k++) t += x[((const volatile int *)c)[k]];",
          "for (k = 0; k < n; k++) t += x[((const _Atomic int *)c)[k]];"})
        EXPECT_FALSE(gathers(body)) << body;
}

TEST_F(GatherTest, OrderIsKept)
{
    for (const char* body :
         {"for (k = 0; k < n; k++) { t += x[c[k]]; upc_fence; }",
          "for (k = 0; k < n; k++) { t += x[c[k]]; upc_barrier; }", "for (k = 0; k < n; k++) t += x[c[k]] + s[k];",
          "for (k = 0; k < n; k++) t += s[c[k]];", "for (k = 0; k < n; k++) { t += x[c[k]]; g(k); }",
          "for (k = 0; k < n; k++) { t += x[c[k]];\n#pragma omp barrier\n}",
          "for (k = 0; k < n; k++) { int v = x[c[k]];\n#pragma omp critical\nt += v; }"})
        EXPECT_FALSE(gathers(body)) << body;
}

TEST_F(GatherTest, OnlyWhereItHelps)
{
    EXPECT_FALSE(gathers("for (k = 0; k < n; k++) t += x[k];"));  // runs share messages anyhow
    EXPECT_FALSE(gathers("for (k = 0; k < n; k++) t += y[c[k]];"));
    std::string body = "for (k = 0; k < n; k++) t += x[c[k]];";
    EXPECT_EQ(translate(body, Passes::all(), false).find("bn_gather"), std::string::npos);
    EXPECT_EQ(translate(body, Passes{}).find("bn_gather"), std::string::npos);
}

}  // namespace
}  // namespace bn::lower
