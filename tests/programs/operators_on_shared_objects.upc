// Every operator on shared lvalues; the address is evaluated once (gotcha 15)
#include <upc.h>

#include "check.h"

shared int a[THREADS];
shared double d[THREADS];
shared unsigned char c[THREADS];
shared struct {
    int member[3];
    unsigned short s;
} s[THREADS];
static int calls;

static int index_once(void)
{
    calls++;
    return THREADS - 1;
}

static shared int *pointer_once(void)
{
    calls++;
    return &a[THREADS - 1];
}

static void test_all(void)
{
    int last = THREADS - 1;

    EQ(a[index_once()] = 10, 10);
    EQ(a[index_once()] += 5, 15);
    EQ(a[index_once()] -= 1, 14);
    EQ(a[index_once()] *= 3, 42);
    EQ(a[index_once()] /= 4, 10);
    EQ(a[index_once()] %= 7, 3);
    EQ(a[index_once()] <<= 4, 48);
    EQ(a[index_once()] >>= 1, 24);
    EQ(a[index_once()] |= 7, 31);
    EQ(a[index_once()] &= 28, 28);
    EQ(a[index_once()] ^= 255, 227);
    EQ(a[index_once()]++, 227);
    EQ(++a[index_once()], 229);
    EQ(a[index_once()]--, 229);
    EQ(--a[index_once()], 227);
    EQ(*pointer_once() += 3, 230);
    EQ((*pointer_once())++, 230);
    EQ(calls, 17);
    EQ(a[last], 231);
    EQ(-a[last], -231);
    EQ(~a[last], -232);
    EQ(!a[last], 0);
    EQ(a[last] ? 1 : 2, 1);
    EQ(((void)a[last], 5), 5);
    EQ(a[last] == 231 && a[last] < 232 && a[last] >= 231, 1);

    d[last] = 1;
    d[last] /= 4;
    d[last]++;
    CHECK(d[last] == 1.25);
    CHECK((int)(d[last] += 2) == 3);

    c[last] = 250;
    EQ(c[last] += 10, 4);
    EQ(c[last]--, 4);
    int too_large = 300;
    EQ(c[last] = (unsigned char)too_large, 44);
    EQ(c[last] = too_large, 44);

    s[last].member[index_once() % 3] = 7;
    s[last].member[(THREADS - 1) % 3] *= 2;
    EQ(s[last].member[(THREADS - 1) % 3], 14);
    s[last].s = 65535;
    EQ(++s[last].s, 0);

    int x = a[last] = d[last] = 2.9;
    EQ(x, 2);
    EQ(a[last], 2);
    CHECK(d[last] == 2.9);
    calls = 0;
}

int main(void)
{
    for (int t = 0; t < THREADS; t++) {
        if (t == MYTHREAD)
            test_all();
        upc_barrier;
    }
    return finish();
}
