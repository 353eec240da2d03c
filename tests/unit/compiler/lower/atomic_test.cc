// Which atomic operations are expanded inline, and in which form. That they are equivalent to the functions is tested
// by tests/programs/atomics_in_place.upc.
#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::lower {
namespace {

class AtomicTest : public ::testing::Test {
protected:
    // The C of a function with this body
    std::string translate(const std::string& body, Passes passes = Passes::all(), bool checks = false,
                          bool far_threads = false)
    {
        driver::TranslateOptions options;
        options.source_name = "t.upc";
        options.passes = passes;
        options.checks = checks;
        options.far_threads = far_threads;
        driver::TranslateResult result = driver::translate(
            "typedef shared struct domain_struct domain_t; domain_t *d; shared long cells[12*THREADS]; shared int *p;"
            "shared double *r; shared [2] struct { char c; long l; } s[12*THREADS]; shared void *v; shared short *h;"
            "void upc_atomic_relaxed(domain_t *, void *, unsigned long, shared void *, const void *, const void *);"
            "void upc_atomic_strict(domain_t *, void *, unsigned long, shared void *, const void *, const void *);"
            "long bupc_atomicL_fetchadd_relaxed(shared void *, long); void bupc_atomicI_set_strict(shared void *, int);"
            "long bupc_atomicL_mswap_relaxed(shared void *, long, long); int bupc_atomicI_read_strict(shared void *);"
            "long bupc_atomicL_fetchadd_private(void *, long);"
            "void f(int n, long *q, void *u) { long a, b, old; int i; " +
                body + " }",
            options);
        EXPECT_TRUE(result.ok) << body << "\n" << result.messages;
        size_t at = result.c.find("{ long a, b");
        return at == std::string::npos ? result.c : result.c.substr(at);
    }

    // Whether the C has this text
    bool has(const std::string& body, const std::string& text)
    {
        return translate(body).find(text) != std::string::npos;
    }
};

TEST_F(AtomicTest, TheTypesOfTheArgumentsGiveTheWidth)
{
    EXPECT_TRUE(
        has("upc_atomic_relaxed(d, 0, n, &cells[n], &a, 0);",
            "bn_atomic_copying64(upc_atomic_relaxed, bn_own_upc_atomic_relaxed, 0, BN_DIRECT_INTEGERS, d, 0, n, "
            "(bn_u64)bn_elem_cyclic("));
    EXPECT_TRUE(has("upc_atomic_strict(d, 0, n, p, 0, 0);",
                    "bn_atomic_copying32(upc_atomic_strict, bn_own_upc_atomic_strict, 1, BN_DIRECT_INTEGERS, d, 0, n, "
                    "(bn_u64)(p).addr, 0, 0)"));
    EXPECT_TRUE(has("upc_atomic_relaxed(d, 0, n, r, 0, 0);", "BN_DIRECT_BITS, d, 0, n, (bn_u64)(r).addr"));
    EXPECT_TRUE(has("upc_atomic_relaxed(d, 0, n, v, q, 0);", "bn_atomic64("));
    EXPECT_TRUE(has("upc_atomic_relaxed(d, &old, n, v, u, 0);", "bn_atomic64("));
    EXPECT_TRUE(has("upc_atomic_relaxed(d, 0, n, &s[n].l, &a, 0);", "bn_atomic_copying64("));
    EXPECT_FALSE(has("upc_atomic_relaxed(d, u, n, v, u, 0);", "bn_atomic"));
    EXPECT_FALSE(has("upc_atomic_relaxed(d, u, n, h, u, 0);", "bn_atomic"));
}

// What a pointer of unknown origin leads to may be longer than its type says.
TEST_F(AtomicTest, OnlyWholeVariablesAreCopied)
{
    EXPECT_TRUE(has("upc_atomic_relaxed(d, &old, n, &cells[n], &a, (const void *)&b);", "bn_atomic_copying64("));
    EXPECT_TRUE(has("upc_atomic_relaxed(d, &old, n, &cells[n], &a, ((void *)0));", "bn_atomic_copying64("));
    EXPECT_TRUE(has("upc_atomic_relaxed(d, q, n, &cells[n], &a, 0);", "bn_atomic_copying64("));
    EXPECT_TRUE(has("upc_atomic_relaxed(d, &old, n, &cells[n], q, &b);", "bn_atomic64("));
    EXPECT_TRUE(has("upc_atomic_relaxed(d, &old, n, &cells[n], &q[1], &b);", "bn_atomic64("));
    EXPECT_TRUE(has("upc_atomic_relaxed(d, &old, n, &cells[n], &i, &b);", "bn_atomic64("));
}

TEST_F(AtomicTest, TypedOperationsHaveNoDomain)
{
    EXPECT_TRUE(has("old = bupc_atomicL_fetchadd_relaxed(&cells[n], i);",
                    "long bn_v2 = i; long bn_v3; if (__builtin_expect(bupc_atomicL_fetchadd_relaxed == "
                    "bn_own_bupc_atomicL_fetchadd_relaxed, 1)) bn_v3 = (long)bn_change_word64(BN_DIRECT_ADD, 0, 1, "
                    "(bn_word64 *)bn_p1, (bn_u64)bn_v2, 0); else bn_v3 = bupc_atomicL_fetchadd_relaxed(bn_at((void "
                    "*)bn_p1), bn_v2); bn_v3; "));
    EXPECT_TRUE(has("bupc_atomicL_fetchadd_relaxed(&cells[n], 1);", "(void)bn_change_word64(BN_DIRECT_ADD, 0, 0, "));
    EXPECT_TRUE(has("bupc_atomicI_set_strict(p, 1);", "(void)bn_change_word32(BN_DIRECT_SET, 1, 0, "));
    EXPECT_TRUE(has("i = bupc_atomicI_read_strict(p);", "(int)bn_change_word32(BN_DIRECT_GET, 1, 1, "));
    EXPECT_FALSE(has("bupc_atomicL_mswap_relaxed(p, 1, 2);", "bn_change"));
    EXPECT_FALSE(has("bupc_atomicL_fetchadd_private(q, 2);", "bn_change"));
}

TEST_F(AtomicTest, OthersAreCalled)
{
    const std::string both = "upc_atomic_relaxed(d, 0, n, p, 0, 0); bupc_atomicI_set_strict(p, 1);";
    for (const std::string& c :
         {translate(both, {}), translate(both, Passes::all(), true), translate(both, Passes::all(), false, true)}) {
        EXPECT_EQ(c.find("bn_atomic"), std::string::npos) << c;
        EXPECT_EQ(c.find("bn_change"), std::string::npos) << c;
    }
    EXPECT_FALSE(has("void (*g)() = (void (*)())upc_atomic_relaxed; g();", "bn_atomic"));
}

}  // namespace
}  // namespace bn::lower
