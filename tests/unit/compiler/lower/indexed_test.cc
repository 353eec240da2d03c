// Loops that read indices from memory or compute them (lower/indexed.cc): which elements get the short address, and
// which loops are emitted twice. That the addresses are right is tested by tests/programs/indexed_elements.upc.
#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::lower {
namespace {

class IndexedTest : public ::testing::Test {
protected:
    static Passes without_unrolling()
    {
        Passes passes = Passes::all();
        passes.unroll = false;
        return passes;
    }

    std::string translate(const std::string& body, int static_threads = 0, Passes passes = without_unrolling(),
                          bool far_threads = false)
    {
        driver::TranslateOptions options;
        options.source_name = "t.upc";
        options.passes = passes;
        options.static_threads = static_threads;
        options.far_threads = far_threads;
        std::string text = "shared double x[9*THREADS], y[9*THREADS]; shared int next[9*THREADS], one[THREADS]; shared "
                           "[4] int b[8*THREADS];shared struct { int n; } s[9*THREADS]; int col[99]; void g(void); "
                           "unsigned hash(unsigned);\n"
                           "void take(shared double **);\n"
                           "static shared double *own, *set = x; shared double *seen, *volatile unsure;\n"
                           "shared [] double *whole; shared [4] int *blocks; shared [*] int part[9*THREADS];\n"
                           "double f(int n, shared double *p, int *list) { int i, k, j = 0; double d = 0; " +
                           body + " return d; }\n";
        driver::TranslateResult result = driver::translate(text, options);
        EXPECT_TRUE(result.ok) << text << "\n" << result.messages;
        size_t start = result.c.find("double f(");
        size_t end = result.c.find("\nextern struct", start);
        return result.c.substr(start, end - start);
    }

    static int count(const std::string& c, const std::string& part)
    {
        int n = 0;
        for (size_t at = c.find(part); at != c.npos; at = c.find(part, at + 1))
            ++n;
        return n;
    }
};

TEST_F(IndexedTest, LoopsStandForOneThreadForPowersOfTwoAndForOthers)
{
    std::string c = translate("for (k = 0; k < n; k++) d += x[col[k]];");
    EXPECT_NE(
        c.find("{ if (bn_threads() == 1) { for (k = 0; k < n; k++) d += (*(double *)bn_elem_indef(x, "
               "(bn_u64)(col[k]), sizeof(double))); } else if (bn_threads_shift() >= 0) { for (k = 0; k < n; k++) "
               "d += (*(double *)bn_indexed_cyclic(x, (bn_u64)(col[k]), sizeof(double), 1)); } else { for (k = 0; "
               "k < n; k++) d += (*(double *)bn_indexed_cyclic(x, (bn_u64)(col[k]), sizeof(double), 0)); } }"),
        c.npos)
        << c;
}

TEST_F(IndexedTest, ShortLoopsWithoutLoopsTakeSeveralElementsInATurn)
{
    auto unrolled = [&](const std::string& body, Passes passes = Passes::all(), bool far_threads = false) {
        return count(translate(body, 4, passes, far_threads), "\n#pragma GCC unroll 4\n# 5 \"t.upc\"\nfor (");
    };
    for (const char* body :
         {"for (k = 0; k < n; k++) d += x[col[k]];", "for (k = 0; k < n; k++) x[list[k]] += d;",
          "for (int k = 0; k < n; k++) part[col[k]]++;", "if (n) for (k = 0; k < n; k++) d += x[col[k]]; else d = 1;",
          "for (k = 0; k < n; k++) for (i = 0; i < 4; i++) d += x[col[k + i]];",
          "for (k = 0; k < n; k++) { j = col[k]; d += s[j].n; }",
          "l: for (k = 0; k < n; k++) d += x[col[k]]; if (d) goto l;",
          "for (shared double *q = x; k < n; k++) d += x[col[k]];",
          "shared double *q = x; for (k = 0; k < n; k++) d += q[col[k]];",
          "shared double *q = x; for (k = 0; k < n; k++) q[col[k]] = d;"})
        EXPECT_EQ(unrolled(body), 1) << body;
    for (const char* body : {"for (k = 0; k < n; k++) d += x[k];", "for (k = 0; k < n; k++) d += x[hash(k)];",
                             "for (k = 0; k < n; k++) j = next[j];", "for (k = 0; k < n; k++) d += b[col[k]];",
                             "for (k = 0; k < n; k++) d += list[col[k]];", "while (k < n) d += x[col[k++]];",
                             "for (k = 0;; k++) { if (k == n) break; d += x[col[k]]; }",
                             "for (k = 0; k < n && col[k]; k++) d += x[col[k]];",
                             "for (k = 0; (k < n ? col[k] : n) > 0; k++) d += x[col[k]];",
                             "for (k = 0; ({ int end = n; k < end; }); k++) d += x[col[k]];",
                             "for (k = 0; k < n; k++) { d += x[col[k]]; for (i = 0; i < 4; i++) d += i; }",
                             "shared double *q = x; for (k = 0; k < n; k++) d += *(q++ + col[k]);",
                             "shared [] double *q = whole; for (k = 0; k < n; k++) d += q[col[k]];"})
        EXPECT_EQ(unrolled(body), 0) << body;
    std::string longer;
    for (int i = 0; i < 12; i++)
        longer += "d += i * k; ";
    EXPECT_EQ(unrolled("for (k = 0; k < n; k++) { " + longer + " d += x[col[k]]; }"), 0);
    EXPECT_EQ(unrolled("for (k = 0; k < n; k++) d += x[col[k]];", without_unrolling()), 0);
    EXPECT_EQ(unrolled("for (k = 0; k < n; k++) d += x[col[k]];", Passes::all(), true), 0);
}

TEST_F(IndexedTest, LoopsBehindPragmasStayOne)
{
    for (const char* pragma : {"#pragma GCC unroll 2", "#  pragma GCC ivdep", "#pragma omp simd"}) {
        std::string c =
            translate("\n" + std::string(pragma) + "\nfor (k = 0; k < n; k++) d += x[col[k]];", 0, Passes::all());
        EXPECT_NE(c.find(std::string(pragma) + "\nfor (k = 0; k < n; k++) d += (*(double *)bn_indexed_cyclic(x, "),
                  c.npos)
            << c;
        EXPECT_EQ(c.find("unroll 4"), c.npos) << c;
    }
    EXPECT_NE(translate("\n#pragma GCC unroll 2\nfor (k = 0; k < n; k++) ; for (k = 0; k < n; k++) d += x[col[k]];")
                  .find("bn_threads_shift"),
              std::string::npos);
}

TEST_F(IndexedTest, KnownThreadsDecideAtOnce)
{
    for (auto [threads, end] :
         {std::pair{2, ", 1))"}, std::pair{4, ", 1))"}, std::pair{3, ", 0))"}, std::pair{12, ", 0))"}}) {
        std::string c = translate("for (k = 0; k < n; k++) d += x[col[k]];", threads);
        EXPECT_EQ(count(c, "bn_indexed_cyclic("), 1) << c;
        EXPECT_NE(c.find(std::string("sizeof(double)") + end), c.npos) << c;
        EXPECT_EQ(c.find("bn_threads_shift"), c.npos) << c;
    }
    EXPECT_EQ(count(translate("for (k = 0; k < n; k++) d += x[col[k]] + p[k];", 1), "bn_elem_indef("), 1);
}

// No layout deals out what one thread has: all elements of the loop are found as in C.
TEST_F(IndexedTest, ForOneThreadElementsAreFoundAsInC)
{
    std::string c = translate("for (k = 0; k < n; k++) d += p[col[k]] + y[k] + b[k] + blocks[k];", 1);
    EXPECT_NE(c.find("d += (*(double *)bn_add_indef(p, (bn_i64)(col[k]), sizeof(double)).addr) + (*(double "
                     "*)bn_elem_indef(y, (bn_u64)(k), sizeof(double))) + (*(int *)bn_elem_indef(b, (bn_u64)(k), "
                     "sizeof(int))) + (*(int *)bn_add_indef(blocks, (bn_i64)(k), sizeof(int)).addr);"),
              c.npos)
        << c;
    std::string longer;
    for (int i = 0; i < 20; i++)
        longer += "j = j * 3 + 1; ";
    for (const std::string& body : {std::string("d += x[k & n];"), longer + "d += x[col[k]];"}) {
        c = translate("for (k = 0; k < n; k++) { " + body + " }");
        EXPECT_EQ(count(c, "bn_threads() == 1"), 0) << c;
        EXPECT_EQ(count(c, "bn_threads_shift() >= 0"), 1) << c;
    }
}

// The general form runs for pointers that begin on another thread: it has the loop once.
TEST_F(IndexedTest, LoopsStandOnceBesideDealtOnes)
{
    std::string c =
        translate("upc_forall (i = 0; i < n; i++; &p[i]) { for (k = 0; k < 4; k++) d += x[col[k]]; p[i] = d; }", 0,
                  Passes::all());
    EXPECT_EQ(count(c, "bn_threads_shift() >= 0"), 1) << c;
    EXPECT_EQ(count(c, "unroll 4"), 3) << c;
    EXPECT_EQ(count(c, ", 0))"), 2) << c;
}

TEST_F(IndexedTest, TheOutermostShortLoopStandsTwice)
{
    std::string c = translate(
        "for (i = 0; i < n; i++) { for (k = 0; k < 4; k++) d += x[col[k]]; for (k = 0; k < 4; k++) d -= y[list[k]]; }");
    EXPECT_EQ(count(c, "bn_threads_shift()"), 1) << c;
    EXPECT_EQ(count(c, "bn_indexed_cyclic("), 4) << c;
    std::string many;
    for (int i = 0; i < 40; i++)
        many += "j = j * 3 + 1; ";
    c = translate("for (i = 0; i < n; i++) { " + many + " for (k = 0; k < 4; k++) d += x[col[k]]; }");
    EXPECT_EQ(count(c, "j * 3"), 40) << c;
    EXPECT_EQ(count(c, ", 1))"), 1) << c;
    EXPECT_EQ(count(c, ", 0))"), 1) << c;
    c = translate("for (i = 0; i < n; i++) { " + many +
                  " d += x[col[i]]; for (k = 0; k < 4; k++) d += x[col[k]]; d += x[col[i + 1]]; }");
    EXPECT_EQ(count(c, ", 1))"), 1) << c;
    EXPECT_EQ(count(c, ", 0))"), 3) << c;
}

// What must stand once, or is long, has the form that is right for any number of threads.
TEST_F(IndexedTest, OtherLoopsStandOnce)
{
    std::string many;
    for (int i = 0; i < 40; i++)
        many += "j = j * 3 + 1; ";
    for (const std::string& body :
         {many + "d += x[col[k]];", std::string("label: d += x[col[k]]; if (n == 1) goto label;"),
          std::string("static int last; last = col[k]; d += x[last];"), std::string("asm(\"1:\"); d += x[col[k]];")}) {
        std::string c = translate("for (k = 0; k < n; k++) { " + body + " }");
        EXPECT_EQ(count(c, "bn_indexed_cyclic("), 1) << c;
        EXPECT_EQ(count(c, ", 0))"), 1) << c;
        EXPECT_EQ(count(c, "bn_threads_shift"), 0) << c;
    }
    std::string few = many.substr(0, many.size() / 2);
    EXPECT_EQ(count(translate("for (k = 0; k < n; k++) { " + few + "d += x[col[k]]; }"), "bn_indexed_cyclic("), 2);
    EXPECT_EQ(count(translate("for (k = 0; k < n; k++) { " + few + "d += x[k ^ j]; }"), "bn_indexed_cyclic("), 1);
    std::string c = translate("upc_forall (i = 0; i < n; i++; &y[i]) y[i] = x[i * i % n];");
    EXPECT_EQ(count(c, "bn_threads_shift"), 0) << c;
    EXPECT_GE(count(c, "bn_indexed_cyclic("), 1) << c;
    EXPECT_EQ(count(c, ", 1))"), 0) << c;
}

TEST_F(IndexedTest, DealtLoopsStandTwiceWithoutTheirConditions)
{
    std::string c = translate(
        "upc_forall (i = 0; i < next[list[0]]; i++; &y[i]) { for (k = 0; k < 4; k++) d += x[col[k]]; y[i] = d; }");
    EXPECT_EQ(count(c, ", 1))"), 1) << c;
    EXPECT_EQ(count(c, ", 0))"), 1) << c;
    EXPECT_EQ(count(c, "bn_threads_shift()"), 1) << c;
    EXPECT_NE(c.find("bn_elem_cyclic(next, "), c.npos) << c;
    c = translate("for (j = 0; j < 3; j++) upc_forall (i = 0; i < n; i++; &y[i]) y[i] = x[col[i]];");
    EXPECT_EQ(count(c, "bn_threads_shift()"), 1) << c;
    EXPECT_EQ(count(c, "sizeof(double), 1)"), count(c, "sizeof(double), 0)")) << c;
}

TEST_F(IndexedTest, WhatIsIndexed)
{
    for (const char* body :
         {"x[list[k] + 1] = k;", "x[*list]++;", "int at = col[k]; d += x[at];", "d += *(x + col[k]);",
          "d += s[next[k]].n;", "d += next[next[k]];", "if (k) g(); else d += x[k + col[k]];"})
        EXPECT_EQ(count(translate(std::string("for (k = 0; k < n; k++) { ") + body + " }"), "bn_indexed_cyclic("), 2)
            << body;
    for (const char* body :
         {"d += x[k];", "d += b[col[k]];", "d += one[col[k]];", "d += x[col[k] * THREADS + MYTHREAD];"})
        EXPECT_EQ(count(translate(std::string("for (k = 0; k < n; k++) { ") + body + " }"), "bn_indexed_cyclic("), 0)
            << body;
    EXPECT_EQ(count(translate("d += x[col[k]];"), "bn_indexed_cyclic("), 0);
    EXPECT_EQ(count(translate("while (n-- > 0) d += x[col[n]];"), "bn_indexed_cyclic("), 2);
    EXPECT_EQ(count(translate("do k++; while (x[col[k]] > 0);"), "bn_indexed_cyclic("), 2);
}

TEST_F(IndexedTest, ComputedIndices)
{
    for (const char* body :
         {"d += x[k & n];", "d += x[k | 1];", "d += x[k ^ n];", "d += x[k >> 1];", "d += x[n >> k];", "d += x[k % 9];",
          "d += x[k / 2];", "d += x[k * k];", "d += x[1 << k];", "d += x[hash(k)];", "d += x[(k * 7919 + 1) & n];",
          "j ^= k; d += x[j];", "j = j * 5 + 1; d += x[j];", "j = hash(j); i = j + 1; d += x[i];",
          "int h = k * k; d += x[h];", "j <<= 1; d += x[j];", "x[j = k & n] = 1;", "x[k & n]++;", "x[k & n] += y[k];"})
        EXPECT_EQ(count(translate(std::string("for (k = 0; k < n; k++) { ") + body + " }"), "bn_indexed_cyclic("), 2)
            << body;
}

TEST_F(IndexedTest, CountedIndices)
{
    for (const char* body : {"d += x[k];", "d += x[k * n + 1];", "j += n; d += x[j];", "j = 2 * k; d += x[j - 1];",
                             "d += x[n & 7];", "d += x[(long)k << 2];", "int m = k + 1; d += x[m++];",
                             "d += x[k == 0 ? n - 1 : k - 1];", "for (i = 0; i < 4; i++) d += x[n * i + k];"})
        EXPECT_EQ(count(translate(std::string("for (k = 0; k < n; k++) { ") + body + " }"), "bn_indexed_cyclic("), 0)
            << body;
}

// An address that waits for an element: the shortest way to it, where that is another one with a power of two
TEST_F(IndexedTest, CarriedIndices)
{
    for (const char* body :
         {"j = next[j];", "i = next[j]; j = i;", "j = next[j] + 1;", "j += next[j];", "j = next[next[j]];"}) {
        std::string c = translate(std::string("for (k = 0; k < n; k++) { ") + body + " }");
        EXPECT_GE(count(c, "bn_elem_shift("), 1) << c;
        EXPECT_EQ(count(c, "bn_elem_shift("), count(c, "bn_elem_cyclic(")) << c;
        EXPECT_EQ(count(c, "bn_elem_shift("), count(c, "bn_elem_indef(")) << c;
        for (int threads : {3, 4})
            EXPECT_EQ(count(translate(body, threads), "bn_elem_cyclic("), count(c, "bn_elem_shift(")) << body;
    }
    std::string c = translate("for (k = 0; k < n; k++) j = b[j];");
    EXPECT_NE(c.find("j = (*(int *)bn_elem_block_shift(b, (bn_u64)(j), 4, sizeof(int)))"), c.npos) << c;
    EXPECT_NE(c.find("j = (*(int *)bn_elem_block(b, (bn_u64)(j), 4, sizeof(int)))"), c.npos) << c;
    EXPECT_EQ(count(translate("for (k = 0; k < n; k++) { j = next[j]; d += blocks[j]; }"), "bn_add_block("), 2);
    c = translate("for (j = col[0]; j >= 0; j = next[j]) d += x[j];");
    EXPECT_EQ(count(c, "bn_elem_shift("), 2) << c;
    c = translate("while (j >= 0) j = next[j];");
    EXPECT_EQ(count(c,
                    "else if (bn_threads_shift() >= 0) { while (j >= 0) j = (*(int *)bn_elem_shift(next, (bn_u64)(j), "
                    "sizeof(int)))"),
              1)
        << c;
    c = translate("for (k = 0; k < n; k++) { j = col[k]; d += x[j]; }");
    EXPECT_EQ(count(c, "bn_indexed_cyclic("), 2) << c;
}

// What comes from memory is found through as many variables as there are, whose values stand in the wrong order.
TEST_F(IndexedTest, LongWaysFromVariableToVariable)
{
#if defined(BN_HAS_ASAN)
    constexpr int kVariables = 500;
#else
    constexpr int kVariables = 2000;
#endif
    std::string declared = "int v0 = 0", copied;
    for (int i = 1; i < kVariables; i++) {
        declared += ", v" + std::to_string(i) + " = 0";
        copied += "v" + std::to_string(i - 1) + " = v" + std::to_string(i) + "; ";
    }
    std::string last = "v" + std::to_string(kVariables - 1);
    for (const auto& [value, found] : {std::pair{"col[k]", 1}, std::pair{"k + 1", 0}, std::pair{"next[v0]", 0}}) {
        std::string c =
            translate(declared + "; for (k = 0; k < n; k++) { " + copied + last + " = " + value + "; d += x[v0]; }");
        EXPECT_EQ(count(c, "bn_indexed_cyclic("), found) << value;
    }
}

TEST_F(IndexedTest, Pointers)
{
    std::string c = translate("for (k = 0; k < n; k++) d += p[col[k]];");
    EXPECT_NE(c.find("(*(double *)bn_indexed_pointer(p, (bn_i64)(col[k]), sizeof(double), _Alignof(double), 1))"),
              c.npos)
        << c;
    EXPECT_NE(c.find("(*(double *)bn_indexed_pointer(p, (bn_i64)(col[k]), sizeof(double), _Alignof(double), 0))"),
              c.npos)
        << c;
    for (const char* body : {"d += *(p + (k ^ n));", "d += own[k & n];", "p[k % 9] = d;", "d += p[hash(k)];"})
        EXPECT_EQ(count(translate(std::string("for (k = 0; k < n; k++) { ") + body + " }"), "bn_indexed_pointer("), 2)
            << body;
    for (const char* body : {"d += p[k];", "d += p[col[k]]; p++;", "d += p[col[k]]; p = n ? p : own;",
                             "d += p[col[k]]; take(&p);", "d += seen[col[k]];", "d += set[col[k]];",
                             "d += unsure[col[k]];", "d += whole[col[k]];", "d += blocks[col[k]];"})
        EXPECT_EQ(count(translate(std::string("for (k = 0; k < n; k++) { ") + body + " }"), "bn_indexed_pointer("), 0)
            << body;
    EXPECT_EQ(count(translate("take(&p); for (k = 0; k < n; k++) d += p[col[k]];"), "bn_indexed_pointer("), 0);
}

// Whole rounds of threads are added to what is left of the address (lower/rounds.cc).
TEST_F(IndexedTest, PointersByRounds)
{
    auto stands = [&](const std::string& body, const std::string& c, int threads = 0, bool far_threads = false) {
        std::string all = translate(body, threads, without_unrolling(), far_threads);
        EXPECT_NE(all.find(c), all.npos) << all;
    };
    const std::string mine = "((double *)bn_add_cyclic(p, (bn_i64)(bn_mythread()), sizeof(double)).addr)";
    const std::string loop = "for (k = 0; k < n; k++) ";
    stands(loop + "d += p[k * THREADS + MYTHREAD];", mine + "[(bn_i64)(k)]");
    stands(loop + "p[MYTHREAD + col[k] * THREADS]++;", "for (k = 0; k < n; k++) " + mine + "[(bn_i64)(col[k])]++;");
    stands(loop + "d += *(p + THREADS * (k - 1)); ", "((double *)(p).addr)[(bn_i64)((k - 1))]");
    stands(loop + "d += p[k * THREADS - 2 - n + THREADS];",
           "((double *)bn_add_cyclic(p,  - (bn_i64)(2) - (bn_i64)(n), sizeof(double)).addr)[(bn_i64)(k) + 1]");
    stands(loop + "d += p[4 * k + n];",
           "((double *)bn_add_cyclic(p, (bn_i64)(n), sizeof(double)).addr)[(bn_i64)(k) * 2]", 2);
    stands("d = p[k * THREADS + MYTHREAD];", mine + "[(bn_i64)(k)]", 0, true);
    stands("d = p[k * THREADS + MYTHREAD];", "bn_is_near", 0, true);  // wherever p begins
    for (const char* body : {"d += p[(unsigned)k * THREADS + 1];", "d += p[k + 3];", "blocks[k * THREADS] = 1;",
                             "whole[k * THREADS + MYTHREAD] = 1;", "d += p[k * THREADS + col[k]];"}) {
        std::string c = translate(loop + body);
        EXPECT_EQ(count(c, ".addr)["), 0) << c;
    }
    EXPECT_EQ(count(translate(loop + "d += p[k * THREADS + col[k]];"), "bn_indexed_pointer("), 2);
}

TEST_F(IndexedTest, PointersMoveByRounds)
{
    auto stands = [&](const std::string& body, const std::string& c, int threads = 0) {
        std::string all = translate(body, threads);
        EXPECT_NE(all.find(c), all.npos) << all;
    };
    stands("p += THREADS;", "(p = bn_add_rounds(p, 1, sizeof(double)));");
    stands("p -= k * THREADS;", "(p = bn_add_rounds(p, -((bn_i64)(k)), sizeof(double)));");
    stands("p = p + THREADS * 3 * k;", "p = bn_add_rounds(p, (bn_i64)(k) * 3, sizeof(double));");
    stands("p = p + THREADS - k;", "p = bn_add_cyclic(bn_add_rounds(p, 1, sizeof(double)), ");
    stands("d = *(p - THREADS);", "(*(double *)(bn_add_rounds(p, -(1), sizeof(double))).addr)");
    stands("p = &p[-(k * THREADS)];", "bn_add_rounds(p,  - (bn_i64)(k), sizeof(double))");
    stands("blocks += 4 * THREADS;", "bn_add_rounds(blocks, 4, sizeof(int))");
    stands("blocks -= k * (8 * THREADS);", "bn_add_rounds(blocks, -((bn_i64)(k) * 8), sizeof(int))");
    stands("p += 6;", "bn_add_rounds(p, 2, sizeof(double))", 3);
    stands("blocks -= 12 * k;", "bn_add_rounds(blocks, -((bn_i64)(k) * 4), sizeof(int))", 3);
    stands("while (n--) p += 1;", "bn_add_rounds(p, 1, sizeof(double))", 1);
    for (const char* body : {"p += k;", "p += (unsigned)k * THREADS;", "p += THREADS + 1;", "blocks += THREADS;",
                             "blocks += 2 * THREADS;", "blocks += k * THREADS;", "whole += THREADS;"})
        EXPECT_EQ(count(translate(body), "bn_add_rounds"), 0) << body;
    for (const char* body : {"p += 4;", "blocks += 6;", "p += 2 * k;"})
        EXPECT_EQ(count(translate(body, 3), "bn_add_rounds"), 0) << body;
    EXPECT_EQ(count(translate("p += k;", 1), "bn_add_rounds"), 0);
}

TEST_F(IndexedTest, NotWithoutThePassOrWithFarThreads)
{
    const char* loop = "for (k = 0; k < n; k++) d += x[col[k]];";
    Passes passes = Passes::all();
    EXPECT_EQ(count(translate(loop, 0, passes, true), "bn_indexed_cyclic("), 0);
    passes.indexed = false;
    EXPECT_EQ(count(translate(loop, 0, passes), "bn_indexed_cyclic("), 0);
}

// One thread has all elements where C has them, also where each thread has one block.
TEST_F(IndexedTest, OneThreadDividesNothing)
{
    std::string loop = "for (k = 0; k < n; k++) d += part[k] * part[part[k]];";
    std::string c = translate(loop);
    EXPECT_EQ(c.find("if (bn_threads() == 1) { for"), c.find("if (bn_threads")) << c;
    EXPECT_EQ(count(c, "bn_elem_indef(part, "), 3) << c;
    EXPECT_EQ(count(c, "bn_narrow_once(part, "), 3) << c;
    EXPECT_EQ(count(translate("for (k = 0; k < n; k++) d += part[k];"), "bn_threads() == 1"), 0);
    EXPECT_EQ(count(translate(loop, 1), "bn_elem_indef(part, "), 3);
    EXPECT_EQ(count(translate("d = b[n] + p[n];", 1), "_indef("), 2);
}

// The outer loop stands once, and the inner one is tried for each number of threads before it turns out to be tested.
TEST_F(IndexedTest, LoopsThatAreTestedStandForAnyNumberOfThreads)
{
    std::string c = translate("static int at; for (i = 0; i < n; i++) { static int rounds; d += x[col[i]]; "
                              "upc_forall (at = 0; at < n; at++; &y[at]) { y[at] = x[col[at]]; g(); } }");
    EXPECT_EQ(count(c, "bn_indexed_cyclic(x, (bn_u64)(col[at]), sizeof(double), 0)"), 1) << c;
    EXPECT_EQ(count(c, "bn_elem_indef(x, (bn_u64)(col[at])"), 0) << c;
}

}  // namespace
}  // namespace bn::lower
