// Which upc_forall loops need the form for calls from within another upc_forall, and what that form is.
#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::lower {
namespace {

class NestingTest : public ::testing::Test {
protected:
    std::string translate(const std::string& text)
    {
        driver::TranslateOptions options;
        options.source_name = "t.upc";
        options.passes = {true, true};
        driver::TranslateResult result =
            driver::translate("shared int a[4*THREADS]; shared [3] int b[3*THREADS];\n" + text, options);
        EXPECT_TRUE(result.ok) << text << "\n" << result.messages;
        return result.c;
    }

    // Whether the loop in `static void f(void)` has one form alone, with `others` behind it
    bool has_one_form(const std::string& others, const std::string& head = "static void f(void)")
    {
        std::string c =
            translate("static void f(void);\n" + head +
                      " { int i; upc_forall (i = 0; i < 4*THREADS; i++; &a[i]) a[i] = b[i]; }\n" + others + "\n");
        bool has_second = c.find("bn_cold_elem_block(b, ") != std::string::npos;
        EXPECT_EQ(has_second, c.find("bn_forall_depth") != std::string::npos) << c;
        EXPECT_EQ(has_second, c.find(" == 0) { ") != std::string::npos) << c;
        return !has_second;
    }
};

TEST_F(NestingTest, StaticFunctionsThatMainCallsAlwaysControl)
{
    EXPECT_TRUE(has_one_form("int main(void) { f(); return 0; }"));
    EXPECT_TRUE(has_one_form("int main(void) { f(); return MYTHREAD; }"));
    EXPECT_TRUE(has_one_form("static void g(void) { f(); } int main(void) { g(); return 0; }"));
    EXPECT_TRUE(has_one_form("static void g(int n) { if (n) g(n - 1); f(); } int main(void) { g(3); return 0; }"));
    EXPECT_TRUE(has_one_form("int main(void) { int i; upc_forall (i = 0; i < 3; i++; continue) f(); return 0; }"));
    EXPECT_TRUE(has_one_form("", "int main(void)"));
}

TEST_F(NestingTest, OthersMayBeCalledFromWithinAForall)
{
    EXPECT_FALSE(has_one_form("", "void f(void)"));
    EXPECT_FALSE(has_one_form("void g(void) { f(); }"));
    EXPECT_FALSE(has_one_form("int main(void) { int i; upc_forall (i = 0; i < 3; i++; i) f(); return 0; }"));
    EXPECT_FALSE(has_one_form(
        "static void g(void) { f(); } int main(void) { int i; upc_forall (i = 0; i < 3; i++; i) g(); return 0; }"));
    EXPECT_FALSE(has_one_form(
        "static void h(void); static void g(void) { h(); } static void h(void) { f(); g(); } void k(void) { g(); }"));
}

// Whole blocks, and all that lies on one thread, are the same addresses for whoever goes over them.
TEST_F(NestingTest, LoopsOverBlocksHaveOneFormAllTheSame)
{
    for (const char* affinity : {"&b[i]", "i / 5", "&b[7]", "MYTHREAD"}) {
        std::string c = translate("void f(void) { int i; upc_forall (i = 0; i < 3*THREADS; i++; " +
                                  std::string(affinity) + ") b[i] = a[i]; }");
        EXPECT_EQ(c.find("bn_cold_"), std::string::npos) << c;
        EXPECT_EQ(c.find(" == 0) { "), std::string::npos) << c;
        EXPECT_NE(c.find("bn_outer1 "), std::string::npos) << c;
        EXPECT_EQ(c.find(" else for"), std::string::npos) << c;
    }
    std::string c = translate("void f(shared [3] int *p) { int i; upc_forall (i = 0; i < 3; i++; &p[i]) p[i] = 0; }");
    EXPECT_NE(c.find("if (bn_outer1 == 0 && (p.thread | p.phase) == 0) { "), std::string::npos) << c;
}

TEST_F(NestingTest, SoMayThoseWhoseNameIsUsedOtherwise)
{
    EXPECT_FALSE(has_one_form("int main(void) { void (*g)(void) = f; g(); return 0; }"));
    EXPECT_FALSE(has_one_form("void (*g)(void) = f;"));
    EXPECT_FALSE(has_one_form("void g(void) __attribute__((alias(\"f\")));"));
    EXPECT_FALSE(has_one_form("int main(void) { void g(void) { f(); } g(); return MYTHREAD; }"));
}

TEST_F(NestingTest, TheDepthIsKeptForWhatIsCalledFromTheLoop)
{
    std::string c = translate(
        "void g(int); int main(void) { int i; upc_forall (i = 0; i < 4*THREADS; i++; &a[i]) g(i); return 0; }");
    EXPECT_NE(c.find("bn_forall_enter()"), std::string::npos) << c;
    EXPECT_EQ(c.find(" == 0) { "), std::string::npos) << c;
    c = translate("int main(void) { int i, j, k = 0; upc_forall (i = 0; i < 4*THREADS; i++; &a[i])"
                  " upc_forall (j = 0; j < 3; j++; k++) a[i] = j; return k; }");
    EXPECT_NE(c.find("bn_outer1 __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter()"), std::string::npos)
        << c;
}

// The index of the row stands in the body as well, of which there is one form.
TEST_F(NestingTest, RowsOfOtherArraysAreLoweredInTheOneForm)
{
    std::string c = translate(
        "shared [2] int r[4*THREADS][2]; int main(void) { int i; upc_forall (i = 0; i < "
        "4*THREADS; i++; &a[4*THREADS - 1 - i]) a[4*THREADS - 1 - i] = r[4*THREADS - i - 1][0] + r[4*THREADS - i - "
        "1][1]; return 0; }");
    c.erase(c.find("bn_declared[] = "));  // which has types as text
    EXPECT_EQ(c.find("*THREADS"), std::string::npos) << c;
}

TEST_F(NestingTest, PointersKeepTheTest)
{
    std::string c = translate(
        "int main(void) { shared int *p = a; int i; upc_forall (i = 0; i < 4; i++; &p[i]) p[i] = b[i]; return 0; }");
    EXPECT_NE(c.find("if ((p.thread | p.phase) == 0) { "), std::string::npos) << c;
    EXPECT_NE(c.find("else for (; i < 4; i++) if (bn_here_pts("), std::string::npos) << c;
    EXPECT_EQ(c.find("bn_cold_"), std::string::npos) << c;
}

}  // namespace
}  // namespace bn::lower
