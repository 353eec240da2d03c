// Calls of short functions in loops, which are written out (lower/helpers.h)
#include <string>

#include "forall_fixture.h"

namespace bn::lower {
namespace {

class HelpersTest : public ForallTest {
protected:
    // A loop over a[i] whose body is this statement, with these functions before it
    std::string loop(const std::string& functions, const std::string& statement)
    {
        functions_ = functions;
        return translate("upc_forall (i = 0; i < n; i++; &a[i]) { " + statement + " }");
    }

    bool is_written_out(const std::string& functions, const std::string& statement)
    {
        return loop(functions, statement).find("it(") == std::string::npos;
    }
};

TEST_F(HelpersTest, LoopsAreThoseOfTheExpressions)
{
    EXPECT_TRUE(has(loop("static int it(int e) { return a[e]; }", "b[i] = it(i);"), "bn_b_7[bn_row3] = (bn_a_6["));
    EXPECT_TRUE(has(loop("static int it(int e) { return a[e]; }", "b[i] = it(i + 1) + it(i);"), "bn_add_cyclic("));
    EXPECT_TRUE(has(loop("static inline void it(int e, int x) { b[e] = x; }", "it(i, a[i] + 1);"),
                    "(bn_b_7[bn_row3] = (bn_a_6[bn_row3] + 1));"));
    EXPECT_TRUE(has(loop("static inline int it(int e) { return e + 1; }", "b[i] = a[it(i)];"), "bn_a_6[bn_row3]"));
    EXPECT_TRUE(has(loop("static inline long it(long e) { return e + 1; }", "b[i] = a[it(i)];"), "bn_a_6[bn_row3]"));
    EXPECT_TRUE(has(
        loop("static int next(int e) { return e + 1; } static int it(int e) { return a[next(e)]; }", "b[i] = it(i);"),
        "bn_a_6[bn_row3]"));
    functions_ = "static int it(int line, int e) { return line * 4 + e; }";
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &u[it(i, 0)]) for (j = 0; j < 4; j++) u[it(i, j)] = 0;"),
                    "((int *)bn_u_6.addr)[(bn_i64)j] = 0;"));
}

TEST_F(HelpersTest, WhatIsWrittenOut)
{
    const char* const get = "static int it(int e) { return a[e]; }";
    EXPECT_TRUE(is_written_out(get, "if (it(i)) b[i] = 1;"));
    EXPECT_TRUE(is_written_out(get, "for (j = 0; j < 3; j++) b[i] += it(j);"));
    EXPECT_TRUE(is_written_out(get, "int k = it(b[i]); g(k);"));
    EXPECT_TRUE(is_written_out("static int it(void) { return a[MYTHREAD]; }", "b[i] = it();"));
    EXPECT_TRUE(is_written_out("static int it(int e) { return e * e; }", "b[i] = it(i);"));
    EXPECT_TRUE(is_written_out("static double it(double x) { return sqrt(x); }", "b[i] = it(i);"));
    EXPECT_TRUE(is_written_out("static double it(double x) { return x + 1; }", "b[i] = it(k ?: 2.5);"));
}

TEST_F(HelpersTest, WhatMightDifferIsLeftAlone)
{
    const char* const get = "static int it(int e) { return a[e]; }";
    for (const char* statement :
         {"b[i] = it(k++);", "b[i] = it(h());", "b[i] = (k = 3) + it(i);", "b[i] = sizeof it(i);",
          "int a[9]; a[1] = it(i);", "b[i] = ({ it(i); });", "int it(int); b[i] = it(i);"})
        EXPECT_FALSE(is_written_out(get, statement)) << statement;
    const char* const functions[] = {"int it(int e) { return a[e]; }",
                                     "static __attribute__((noinline)) int it(int e) { return a[e]; }",
                                     "static int it(int e) { return e++; }",
                                     "static int it(int e) { return h() + e; }",
                                     "static int it(int e) { return flags[e]; }",
                                     "static int it(volatile int e) { return e; }",
                                     "static volatile int seen; static int it(int e) { return seen + e; }",
                                     "static int it(int e) { return e > 0 ? it(e - 1) : 0; }",
                                     "static int it(int e, ...) { return e; }",
                                     "static int it(int e) { if (e) return 1; return 0; }",
                                     "static int it(e) int e; { return e; }",
                                     "static int it(int e) { return (int)sizeof(int[e]); }"};
    for (const char* function : functions)
        EXPECT_FALSE(is_written_out(function, "b[i] = it(i);")) << function;
    EXPECT_FALSE(is_written_out("static int it(int e) { return e * e; }", "b[i] = it(a[i]);")) << "reads a[i] twice";
    EXPECT_FALSE(is_written_out("static int it(int e) { return e * e; }", "b[i] = it(global) + h();"));
    EXPECT_TRUE(is_written_out("static int it(int e) { return e + 1; }", "b[i] = it(global) + h();"));
    EXPECT_FALSE(is_written_out("static double it(double x) { return x * 2.5; }", "b[i] = it(i) + 1;"))
        << "contraction";
    EXPECT_FALSE(is_written_out("static double it(double x) { return x + 1; }", "b[i] = it(2.5 * i);"));
    functions_ = get;
    EXPECT_TRUE(has(translate("b[k] = it(k);"), "it(k)")) << "not in a loop";
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &a[i]) b[i] = it(i);", {}), "it(i)"));
}

// Where an object has several declarations, the passes would take it for several objects.
TEST_F(HelpersTest, NamesAreThoseOfOneDeclaration)
{
    const std::string get = "extern shared int late[4*THREADS]; static int it(int e) { return late[e]; }";
    EXPECT_TRUE(is_written_out(get, "late[i] = it(i + 1);"));
    EXPECT_FALSE(is_written_out(get + "shared int late[4*THREADS];", "late[i] = it(i + 1);"));
}

TEST_F(HelpersTest, ConversionsAreKept)
{
    EXPECT_TRUE(
        has(loop("static int it(unsigned char e) { return e; }", "b[i] = it(i);"), "((int)(((unsigned char)(i)"));
    EXPECT_TRUE(has(loop("static char it(int e) { return e; }", "b[i] = it(i);"), "((char)((i)))"));
    EXPECT_TRUE(has(loop("struct bits { unsigned b : 3; }; static struct bits bits[9];"
                         "static unsigned it(int e) { return bits[e].b; }",
                         "b[i] = it(i) - 9 < 0;"),
                    "((unsigned int)(bits[(i)].b))"));
}

TEST_F(HelpersTest, PlainCStaysAsItIs)
{
    functions_ = "static int it(int e) { return e + 1; }";
    EXPECT_TRUE(has(translate("for (i = 0; i < n; i++) z[i] = it(i);"), "z[i] = it(i);"));
    EXPECT_FALSE(has(translate("for (i = 0; i < n; i++) z[i] = it(i) + MYTHREAD;"), "it(i)"));
    functions_ = "static int it(int e) { return a[e]; }";
    EXPECT_FALSE(has(translate("for (i = 0; i < n; i++) z[i] = it(i);"), "it(i)"));
}

// Looking at each function once for each call would take 2^60 steps.
TEST_F(HelpersTest, FunctionsThatCallShortOnesTwiceEndSoon)
{
    std::string functions = "static int f0(int e) { return e; }";
    for (int i = 1; i <= 60; i++) {
        std::string below = "f" + std::to_string(i - 1);
        functions +=
            " static int f" + std::to_string(i) + "(int e) { return " + below + "(e) + " + below + "(e + 1); }";
    }
    EXPECT_TRUE(has(loop(functions, "b[i] = f60(i) + f1(i);"), "bn_b_6[bn_row3] = ("));
}

// Nothing may call them now.
TEST_F(HelpersTest, FunctionsDrawNoWarningsOfBeingUnused)
{
    driver::TranslateOptions options;
    options.source_name = "t.upc";
    options.passes = {true, true};
    std::string c = driver::translate("shared int a[THREADS]; static int it(int e) { return e; }\n"
                                      "void f(void) { upc_forall (int i = 0; i < THREADS; i++; &a[it(i)]) a[i] = 1; }",
                                      options)
                        .c;
    EXPECT_TRUE(has(c, "__attribute__((__unused__)) static int it(int e)"));
}

}  // namespace
}  // namespace bn::lower
