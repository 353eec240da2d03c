// The C that each UPC construct is translated to.  What the C does is tested by tests/programs; here the form counts: a
// relaxed access to a static object must be one address computation, and so on.
#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::lower {
namespace {

const char* const kLowerDeclarations =
    "typedef unsigned long size_t; shared int x; strict shared int st; shared int a[4*THREADS]; shared [3] int "
    "b[2*THREADS][2];shared [] int c[8]; struct s { int m; int bits : 3; shared [] int *next; int v[4]; }; shared "
    "struct s sh; shared int *p, *q;shared [3] int *p3; shared [] int *pi; shared void *pv; shared struct s *ps; int "
    "i, n; shared [3] int (*row)[2];\n";

class LowerTest : public ::testing::Test {
protected:
    std::string translate(const std::string& text, int threads = 0)
    {
        driver::TranslateOptions options;
        options.source_name = "t.upc";
        options.static_threads = threads;
        driver::TranslateResult result = driver::translate(text, options);
        EXPECT_TRUE(result.ok) << text << "\n" << result.messages;
        return result.c;
    }

    // The C of the statements of a function
    std::string stmt(const std::string& statement, int threads = 0)
    {
        std::string c = translate(
            std::string(kLowerDeclarations) + "void f(void) { (void)MYTHREAD; " + statement + " }\n", threads);
        const std::string head = "(void)bn_mythread(); ";
        size_t start = c.rfind(head);
        size_t end = c.find(" }\n", start);
        if (start == std::string::npos || end == std::string::npos)
            return c;
        return c.substr(start + head.size(), end - start - head.size());
    }

    // The C of a declaration at file scope, up to the end of its line
    std::string decl(const std::string& declaration)
    {
        std::string c = translate(declaration + "\n");
        return c.substr(0, c.find('\n'));
    }
};

TEST_F(LowerTest, StaticObjectsAreReachedThroughTheirHandles)
{
    EXPECT_EQ(stmt("n = x;"), "n = (*(int *)x);");
    EXPECT_EQ(stmt("x = n;"), "(*(int *)x) = n;");
    EXPECT_EQ(stmt("x += n;"), "(*(int *)x) += n;");
    EXPECT_EQ(stmt("x++;"), "(*(int *)x)++;");
    EXPECT_EQ(stmt("n = a[i];"), "n = (*(int *)bn_elem_cyclic(a, (bn_u64)(i), sizeof(int)));");
    EXPECT_EQ(stmt("n = *(a + i);"), "n = (*(int *)bn_elem_cyclic(a, (bn_u64)(i), sizeof(int)));");
    EXPECT_EQ(stmt("n = i[a];"), "n = (*(int *)bn_elem_cyclic(a, (bn_u64)(i), sizeof(int)));");
    EXPECT_EQ(stmt("n = c[i];"), "n = (*(int *)bn_elem_indef(c, (bn_u64)(i), sizeof(int)));");
    EXPECT_EQ(stmt("n = b[i][n];"),
              "n = (*(int *)bn_elem_block(b, (bn_u64)((bn_i64)(i) * 2 + (bn_i64)(n)), 3, sizeof(int)));");
}

TEST_F(LowerTest, AnyExpressionCanBeAnOperand)
{
    EXPECT_EQ(stmt("n = (i, p)[1];"), "n = (*(int *)bn_add_cyclic((i, p), (bn_i64)(1), sizeof(int)).addr);");
    EXPECT_EQ(stmt("n = p[i, 1];"), "n = (*(int *)bn_add_cyclic(p, (bn_i64)((i, 1)), sizeof(int)).addr);");
    EXPECT_EQ(stmt("n = (i, p) - (n, q);"), "n = bn_diff_cyclic((i, p), (n, q), sizeof(int));");
    EXPECT_EQ(stmt("p = i ? i++, pv : q;"), "p = bn_reset_phase(i ? (i++, pv) : q);");
    EXPECT_NE(
        stmt("upc_forall (i = 0; i < 3; i++, n++; n, i) ;").find("i++, n++) if (bn_outer1 | (bn_here_int((n, i))))"),
        std::string::npos);
    EXPECT_EQ(stmt("*&*(shared int **){ &p } = (shared int *){ p };"),
              "*&*(bn_pts_t *){ &p } = (bn_pts_t [1]){ p }[0];");
}

TEST_F(LowerTest, WhatIsChosenAtTranslationIsAPlace)
{
    EXPECT_EQ(stmt("_Generic(p, shared int *: sh, default: 0).m = 1;"), "((*(struct s *)sh)).m = 1;");
    EXPECT_EQ(stmt("__builtin_choose_expr(1, x, i) += 1;"), "((*(int *)x)) += 1;");
    EXPECT_EQ(stmt("pi = &_Generic(1, int: sh, default: 0).v[i];"), "pi = bn_at(&((*(struct s *)sh)).v[i]);");
}

TEST_F(LowerTest, ArraysOfOneBlockForEachThreadDoNotGoRound)
{
    auto element = [&](const std::string& array, int threads = 0, const char* index = "long i") {
        std::string c = translate("shared " + array + "; int f(" + index + ") { return o[i]; }\n", threads);
        size_t start = c.find("bn_", c.find("return (*(int"));
        return c.substr(start, c.find(';', start) - start);
    };
    EXPECT_EQ(element("int o[THREADS]"), "bn_elem_once(o, (bn_u64)(i), 1, sizeof(int)))");
    EXPECT_EQ(element("[3] int o[13]", 4), "bn_elem_block(o, (bn_u64)(i), 3, sizeof(int)))");
    EXPECT_EQ(element("[4] int o[5 * THREADS]"), "bn_elem_block(o, (bn_u64)(i), 4, sizeof(int)))");
    EXPECT_EQ(element("int o[5]", 4), "bn_elem_cyclic(o, (bn_u64)(i), sizeof(int)))");
    // Indices below 2^32: by the number of elements, for 1,024 threads if it is not known how many there are, or by the
    // type
    EXPECT_EQ(element("[5] int o[5 * THREADS]"), "bn_narrow_once(o, (bn_u64)(i), 5, sizeof(int)))");
    EXPECT_EQ(element("[7] int o[5 * THREADS]"), "bn_narrow_once(o, (bn_u64)(i), 7, sizeof(int)))");
    EXPECT_EQ(element("[*] int o[5 * THREADS]"), "bn_narrow_once(o, (bn_u64)(i), 5, sizeof(int)))");
    EXPECT_EQ(element("[*] int o[10]", 4), "bn_narrow_once(o, (bn_u64)(i), 3, sizeof(int)))");
    EXPECT_EQ(element("[3] int o[12]", 4), "bn_narrow_once(o, (bn_u64)(i), 3, sizeof(int)))");
    EXPECT_EQ(element("[*] int o[4194303 * THREADS]"), "bn_narrow_once(o, (bn_u64)(i), 4194303, sizeof(int)))");
    EXPECT_EQ(element("[*] int o[4194304 * THREADS]"), "bn_elem_once(o, (bn_u64)(i), 4194304, sizeof(int)))");
    EXPECT_EQ(element("[*] int o[4194304 * THREADS]", 1023), "bn_narrow_once(o, (bn_u64)(i), 4194304, sizeof(int)))");
    for (const char* index : {"int i", "unsigned i", "short i", "enum { A } i"})
        EXPECT_EQ(element("[*] int o[4194304 * THREADS]", 0, index),
                  "bn_narrow_once(o, (bn_u32)(i), 4194304, sizeof(int)))");
    EXPECT_NE(translate("shared [*] int o[4194304 * THREADS][2]; int f(int i, int j) { return o[i][j]; }\n")
                  .find("bn_elem_once(o, "),
              std::string::npos);
}

TEST_F(LowerTest, WhereTheNumberOfElementsIsNotKnownTheyMayGoRound)
{
    std::string c =
        translate("extern shared int o[]; extern shared [5] int b[]; int f(long i) { return o[i] + b[i]; }\n");
    EXPECT_NE(c.find("bn_elem_cyclic(o, "), std::string::npos) << c;
    EXPECT_NE(c.find("bn_elem_block(b, "), std::string::npos) << c;
}

TEST_F(LowerTest, MembersAreReachedByTheCompilersOwnLayout)
{
    EXPECT_EQ(stmt("n = sh.m;"), "n = (*(struct s *)sh).m;");
    EXPECT_EQ(stmt("sh.bits = n;"), "(*(struct s *)sh).bits = n;");
    EXPECT_EQ(stmt("n = ps->m;"), "n = ((struct s *)(ps).addr)->m;");
    EXPECT_EQ(stmt("n = ps->v[i];"), "n = ((struct s *)(ps).addr)->v[i];");
    EXPECT_EQ(stmt("pi = &ps->v[i];"), "pi = bn_at(&((struct s *)(ps).addr)->v[i]);");
    EXPECT_EQ(stmt("n = *ps->next;"), "n = (*(int *)(((struct s *)(ps).addr)->next).addr);");
}

TEST_F(LowerTest, ArithmeticOnPointers)
{
    EXPECT_EQ(stmt("p = a + i;"), "p = bn_add_cyclic(bn_start(a), (bn_i64)(i), sizeof(int));");
    EXPECT_EQ(stmt("p = p + i;"), "p = bn_add_cyclic(p, (bn_i64)(i), sizeof(int));");
    EXPECT_EQ(stmt("p3 += i;"), "(p3 = bn_add_block(p3, (bn_i64)(i), 3, sizeof(int)));");
    EXPECT_EQ(stmt("p3 -= i;"), "(p3 = bn_add_block(p3, -(bn_i64)(i), 3, sizeof(int)));");
    EXPECT_EQ(stmt("++pi;"), "(pi = bn_add_indef(pi, 1, sizeof(int)));");
    EXPECT_EQ(stmt("n = p - q;"), "n = bn_diff_cyclic(p, q, sizeof(int));");
    EXPECT_EQ(stmt("row++;"), "(row = bn_add_block(row, 1 * 2, 3, sizeof(int)));");
    EXPECT_EQ(stmt("p3++;"), "(p3 = bn_next_block(p3, 3, sizeof(int)));");
    EXPECT_EQ(stmt("--p;"), "(p = bn_previous_cyclic(p, sizeof(int)));");
    EXPECT_EQ(stmt("n = *p++;"),
              "n = (*(int *)((__extension__ ({ bn_pts_t bn_v1 = p; p = bn_next_cyclic(bn_v1, sizeof(int)); bn_v1; "
              "}))).addr);");
    EXPECT_EQ(
        stmt("for (i = 0, p++; i < n; i++, q--) ;"),
        "for (i = 0, (p = bn_next_cyclic(p, sizeof(int))); i < n; i++, (q = bn_previous_cyclic(q, sizeof(int)))) ;");
    EXPECT_EQ(stmt("n = row - b;"), "n = bn_whole(bn_diff_block(row, bn_start(b), 3, sizeof(int)), 2);");
    EXPECT_EQ(stmt("n = (p < q);"), "n = (bn_diff_cyclic(p, q, sizeof(int)) < 0);");
    EXPECT_EQ(stmt("n = (p == q);"), "n = ((p).addr == (q).addr);");
    EXPECT_EQ(stmt("n = !p;"), "n = !(p).addr;");
}

TEST_F(LowerTest, ConversionsSetThePhase)
{
    EXPECT_EQ(stmt("pv = p3;"), "pv = p3;");
    EXPECT_EQ(stmt("p3 = pv;"), "p3 = pv;");
    EXPECT_EQ(stmt("p = pv;"), "p = bn_reset_phase(pv);");
    EXPECT_EQ(stmt("pi = (shared [] int *)p3;"), "pi = (bn_reset_phase(p3));");
    EXPECT_EQ(stmt("p = 0;"), "p = bn_null();");
    EXPECT_EQ(stmt("int *l = (int *)p;"), "int *l = ((int *)(p).addr);");
}

TEST_F(LowerTest, StrictAccessesStandBetweenFences)
{
    std::string read = stmt("n = st;");
    EXPECT_NE(read.find("int bn_v1 = (bn_before_strict_read(), (*(volatile int *)st)); bn_after_strict_read();"),
              std::string::npos)
        << read;
    std::string write = stmt("st = n;");
    EXPECT_NE(
        write.find("int bn_v1 = n; bn_before_strict_write(); (*(volatile int *)st) = bn_v1; bn_after_strict_write();"),
        std::string::npos)
        << write;
    EXPECT_EQ(stmt("n = *(relaxed shared int *)&st;"), "n = (*(int *)((bn_start(st))).addr);");
}

TEST_F(LowerTest, SizeOperatorsAreConstants)
{
    EXPECT_EQ(stmt("n = upc_localsizeof(b);"), "n = (6ul * sizeof(int));");
    EXPECT_EQ(stmt("n = upc_blocksizeof(b);"), "n = 3ul;");
    EXPECT_EQ(stmt("n = upc_elemsizeof(b);"), "n = sizeof(int);");
    EXPECT_EQ(stmt("n = sizeof(a);"), "n = (4ul * (bn_u64)bn_threads() * sizeof(int));");
    EXPECT_EQ(stmt("n = sizeof(a);", 2), "n = (8ul * sizeof(int));");
    EXPECT_EQ(stmt("n = THREADS;", 2), "n = 2;");
}

TEST_F(LowerTest, Statements)
{
    EXPECT_EQ(stmt("upc_barrier;"), "bn_barrier();");
    EXPECT_EQ(stmt("upc_barrier i + 1;"), "bn_barrier_value((int)(i + 1));");
    EXPECT_EQ(stmt("upc_notify; upc_wait n;"), "bn_notify(); bn_wait_value((int)(n));");
    EXPECT_EQ(stmt("upc_fence;"), "bn_fence();");
    EXPECT_EQ(stmt("upc_forall (i = 0; i < 4; i++; continue) n = i;"), "{ for (i = 0; i < 4; i++) n = i; }");
    EXPECT_EQ(stmt("upc_forall (i = 0; i < 4; i++; &a[i]) n = i;"),
              "{ int bn_outer1 __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter(); for (i = 0; i < 4; i++) "
              "if (bn_outer1 | (bn_owner_cyclic((bn_u64)(i)) == bn_mythread())) { n = i; } }");
}

TEST_F(LowerTest, Declarations)
{
    EXPECT_EQ(decl("shared int *y;"), "bn_pts_t y;");
    EXPECT_EQ(decl("typedef shared [2] int *T; T y;"), "typedef bn_pts_t T; T y;");
    EXPECT_EQ(decl("int f(shared int *y, int z[3]);"), "int f(bn_pts_t y, int z[3]);");
    EXPECT_EQ(decl("shared int *(*y)(shared int *);"), "bn_pts_t (*y)(bn_pts_t);");
    EXPECT_EQ(decl("extern shared int y[];"), "extern bn_shared_t y;");
    std::string object = decl("shared [2] int y[6*THREADS];");
    EXPECT_NE(object.find("bn_shared_t y __attribute__((common));"), std::string::npos) << object;
    EXPECT_NE(object.find("{ &y, \"y\", 6ul * sizeof(int), __alignof__(int), sizeof(int), 2, 0, 0, 0, 0 }"),
              std::string::npos)
        << object;
}

TEST_F(LowerTest, BuiltinsSeeTheTypesOfUpc)
{
    EXPECT_EQ(stmt("n = __builtin_types_compatible_p(shared int *, shared [2] int *);"), "n = 0;");
    EXPECT_EQ(stmt("n = __builtin_types_compatible_p(shared int *, shared [1] int *);"), "n = 1;");
    EXPECT_EQ(stmt("n = _Generic(p, int *: 1, shared int *: 2, default: 3);"), "n = (2);");
}

}  // namespace
}  // namespace bn::lower
