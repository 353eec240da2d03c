// Which addresses are computed by calls (lower/outline.cc).  That they are right is tested by
// tests/programs/outlined_addresses.upc.
#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::lower {
namespace {

class OutlineTest : public ::testing::Test {
protected:
    std::string translate(const std::string& body, bool outline = true, const std::string& head = "double f(int n)")
    {
        driver::TranslateOptions options;
        options.source_name = "t.upc";
        options.passes = Passes::all();
        options.passes.outline = outline;
        std::string text = "shared double x[9*THREADS], one[THREADS]; shared [4] int b[8*THREADS], m[6*THREADS][2];"
                           "shared [4] int *p; shared double *q; shared [] int *whole; int i;\n" +
                           head + " { double d = 0; " + body + " return d; }\n";
        driver::TranslateResult result = driver::translate(text, options);
        EXPECT_TRUE(result.ok) << text << "\n" << result.messages;
        size_t start = result.c.find("{ double d");
        return result.c.substr(start, result.c.find("\nextern struct", start) - start);
    }

    static int count(const std::string& c, const std::string& part)
    {
        int n = 0;
        for (size_t at = c.find(part); at != c.npos; at = c.find(part, at + 1))
            ++n;
        return n;
    }

    int calls(const std::string& body) { return count(translate(body), "bn_outlined_"); }
};

TEST_F(OutlineTest, Forms)
{
    for (auto [upc, c] :
         {std::pair{"d = x[n];", "d = (*(double *)bn_outlined_elem_cyclic(x, (bn_u64)(n), sizeof(double)));"},
          std::pair{"b[n] = 1;", "(*(int *)bn_outlined_elem_block(b, (bn_u64)(n), 4, sizeof(int))) = 1;"},
          std::pair{"p = &b[n];", "p = bn_outlined_add_block(bn_start(b), (bn_i64)(n), 4, sizeof(int));"},
          std::pair{"q += n;", "(q = bn_outlined_add_cyclic(q, (bn_i64)(n), sizeof(double)));"},
          std::pair{"d = p[n];", "d = (*(int *)bn_outlined_add_block(p, (bn_i64)(n), 4, sizeof(int)).addr);"},
          std::pair{"d = m[n][1];",
                    "d = ((int *)bn_outlined_elem_block(m, (bn_u64)(n), 2, 2 * sizeof(int)))[(bn_i64)(1)];"}})
        EXPECT_EQ(count(translate(std::string("upc_barrier; ") + upc), c), 1) << upc;
    EXPECT_EQ(calls("upc_barrier; p++;"), 1);
    EXPECT_EQ(calls("upc_barrier; for (i = 0; i < 16; i++) p++;"), 1);
    for (const char* limit : {"i < 17", "i <= 16", "i < 9223372036854775807", "i <= 9223372036854775807"})
        EXPECT_EQ(calls("upc_barrier; for (i = 0; " + std::string(limit) + "; i++) p++;"), 0) << limit;
    for (const char* inlined :
         {"d = whole[n];", "d = one[n];", "d = *q;", "d = p - &b[0];", "d = b[7] + m[3][1];", "p += 5;"})
        EXPECT_EQ(calls(std::string("upc_barrier; ") + inlined), 0) << inlined;
}

TEST_F(OutlineTest, InFunctionsForAllThreadsOnly)
{
    for (const char* phase : {"upc_barrier; ", "upc_notify; upc_wait; ", "if (n) { upc_barrier; } ",
                              "upc_forall (i = 0; i < n; i++; i) d++; "})
        EXPECT_EQ(calls(std::string(phase) + "d = b[n];"), 1) << phase;
    for (const char* other : {"", "for (i = 0; i < n; i++) d++; ", "upc_forall (i = 0; i < n; i++; continue) d++; ",
                              "upc_fence; ", "while (n--) ; ", "upc_barrier; again: if (d++ < n) goto again; "})
        EXPECT_EQ(calls(std::string(other) + "d = b[n];"), 0) << other;
    EXPECT_EQ(count(translate("d = b[n];", true, "int n; int main(void)"), "bn_outlined_"), 1);
    EXPECT_EQ(calls("upc_barrier; d = b[MYTHREAD * 4 + n];"), 1);
    EXPECT_EQ(count(translate("upc_barrier; d = b[MYTHREAD * 4 + n];"), "bn_elem_mine("), 0);
    EXPECT_EQ(count(translate("d = b[MYTHREAD * 4 + n];"), "bn_elem_mine("), 1);
}

TEST_F(OutlineTest, OutsideOfLoopsOnly)
{
    for (const char* loop :
         {"for (i = 0; i < n; i++) d += b[i];", "for (i = 0; i < b[n]; i++) ;", "for (i = 0; i < n; i += b[n]) ;",
          "while (b[n]) ;", "do d += b[n]; while (d);", "do ; while (b[n]);", "for (i = 0; i < n; i++) if (b[n]) d++;",
          "upc_forall (i = 0; i < n; i++; &x[i]) d += b[7];"})
        EXPECT_EQ(calls(std::string("upc_barrier; ") + loop), 0) << loop;
    for (const char* first : {"for (i = b[n]; i < n; i++) d += b[i];", "for (p = &b[n]; n; n--, p++) d += *p;",
                              "for (int k = b[n]; k < n; k++) ;", "upc_forall (i = b[n]; i < n; i++; &x[i]) d++;",
                              "while (n--) ; d = b[n];", "switch (n) { case 1: d = b[n]; }",
                              "for (i = b[n]; i < n; i++) for (int k = b[n]; k < n; k++) d += b[k];"})
        EXPECT_EQ(calls(std::string("upc_barrier; ") + first), 1) << first;
}

TEST_F(OutlineTest, NotWithoutThePass)
{
    EXPECT_EQ(count(translate("upc_barrier; d = b[n]; p = &b[n];", false), "bn_outlined_"), 0);
}

}  // namespace
}  // namespace bn::lower
