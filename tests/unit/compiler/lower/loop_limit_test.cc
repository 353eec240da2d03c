// Limits of upc_forall loops: whether they may change while the loop runs (lower/loop_limit.cc), and the values that
// the type of the variable holds (lower/counted_loop.cc).
#include <string>

#include "forall_fixture.h"

namespace bn::lower {
namespace {

// For limits: functions that only return a value, and others
const char* const kFunctions =
    "struct size { int rows; }; static const struct size sizes[2]; static int counted; static volatile int seen;\n"
    "static int rows_of(int x) { return sizes[x].rows; } static int twice(int x) { return 2 * rows_of(x); }\n"
    "static int count(void) { return counted; } static int count_at(const struct size *s) { return s->rows; }\n"
    "static int taken(void) { return counted--; } static int looked_at(void) { return seen; }\n"
    "static int by_flag(void) { return flags[0]; } static int deep(int x) { return x > 0 ? deep(x - 1) : 0; }\n"
    "static int shared_count(void) { return n_shared; } static int called(void) { return h(); }\n"
    "int seen_by_others(void) { return counted; }\n";

class LoopLimitTest : public ForallTest {};

// The name means a function within this one, which returns something else.
TEST_F(LoopLimitTest, FunctionsWithinFunctionsHideOthers)
{
    functions_ = "static int limit(void) { return 7; }";
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < limit(); i++; i) z[i] = 0;"), "(bn_i64)(limit());"));
    EXPECT_FALSE(has(translate("int limit(void) { return z[0]; } upc_forall (i = 0; i < limit(); i++; i) z[i] = 0;"),
                     "bn_end5 = (bn_i64)(limit());"));
}

TEST_F(LoopLimitTest, WhatMayChangeIsLookedAtAgain)
{
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < global; i++; i) g(i);"), "for (; bn_n2 < ((bn_i64)(global)); ++bn_row3"));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < global; i++; i) sqrt(i);"), "const bn_i64 bn_end5 = (bn_i64)(global);"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; i) n--;"), "< ((bn_i64)(n));"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < global; i++; i) z[i] = 0;"), "< ((bn_i64)(global));"));
}

// Threads of OpenMP may change it: variables at file scope, and those that a parallel region shares.
TEST_F(LoopLimitTest, WhatOtherThreadsMayChangeIsLookedAtAgain)
{
    auto is_fixed = [&](const std::string& body) {
        return has(translate("upc_forall (i = 0; i < global; i++; i) " + body), "bn_end5 = (bn_i64)(global);");
    };
    EXPECT_FALSE(is_fixed("{\n#pragma omp atomic read seq_cst\nk = global; }"));
    EXPECT_FALSE(is_fixed("\n#pragma omp critical\nk++;"));
    EXPECT_FALSE(is_fixed("{ k++;\n#pragma omp flush\n}"));
    EXPECT_TRUE(is_fixed("\n#pragma omp atomic\nk++;"));
    EXPECT_TRUE(is_fixed("\n#pragma omp simd\nfor (j = 0; j < 4; j++) k++;"));
    EXPECT_TRUE(is_fixed("k++;\n#pragma omp barrier\n"));
    for (const char* body : {"g(v);", "{\n#pragma omp flush\n}"}) {
        std::string loop = "upc_forall (int v = 0; v < m; v++; v) " + std::string(body);
        EXPECT_TRUE(has(translate("int m = n;\n#pragma omp parallel\n{ " + loop + " m--; }"), "< ((bn_i64)(m));"));
        EXPECT_TRUE(has(translate("int m = n; " + loop + "\n#pragma omp task\nm--;"), "< ((bn_i64)(m));"));
        for (const char* before :
             {"\n#pragma omp parallel\n{ int m = n; ", "int m = n;\n#pragma omp task private (m)\n{ ",
              "int m = n;\n#pragma omp parallel reduction(+: m)\n{ ",
              "int m = n;\n#pragma omp parallel for\nfor (m = 0; m < 4; m++) { "})
            EXPECT_TRUE(has(translate(before + loop + " m--; }"), " = (bn_i64)(m);")) << before;
        EXPECT_TRUE(has(translate("int m = n;\n#pragma omp parallel\n{ k = m; }" + loop), " = (bn_i64)(m);"));
    }
}

// A loop that waits by _Atomic sees what the threads of C write.
TEST_F(LoopLimitTest, WhatThreadsOfCMayChangeIsLookedAtAgain)
{
    functions_ = "typedef _Atomic int number; static number flag;";
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < global; i++; i) k += flag;"), "< ((bn_i64)(global));"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; i) k += flag;"), " = (bn_i64)(n);"));
}

// What a pointer points to may be in shared memory, or a variable, where stores of other types leave it alone.
TEST_F(LoopLimitTest, LimitsThatPointersPointToMayBeFixed)
{
    functions_ =
        "typedef int two __attribute__((vector_size(8)));"
        "union number { int n; double d; struct { double d[2]; } in; };"
        "struct vec { int n; union number u; two v; }; static double sum; static int count;"
        "extern shared double x[8*THREADS]; extern shared long y[8*THREADS]; extern shared union number us[THREADS];"
        "extern shared two vs[THREADS]; extern shared _Complex float cs[THREADS];";
    auto is_fixed = [&](const std::string& body, const std::string& limit = "size->n") {
        return has(
            translate("struct vec *size = (void *)z; upc_forall (i = 0; i < " + limit + "; i++; i) " + body + ";"),
            "bn_end5 = (bn_i64)(" + limit + ");");
    };
    const char* const others[] = {"x[i] = 0", "y[i] = 0", "sum += x[i]", "{ int k = a[i]; x[i] = k; }"};
    for (const char* body : others)
        EXPECT_TRUE(is_fixed(body)) << body;
    for (const char* body : {"us[i].d = 0", "us[i].in.d[1] = 0", "vs[i] = (two){0}", "vs[i][1] = 0", "cs[i] = 0"})
        EXPECT_FALSE(is_fixed(body)) << body;
    for (const char* limit : {"size->u.n", "size->u.in.d[0]", "size->v[0]"})
        EXPECT_FALSE(is_fixed("x[i] = 0", limit)) << limit;
    ignores_types_ = true;
    for (const char* body : others)
        EXPECT_FALSE(is_fixed(body)) << body;
    ignores_types_ = false;
    for (const char* body :
         {"a[i] = 0", "count++", "*z = 0", "size->n = 0", "g(0)", "st[i].x = 0", "flags[i]", "upc_fence", "size = 0"})
        EXPECT_FALSE(is_fixed(body)) << body;
}

TEST_F(LoopLimitTest, LimitsThatMayReadTheVariableThroughAPointerAreNot)
{
    const std::string reached = "int *r = &i; short *s = (void *)z; const volatile int *v = r; ";
    for (const char* limit : {"20 - *r", "*z", "*v"})
        EXPECT_FALSE(is_dealt(reached + "upc_forall (i = 0; i < " + limit + "; i++; i) sqrt(i);")) << limit;
    for (const char* limit : {"*s", "n_shared", "global"})
        EXPECT_TRUE(is_dealt(reached + "upc_forall (i = 0; i < " + limit + "; i++; i) sqrt(i);")) << limit;
}

// Attributes say of a type, or of all types in a function, that stores do not leave others alone.
TEST_F(LoopLimitTest, AttributesAboutTypes)
{
    const std::string declarations =
        "typedef long alias __attribute__((__may_alias__)); struct any { long n; } __attribute__((may_alias));"
        "struct vec { int n; alias m; }; typedef struct vec open __attribute__((may_alias));"
        "extern shared double x[8*THREADS]; extern shared alias ys[8*THREADS]; extern shared struct any as[THREADS];";
    auto is_fixed = [&](const std::string& body, const std::string& limit) {
        return has(translate("struct vec *size = (void *)z; open *any = (void *)z; alias *one = (void *)z; "
                             "upc_forall (i = 0; i < " +
                             limit + "; i++; i) " + body + ";"),
                   "(bn_i64)(" + limit + ");");
    };
    functions_ = declarations;
    EXPECT_TRUE(is_fixed("x[i] = 0", "size->n"));
    for (const char* body : {"ys[i] = 0", "as[i].n = 0"})
        EXPECT_FALSE(is_fixed(body, "size->n")) << body;
    for (const char* limit : {"size->m", "any->n", "*one", "one[2]"})
        EXPECT_FALSE(is_fixed("x[i] = 0", limit)) << limit;
    const std::string head = "void f(int n, int k, shared int *p, shared [3] int *q, int *z) __attribute__((optimize(";
    functions_ = declarations + head + "3, \"no-tree-vectorize\")));";
    EXPECT_TRUE(is_fixed("x[i] = 0", "size->n"));
    functions_ = declarations + head + "\"O3,no-strict-aliasing\")));";
    EXPECT_FALSE(is_fixed("x[i] = 0", "size->n"));
}

TEST_F(LoopLimitTest, LimitsMayCallWhatOnlyReturnsAValue)
{
    functions_ = kFunctions;
    auto is_fixed = [&](const std::string& limit, const std::string& body) {
        return has(translate("upc_forall (i = 0; i < " + limit + "; i++; i) " + body),
                   "bn_end6 = (bn_i64)(" + limit + ")");
    };
    auto is_looked_at = [&](const std::string& limit, const std::string& body) {
        return has(translate("upc_forall (i = 0; i < " + limit + "; i++; i) " + body), "< ((bn_i64)(" + limit + "));");
    };
    EXPECT_TRUE(is_fixed("rows_of(k)", "g(i);"));
    EXPECT_TRUE(is_fixed("twice(k + 1) / 2", "g(i);"));
    EXPECT_TRUE(is_fixed("sizes[k].rows", "g(i);"));
    EXPECT_TRUE(is_fixed("count()", "a[i] = 0;"));
    EXPECT_TRUE(is_fixed("(int)sqrt(rows_of(k))", "g(i);"));
    EXPECT_TRUE(is_looked_at("rows_of(k)", "k++;"));
    EXPECT_TRUE(is_looked_at("count()", "counted++;"));
    EXPECT_TRUE(has(translate("extern int counted; upc_forall (i = 0; i < count(); i++; i) counted++;"),
                    "< ((bn_i64)(count()));"));
    EXPECT_TRUE(is_looked_at("count()", "g(i);"));
    EXPECT_TRUE(is_looked_at("count()", "z[i] = 0;"));
    EXPECT_TRUE(is_looked_at("count_at(&sizes[1])", "a[i] = 0;"));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < shared_count(); i++; i) a[i] = 0;"), "< ((bn_i64)(shared_count())"));
}

TEST_F(LoopLimitTest, LimitsWithEffectsAreEvaluatedInEachIteration)
{
    functions_ = kFunctions;
    for (const char* limit : {"taken()", "rows_of(k++)", "looked_at()", "by_flag()", "deep(3)", "called()", "h()",
                              "seen_by_others()", "rows_of(i)", "count() + taken()"})
        EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < " + std::string(limit) + "; i++; i) a[i] = 0;")) << limit;
    EXPECT_FALSE(is_dealt("upc_forall (counted = 0; counted < count() + 1; counted++; counted) ;"));
    EXPECT_FALSE(is_dealt("extern int counted; upc_forall (counted = 0; counted < count() + 1; counted++; counted) ;"));
    EXPECT_FALSE(is_dealt("z = &i; upc_forall (i = 0; i < count_at(sizes); i++; i) ;"));
}

TEST_F(LoopLimitTest, NoVariableLeavesWhatItsTypeHolds)
{
    EXPECT_TRUE(
        has(translate("upc_forall (short s = 0; s < n; s++; s) g(s);"), " == 0 && (bn_i64)(n) + 1 - 1 <= 32767) {"));
    EXPECT_TRUE(has(translate("upc_forall (signed char s = n; s >= k; s -= 3; s) g(s);"),
                    " == 0 && -(bn_i64)(k) + 1 + 3 - 1 <= 128) {"));
    EXPECT_TRUE(has(translate("upc_forall (unsigned u = 0; u <= 9 + (unsigned)n; u += 2; u) g(i);"),
                    " + 1 + 2 - 1 <= 4294967295) {"));
    EXPECT_TRUE(has(translate("upc_forall (unsigned u = n; u > 0; u--; &a[u]) a[u] = 0;"), " == 0) {"));
    EXPECT_TRUE(has(translate("upc_forall (unsigned u = n; u != k; u--; u) g(i);"), "&& -(bn_i64)u <= -(bn_i64)"));
    EXPECT_FALSE(is_dealt("upc_forall (unsigned u = n; u >= 0; u--; u) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (unsigned u = n; u > 0; u -= 2; u) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (unsigned char u = 0; u < 256; u++; u) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (short s = 0; s < global; s++; s) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = -3; i < 5u; i++; i) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = n; i > 5u; i--; i) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (_Bool b1 = 0; b1 < 1; b1++; b1) g(i);"));
}

// Of 64 bits: what wraps in the program must not overflow in the copy, and where that cannot be, nothing is tested.
TEST_F(LoopLimitTest, HugeNumbersAreLeftToTheGeneralForm)
{
    const std::string declarations = "typedef unsigned long big; big x = (big)n; long y = k; ";
    auto of = [&](const std::string& head, const std::string& affinity) {
        return translate(declarations + "upc_forall (" + head + "; " + affinity + ") g(1);");
    };
    const std::string largest = " <= (bn_u64)((bn_i64)4611686018427387904)";
    EXPECT_TRUE(has(of("big u = 0; u < x; u++", "u"),
                    " == 0 && (bn_u64)(__typeof__(u + (x)))(x)" + largest + ") { const bn_i64 "));
    EXPECT_TRUE(has(of("big u = y; u < 9; u++", "u"), " == 0 && (bn_u64)u" + largest + ") {"));
    EXPECT_TRUE(has(of("big u = 0; u < n; u++", "u"), "(bn_u64)(__typeof__(u + (n)))(n)" + largest + ") {"));
    EXPECT_TRUE(has(of("big u = 0; u < x; u++", "u * 4"), " <= (bn_u64)((bn_i64)1152921504606846976)) {"));
    EXPECT_TRUE(has(of("big u = 0; u < x; u++", "u * THREADS / x"), "4611686018427387904 / bn_threads())) {"));
    EXPECT_TRUE(has(of("long l = 5; l > y; l--", "l"), " == 0 && (bn_i64)(y) >= -(bn_i64)4611686018427387904) {"));
    EXPECT_TRUE(has(of("long l = y; l >= 0; l--", "l"), " == 0 && (bn_i64)l >= -(bn_i64)4611686018427387904) {"));
    EXPECT_TRUE(has(translate(declarations + "upc_forall (big u = 0; u < x; u++; u) { x = 9; g(1); }"),
                    "bn_min_unsigned((__typeof__(u + (x)))(x), (bn_i64)4611686018427387904)"));
    for (const char* head : {"big u = 0; u < 9; u++", "big u = 0; u < 2 * THREADS; u++",
                             "big u = 3; u <= (unsigned)n; u++", "big u = 9; u > 0; u--", "long u = y; u < y + n; u++",
                             "long u = 9; u >= 0; u--", "int u = 0; u < x; u++", "long u = 9; u >= n; u--"})
        EXPECT_TRUE(has(of(head, "&a[u]"), " == 0) {")) << head;
}

}  // namespace
}  // namespace bn::lower
