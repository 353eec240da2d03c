// Clause: an index is extended by its own signedness before use (gotchas 1, 2)
#include <limits.h>
#include <upc.h>

#include "check.h"

shared [3] int a[400 * THREADS];
shared short b[400 * THREADS];
shared [] char c[400];

#define TEST(TYPE, VALUE)                                 \
    do {                                                  \
        TYPE i = (VALUE);                                 \
        long n = (long)(VALUE);                           \
        shared [3] int *p = &a[200];                      \
        shared short *q = &b[200];                        \
        shared [] char *r = &c[200];                      \
        CHECK(p + i == &a[200 + n]);                      \
        CHECK(i + p == &a[200 + n]);                      \
        CHECK(&p[i] == &a[200 + n]);                      \
        CHECK(&i[p] == &a[200 + n]);                      \
        CHECK(p - i == &a[200 - n]);                      \
        CHECK(q + i == &b[200 + n]);                      \
        CHECK(q - i == &b[200 - n]);                      \
        CHECK(r + i == &c[200 + n]);                      \
        CHECK(r - i == &c[200 - n]);                      \
        p += i;                                           \
        CHECK(p == &a[200 + n]);                          \
        p -= i;                                           \
        CHECK(p == &a[200]);                              \
        q -= i;                                           \
        CHECK(q == &b[200 - n]);                          \
        r += i;                                           \
        CHECK(r == &c[200 + n]);                          \
    } while (0)

enum colour { RED = 1, BLUE = 50 };

int main(void)
{
    TEST(char, 5);
    TEST(signed char, -7);
    TEST(unsigned char, 199);
    TEST(short, -150);
    TEST(unsigned short, 150);
    TEST(int, -199);
    TEST(int, 0);
    TEST(unsigned, 199u);
    TEST(long, -100L);
    TEST(unsigned long, 100UL);
    TEST(long long, -101LL);
    TEST(unsigned long long, 101ULL);
    TEST(_Bool, 1);
    TEST(enum colour, BLUE);

    struct {
        signed int s : 5;
        unsigned int u : 5;
    } bits = {-16, 31};
    CHECK(&a[200] + bits.s == &a[184]);
    CHECK(&a[200] + bits.u == &a[231]);
    CHECK(&a[200] - bits.u == &a[169]);
    CHECK(&b[200] - bits.s == &b[216]);

    EQ(upc_threadof(&a[(unsigned char)255]), 255 / 3 % THREADS);
    EQ(upc_threadof(&b[(signed char)127]), 127 % THREADS);
    return finish();
}
