// Which strict reads need a full fence before them: B where they have one, S where the thread is settled, F for other
// full fences in front of accesses or loops, in the order of the text.  That fewer fences suffice is tested by
// tests/random/fences.py.
#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::lower {
namespace {

class FencesTest : public ::testing::Test {
protected:
    // The C of a function with this body
    std::string translate(const std::string& body, bool is_on = true, const std::string& functions = "")
    {
        driver::TranslateOptions options;
        options.source_name = "t.upc";
        options.passes = {true, true, is_on};
        driver::TranslateResult result = driver::translate(
            "strict shared int s, t; shared int x; shared [] strict int v[8]; strict shared struct { int low : 3; } b;"
            "strict shared int *shared strict q;"
            "void g(void); double sqrt(double); int sched_yield(void); void upc_poll(void);"
            "void f(int n, int *p) { int r, own[3]; " +
                body + "}\n" + functions,
            options);
        EXPECT_TRUE(result.ok) << body << "\n" << result.messages;
        return result.c;
    }

    std::string fences(const std::string& body, bool is_on = true, const std::string& functions = "")
    {
        std::string c = translate(body, is_on, functions);
        std::string found;
        for (size_t at = 0; (at = c.find("bn_", at)) != std::string::npos; ++at) {
            std::string_view rest = std::string_view(c).substr(at);
            found += rest.starts_with("bn_before_strict_read") ? "B"
                     : rest.starts_with("bn_before_settled_")  ? "S"
                     : rest.starts_with("bn_fence()")          ? "F"
                                                               : "";
        }
        return found;
    }
};

TEST_F(FencesTest, AStrictAccessSettlesWhatFollows)
{
    EXPECT_EQ(fences("s = 1; r = t;"), "S");
    EXPECT_EQ(fences("r = s; r = t;"), "BS");
    EXPECT_EQ(fences("upc_fence; r = t;"), "FS");
    EXPECT_EQ(fences("upc_notify; r = t; upc_wait; r = s;"), "SS");
    EXPECT_EQ(fences("s += 1; t++; r = s;"), "FFSFS");
    EXPECT_EQ(fences("b.low = 1; ++b.low; q++; r = *q;"), "SFSFSS");
    EXPECT_EQ(fences("r = s; r = t;", false), "BB");
    EXPECT_EQ(fences("while (!s) ;", false), "B");
}

TEST_F(FencesTest, WhatMayWriteSharedMemoryUnsettles)
{
    for (const char* write : {"x = 1;", "x++;", "g();", "upc_poll();", "*p = 1;", "p[2] = 1;",
                              "int *z = own; z[0] = 1;", "__asm__(\"\");", "again: ;"})
        EXPECT_EQ(fences(std::string("s = 1; ") + write + " r = t;"), "B") << write;
    for (const char* other :
         {"n = x;", "own[n] = x;", "n++;", "struct { int m[2]; } z; z.m[1] = 2;", "n = (int)sqrt(n);", "sched_yield();",
          "upc_wait;", "n = *p;", "p = own;", "(void)sizeof(x = 1, own);", "static int z = 1; z = 2;"})
        EXPECT_EQ(fences(std::string("s = 1; ") + other + " r = t;"),
                  std::string(other).find("sizeof") == std::string::npos ? "S" : "B")
            << other;
    EXPECT_EQ(fences("s = 1; int z __attribute__((cleanup(g))); r = t;"), "B");
}

// Another thread of OpenMP may execute a statement instead of this one, which may execute any task.
TEST_F(FencesTest, PragmasOfOpenMPUnsettle)
{
    for (const char* pragma : {"omp single nowait", "omp master", "omp task", "omp critical"})
        EXPECT_EQ(fences("x = 1;\n#pragma " + std::string(pragma) + "\n{ s = 1; r = t; } r = t;"), "SB") << pragma;
    EXPECT_EQ(fences("s = 1;\n#pragma omp taskwait\nr = t;"), "B");
    EXPECT_EQ(fences("{ s = 1;\n#pragma omp barrier\n} r = t;"), "B");
    EXPECT_EQ(fences("s = 1; ({ n++;\n#pragma omp taskwait\n}); r = t;"), "B");
    EXPECT_EQ(fences("x = 1;\n#pragma omp taskloop\nfor (int i = 0; i < 8; i++) r += v[i];"), "B");
    for (const char* pragma : {"omp atomic", "omp simd", "omp flush", "GCC ivdep"})
        EXPECT_EQ(fences("s = 1;\n#pragma " + std::string(pragma) + "\nfor (n = 0; n < 4; n++) r++; r = t;"), "S")
            << pragma;
}

// Each function of a library may be the program's own.
TEST_F(FencesTest, FunctionsOfTheProgramMayWrite)
{
    const std::string locks = "typedef shared struct lock lock_t; void upc_lock(lock_t *); void upc_unlock(lock_t *); "
                              "int upc_lock_attempt(lock_t *); unsigned long upc_ticks_now(void); ";
    for (const char* call : {"upc_lock(0);", "upc_unlock(0);", "upc_lock_attempt(0);", "upc_ticks_now();"})
        EXPECT_EQ(fences(locks + "s = 1; " + call + " r = t;"), "B") << call;
    for (const char* own : {"double sqrt(double z) { x = (int)z; return z; }",
                            "double sqrt(double); double sqrt(double z) { x = 1; return z; }",
                            "# 9 \"mine.h\"\ndouble sqrt(double z) { x = 1; return z; }"})
        EXPECT_EQ(fences("s = 1; n = (int)sqrt(n); r = t;", true, own), "B") << own;
    EXPECT_EQ(
        fences("s = 1; n = (int)sqrt(n); r = t;", true, "# 9 \"math.h\" 1 3\ndouble sqrt(double z) { return z; }\n"),
        "S");
    EXPECT_EQ(fences("s = 1; n = (int)sqrt(n); r = t;", true, "double cbrt(double z) { x = 1; return z; }"), "S");
}

TEST_F(FencesTest, OperandsInAnyOrder)
{
    EXPECT_EQ(fences("r = s + t;"), "BB");
    EXPECT_EQ(fences("s = 1; r = t + (x = 2) + s;"), "BB");
    EXPECT_EQ(fences("s = 1; x = t; r = t;"), "SB");
    EXPECT_EQ(fences("s = 1; r = v[x = 1]; r = s;"), "BS");
    EXPECT_EQ(fences("s = 1; r = v[t];"), "SS");
    EXPECT_EQ(fences("s = 1; r = s && t;"), "SS");
    EXPECT_EQ(fences("s = 1; r = (x = 1) && t; r = t;"), "BB");
    EXPECT_EQ(fences("s = 1; r = (x = 1, s), r = t;"), "BS");
    EXPECT_EQ(fences("s = 1; r = n ? s : (x = 1); r = t;"), "SB");
    EXPECT_EQ(fences("s = 1; r = ({ x = 1; int z = s; z; }) + t;"), "BB");
}

// What the operands write is behind the fence, not between it and the access.
TEST_F(FencesTest, OperandsComeBeforeTheFence)
{
    for (const char* body :
         {"r = v[(g(), 1)];", "v[(g(), 1)] = 2;", "v[(g(), 1)] += 2;", "v[(g(), 1)]++;", "s += (g(), 2);",
          "q += (g(), 2);", "r = (&b + (g(), 0))->low;", "(&b + (g(), 0))->low = 1;", "b.low -= (g(), 1);"}) {
        for (bool is_on : {true, false}) {
            std::string c = translate(std::string("s = 1; ") + body, is_on);
            size_t strict = c.find("bn_after_strict_write");
            size_t call = c.find("g()", strict);
            EXPECT_EQ(c.find("bn_fence(", strict) < call || c.find("bn_before_", strict) < call, false) << c;
            EXPECT_EQ(c.find("settled", strict), std::string::npos) << c;
        }
    }
    EXPECT_EQ(fences("s = 1; s += (x = 1); r = t;"), "FFS");
    EXPECT_EQ(fences("s = 1; v[x = 1]++;"), "FF");
}

TEST_F(FencesTest, Branches)
{
    EXPECT_EQ(fences("s = 1; if (n) x = 1; else n = 2; r = t;"), "B");
    EXPECT_EQ(fences("if (n) s = 1; else t = 2; r = t;"), "S");
    EXPECT_EQ(fences("if (n) s = 1; r = t;"), "B");
    EXPECT_EQ(fences("s = 1; switch (n) { case 1: x = 1; case 2: r = t; break; default: r = t; }"), "BS");
    EXPECT_EQ(fences("switch (n) { case 1: s = 1; break; default: s = 2; } r = t;"), "B");
    EXPECT_EQ(fences("x = 1; switch (n) { case 1: r = t; }"), "B");
    EXPECT_EQ(fences("s = 1; for (;;) { if (n) { x = 1; break; } n++; r = s; } r = t;"), "SB");
    EXPECT_EQ(fences("s = 1; if (n) { x = 1; return; } r = t;"), "S");
    EXPECT_EQ(fences("s = 1; if (n) { x = 1; goto out; } r = t; out: r = t;"), "SB");
}

TEST_F(FencesTest, LoopsThatReadFirstHaveTheirFenceBeforeThem)
{
    EXPECT_EQ(fences("while (!s) ;"), "FS");
    EXPECT_EQ(fences("while (!s) sched_yield();"), "FS");
    EXPECT_EQ(fences("while (!s) upc_poll();"), "B") << "it may be the program's own, and write";
    EXPECT_EQ(fences("while (s != 1 && t == 2) ;"), "FSS");
    EXPECT_EQ(fences("do ; while (!s);"), "FS");
    EXPECT_EQ(fences("for (;;) { if (s) break; }"), "FS");
    EXPECT_EQ(fences("for (int i = 0; i < 8; i++) r += v[i];"), "FS");
    EXPECT_EQ(fences("s = 1; while (!t) ;"), "S");
    EXPECT_EQ(fences("while (!s) { while (!t) ; }"), "FSS");
    EXPECT_EQ(fences("while (!s) x = 1;"), "B");
    EXPECT_EQ(fences("while (!s) { x = 1; while (!t) ; }"), "FSFS");
    EXPECT_EQ(fences("while (!s) { if (n) { x = 1; continue; } n++; }"), "B");
    EXPECT_EQ(fences("for (x = 1; s; n++) ;"), "B");
    EXPECT_EQ(fences("while (n--) { if (n & 1) r = s; }"), "B");
    EXPECT_EQ(fences("while (n--) { s = 1; r = t; }"), "S");
    EXPECT_EQ(fences("if (n) while (!s) ; else r = t;"), "FSB");
    EXPECT_EQ(fences("switch (n) do { case 1: r = s; } while (!t);"), "BS");
    EXPECT_EQ(fences("upc_forall (int i = 0; i < 8; i++; i) { r += s; while (!t) ; }"), "BSBS");
}

}  // namespace
}  // namespace bn::lower
