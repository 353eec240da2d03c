// upc_forall loops whose iterations are divided among threads (lower/affinity_loop.cc), and those that keep the general
// form (lower/forall.cc) because another would be wrong.
#include <string>

#include "forall_fixture.h"

namespace bn::lower {
namespace {

TEST_F(ForallTest, NothingIsDoneUnlessAskedFor)
{
    std::string c = translate("upc_forall (i = 0; i < n; i++; &a[i]) a[i] = r[i][j];", {false, false});
    EXPECT_FALSE(has(c, " == 0)"));
    EXPECT_TRUE(has(c, "bn_narrow_once(r, "));
}

TEST_F(ForallTest, OtherFormsOfAffinity)
{
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; i) a[i] = 0;"), "bn_6_a[bn_row3] = 0;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; i / 3) c[i] = 0;"), "bn_6_c[bn_n2] = 0;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; a + i) *(a + i) = 0;"), "bn_6_a[bn_row3] = 0;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &st[i].y) st[i].x = 0;"), "bn_6_st[bn_row3].x = 0;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &a[i + k]) a[k + i] = 0;"),
                    "bn_i64 bn_offset6 = 0 + (bn_i64)(k);"));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < n; i++; &w[i]) w[i] = 0;"), "if (bn_outer1 || bn_mythread() == 0) { "));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < n; i++; &p[i]) p[i] = 0;"), "== 0 && (p.thread | p.phase) == 0) {"));
}

TEST_F(ForallTest, AffinitiesOfAnyWidthAreReducedFirst)
{
    for (const char* type : {"_BitInt(20)", "unsigned _BitInt(64)", "unsigned __int128"})
        EXPECT_TRUE(has(translate(std::string(type) + " w = n; upc_forall (i = 0; i < n; i++; w++) g(i);"),
                        "bn_here_int((bn_i64)((w++) % bn_threads()))"))
            << type;
}

TEST_F(ForallTest, TheGeneralFormStaysWhereAnotherWouldBeWrong)
{
    EXPECT_TRUE(is_dealt("upc_forall (i = 0; i < n; i++; &a[i]) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < h(); i++; &a[i]) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &a[i]) i++;"));
    EXPECT_FALSE(is_dealt("z = &i; upc_forall (i = 0; i < n; i++; &a[i]) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &a[h()]) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &p[i]) p++;"));
    EXPECT_FALSE(is_dealt("upc_forall (i = -1; i < n; i++; i / 2) g(i);"));
    EXPECT_FALSE(is_dealt("unsigned m = 3; upc_forall (i = k; i < m; i++; i) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; i) { static int count; count++; }"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; i) { x: g(i); }"));
    EXPECT_FALSE(is_dealt("switch (n) upc_forall (i = 0; i < n; i++; i) { case 3: g(i); }"));
    EXPECT_TRUE(is_dealt("upc_forall (i = 0; i < n; i++; i) switch (n) { case 3: g(i); }"));
    EXPECT_TRUE(is_dealt("upc_forall (i = 0; i < n; i++; i) __asm__ volatile (\"\");"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; i) __asm__ volatile (\"1: nop\");"));
}

// The program divides in its first iteration at the earliest.
TEST_F(ForallTest, EmptyLoopsDoNotDivide)
{
    for (const char* loop :
         {"i < n; i++; &a[i + 5 / k]) g(i);", "i < n; i++; &c[i - 5 % (k - 1)]) g(i);", "i < n; i += n / k; i) g(i);",
          "i < n; i++; i / (n / k)) g(i);", "i < n; i++; n / k) g(i);", "i < n; i++, j -= 5 / k; i) g(j);",
          "i < n; i++; &a[5 / k]) g(i);", "i < n; i++; &a[i + n / -1]) g(i);"})
        EXPECT_TRUE(has(translate("j = 0; upc_forall (i = 0; " + std::string(loop)), " == 0 && (i < n)")) << loop;
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < 2 * THREADS; i++; &a[i + 5 / k]) g(i);"),
                    " == 0 && (i < 2 * bn_threads())) { const bn_i64 bn_start4 = (bn_i64)i; const bn_i64 bn_end5 = "
                    "(bn_i64)(2 * bn_threads());"));
    for (const char* loop : {"i < n / k; i++; &a[i]) g(i);", "i < n; i++; &a[i + n / 2 % THREADS]) g(i);",
                             "i < n; i++; i / 3) g(i);", "i < n; i++; i / k) g(i);"})
        EXPECT_FALSE(has(translate("upc_forall (i = 0; " + std::string(loop)), "(i < n")) << loop;
}

TEST_F(ForallTest, LoopsThatCountDownGoUpOverTheNegative)
{
    std::string c = translate("upc_forall (i = n - 1; i >= 0; i--; &a[i]) a[i] = b[i] + i;");
    EXPECT_TRUE(has(c, "const bn_i64 bn_start4 = -(bn_i64)i; const bn_i64 bn_end5 = -(bn_i64)(0) + 1;"));
    EXPECT_TRUE(has(c, "const struct bn_turns bn_turns8 = bn_own_turns((bn_i64)(-(bn_u64)bn_start4), (-1));"));
    EXPECT_TRUE(has(c, "bn_n2 = bn_wrapping_sum(bn_n2, bn_stride9), bn_row3 += -1) "
                       "{ i = (int)-bn_n2; bn_7_a[bn_row3] = bn_6_b[bn_row3] + i; }"));
    EXPECT_TRUE(has(c, "i = (int)-bn_next_step(bn_start4, bn_end5, 1);"));
    c = translate("upc_forall (i = n; k < i; i = i - 2; &c[i + 1]) c[i + 1] = 0;");
    EXPECT_TRUE(has(c, "bn_first_piece_apart(&bn_blocks3, bn_start4, bn_end5, 1, 3, bn_outer1, 2, (-1))"));
    EXPECT_TRUE(has(c, "bn_n2 = bn_blocks3.n; for (; bn_n2 < bn_stop7; bn_n2 += 2)"));
    EXPECT_TRUE(has(c, "bn_6_c[-bn_n2 + 1] = 0;"));
    EXPECT_TRUE(has(translate("upc_forall (i = 8; i != 0; i += -1; &w[i]) w[i] = 0;"),
                    "{ i = (int)-bn_n2; bn_6_w[(bn_i64)(i)] = 0; }"));
    EXPECT_TRUE(is_dealt("upc_forall (i = n; i > global; --i; i) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = n; i > 0; i++; i) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i--; i) g(i);"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i != global; i++; i) g(i);"));
}

TEST_F(ForallTest, OtherVariablesThatTheLoopStepsAreComputed)
{
    std::string c = translate("int l; upc_forall (i = 0, l = 5; i < n; i++, l += 2; &a[i]) a[i] = z[l];");
    EXPECT_TRUE(has(c, "const __typeof__(l) bn_6_l = l; "));
    EXPECT_TRUE(
        has(c, "i = (int)bn_n2; l = (int)((bn_i64)bn_6_l + (bn_i64)(bn_n2 - bn_start4) * (bn_i64)(2)); bn_7_a"));
    EXPECT_TRUE(has(c, "const bn_i64 bn_last9 = bn_next_step(bn_start4, bn_end5, 1); l = (int)((bn_i64)bn_6_l + "
                       "(bn_i64)(bn_last9 - bn_start4) * (bn_i64)(2)); i = (int)bn_last9; }"));
    c = translate("upc_forall (unsigned l = 5, i = n; i > 3; l--, i -= 3; &c[i]) c[i] = l;");
    EXPECT_TRUE(has(c, "l = (unsigned int)((bn_u64)bn_6_l - (bn_u64)(bn_n2 - bn_start4) / 3); for (; bn_n2 < "));
    EXPECT_TRUE(has(c, "; bn_n2 += 3, l -= 1) { "));
    EXPECT_FALSE(has(c, "bn_last"));
    c = translate("int *o; upc_forall (i = 0, o = z + 1; i < n; i++, o -= k; &c[i]) c[i] = *o;");
    EXPECT_TRUE(has(c, "o = bn_6_o - (bn_i64)(bn_n2 - bn_start4) * (bn_i64)(k); for (; "));
    EXPECT_TRUE(has(c, "; ++bn_n2, o -= (k)) { "));
    c = translate("int l = 0; upc_forall (int m = 0; m < global; m++, l++; &c[m]) { g(l); c[m] = l; }");
    EXPECT_TRUE(has(c, "bn_next_step(bn_start4, bn_max(((bn_i64)(global)), bn_next5), 1); l = (int)"));
    EXPECT_FALSE(has(translate("int l = 0; upc_forall (i = 0; i < n; i++, l++; &c[i]) c[i] = 1;"), "piece_joined("));
    for (const char* loop :
         {"upc_forall (i = 0, j = n; i < j; i++, j--; &a[i]) g(i);", "upc_forall (i = 0; i < n; i++, j += i; i) g(j);",
          "upc_forall (i = 0; i < n; i++, global++; i) g(i);", "z = &j; upc_forall (i = 0; i < n; i++, j++; i) g(j);",
          "upc_forall (i = 0; i < n; i++, j++; i) g(j--);", "upc_forall (i = 0; i < n; i++, i++; i) g(i);",
          "upc_forall (i = 0; i < n; i++, j++, j++; i) g(j);", "upc_forall (i = 0; i < n; i += k, j++; i) g(j);",
          "upc_forall (i = 0; i < n; i++, p++; i) g(i);", "float x; upc_forall (i = 0; i < n; i++, x++; i) g(x);",
          "upc_forall (i = 0; i < n; i++, j++; &a[j]) g(i);", "upc_forall (i = 0; i < n; i++, h(); i) g(i);",
          "volatile int x; upc_forall (i = 0; i < n; i++, x++; i) g(x);",
          "_Bool x; upc_forall (i = 0; i < n; i++, x++; i) g(x);",
          "int *restrict x; upc_forall (i = 0; i < n; i++, x++; i) g(*x);",
          "int (*x)[n]; upc_forall (i = 0; i < n; i++, x++; i) g(**x);"})
        EXPECT_FALSE(is_dealt(loop)) << loop;
}

TEST_F(ForallTest, WhatDoesNotDependOnTheVariableIsLookedAtOnce)
{
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; 0) g(i);"), "if (bn_outer1 || bn_here_int(0)) { "));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < n; i++; k + 1) g(i);"), "if (bn_outer1 || bn_here_int(k + 1)) { "));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; &a[k]) g(i);"),
                    "if (bn_outer1 || bn_owner_cyclic((bn_u64)(k)) == bn_mythread()) { "));
    EXPECT_TRUE(has(translate("upc_forall (i = 0; i < n; i++; p) g(i);"), "if (bn_outer1 || bn_here_pts(p)) { "));
    EXPECT_TRUE(
        has(translate("upc_forall (i = 0; i < n; i++; &n_shared) g(i);"), "if (bn_outer1 || bn_mythread() == 0) { "));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; p) p++;"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; k) k++;"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; n_shared) g(i);"));
}

TEST_F(ForallTest, InsideAnotherLoopTheAffinityIsNotLookedAt)
{
    std::string c = translate("upc_forall (i = 0; i < n; i++; i) upc_forall (j = 0; j < n; j++; &a[j]) g(j);");
    EXPECT_TRUE(has(c, "{ for (j = 0; j < n; j++) g(j); }"));
    c = translate("upc_forall (i = 0; i < n; i++; i) upc_forall (j = 0; j < n; j++; h()) g(j);");
    EXPECT_TRUE(has(c, "bn_here_int(h())"));
    c = translate("upc_forall (i = 0; i < n; i++; continue) upc_forall (j = 0; j < n; j++; j) g(j);");
    EXPECT_TRUE(has(c, " == 0) {"));
}

TEST_F(ForallTest, NamesOfTemporariesAreNobodyElses)
{
    std::string loops;
    for (int i = 0; i < 40; i++)
        loops += "upc_forall (i = 0; i < n; i++; &c[i + k]) c[i + k] = j++ ? *p++ : (*q)++; ";
    std::string c = translate(loops);
    for (const char* type : {"bn_i64", "bn_u64", "bn_u32", "bn_i32"})
        EXPECT_FALSE(has(c, std::string("bn_i64 ") + type + " = "));
}

TEST_F(ForallTest, StrictAccessesStayStrict)
{
    std::string c = translate("\n#pragma upc strict\n upc_forall (i = 0; i < n; i++; &a[i]) a[i] = 1;");
    EXPECT_FALSE(has(c, "_a["));
}

// Called from within another upc_forall, a loop goes over what others own, too: not by plain pointers where that may be
// far.
TEST_F(ForallTest, PlainPointersReachNobodyElse)
{
    const char* loop = "upc_forall (i = 0; i < n; i++; &c[i]) c[i] = h();";
    EXPECT_TRUE(has(translate(loop), "3, bn_outer1); "));
    std::string far = translate(loop, {true, true}, true);
    EXPECT_TRUE(has(far, "bn_first_piece_joined(&bn_blocks3, bn_start4, bn_end5, 0, 3, 0); "));
    EXPECT_TRUE(has(far, "if (bn_outer1 == 0) "));
    EXPECT_TRUE(has(far, "bn_is_near"));
    far = translate("upc_forall (i = 1; i < n; i++; &v[i]) v[i] = u[i - 1];", {true, true}, true);
    EXPECT_TRUE(has(far, "bn_elem_block(u, "));
}

}  // namespace
}  // namespace bn::lower
