// Shared objects of every arithmetic type: conversions on reading and writing
#include <complex.h>
#include <stdbool.h>
#include <upc.h>

#include "check.h"

#define TEST(TYPE, NAME)                              \
    shared [2] TYPE NAME[2 * THREADS];                \
    static void test_##NAME(void)                     \
    {                                                 \
        NAME[2 * MYTHREAD] = 1;                       \
        NAME[2 * MYTHREAD + 1] = (TYPE)(MYTHREAD + 1); \
        NAME[2 * MYTHREAD] += NAME[2 * MYTHREAD];     \
        NAME[2 * MYTHREAD] *= 3;                      \
        upc_barrier;                                  \
        for (int t = 0; t < THREADS; t++) {           \
            TYPE expected = 1;                        \
            expected += expected;                     \
            expected *= 3;                            \
            CHECK(NAME[2 * t] == expected);           \
            TYPE copy = NAME[2 * t + 1];              \
            CHECK(copy == (TYPE)(t + 1));             \
        }                                             \
        EQ(sizeof NAME[0], sizeof(TYPE));             \
    }

TEST(bool, b)
TEST(char, c)
TEST(signed char, sc)
TEST(unsigned char, uc)
TEST(short, s)
TEST(unsigned short, us)
TEST(int, i)
TEST(unsigned, u)
TEST(long, l)
TEST(unsigned long, ul)
TEST(long long, ll)
TEST(unsigned long long, ull)
TEST(float, f)
TEST(double, d)
TEST(long double, ld)
TEST(float _Complex, fc)
TEST(double _Complex, dc)
TEST(__int128, i128)
TEST(wchar_t, w)

typedef _Complex float pair __attribute__((mode(DC)));
TEST(pair, p)
#ifdef __x86_64__
typedef float quad __attribute__((mode(TF)));
TEST(quad, q)
#endif
#ifndef __clang__
TEST(_Complex _Float32, c32)
TEST(_Complex _Float64, c64)
TEST(_Complex _Float128, c128)
#elif defined(__BITINT_MAXWIDTH__)
typedef unsigned _BitInt(20) small;
TEST(small, bi20)
TEST(_BitInt(100), bi100)
#endif

int main(void)
{
    test_b();
    test_c();
    test_sc();
    test_uc();
    test_s();
    test_us();
    test_i();
    test_u();
    test_l();
    test_ul();
    test_ll();
    test_ull();
    test_f();
    test_d();
    test_ld();
    test_fc();
    test_dc();
    test_i128();
    test_w();
    test_p();
#ifdef __x86_64__
    test_q();
#endif
#ifndef __clang__
    test_c32();
    test_c64();
    test_c128();
#elif defined(__BITINT_MAXWIDTH__)
    test_bi20();
    test_bi100();
#endif
    upc_barrier;
    if (MYTHREAD == 0) {
        int large = 16777217;
        double half = 0.5;
        dc[0] = 1 + 2 * I;
        ld[0] = 1.25L;
        f[0] = (float)large;
        i[0] = (int)-1.9;
        u[0] = (unsigned)-1;
        b[0] = half;
    }
    upc_barrier;
    CHECK(creal(dc[0]) == 1 && cimag(dc[0]) == 2);
    CHECK(ld[0] * 2 == 2.5L);
    CHECK(f[0] == 16777216.0f);
    EQ(i[0], -1);
    CHECK(u[0] > 0);
    EQ(b[0], 1);
    return finish();
}
