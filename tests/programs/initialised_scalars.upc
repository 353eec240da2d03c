// Clause: shared objects with initialisers have their values before main, on every thread (facts 1.11)
#include <upc.h>

#include "check.h"

shared int a = 42;
static shared double b = 2.5;
shared char c = 'c';
shared long long d = -5000000000;
shared struct point {
    int x, y;
    char name[8];
    double w[2];
} e = {1, 2, "point", {0.5, 0.25}};
shared struct point f = {.y = 9, .w[1] = 7};
shared union {
    int i;
    char c[4];
} g = {.i = 0x01010101};
shared [] struct point *h;
shared int zero;
int *shared null_pointer = 0;
shared _Bool truth = 5;
shared float computed = 3 * 0.5f + 1;
enum { CONSTANT = 11 };
shared int from_enum = CONSTANT;
shared unsigned long size = sizeof(struct point);

int main(void)
{
    EQ(a, 42);
    CHECK(b == 2.5);
    EQ(c, 'c');
    EQ(d, -5000000000);
    EQ(e.x * 10 + e.y, 12);
    EQ(e.name[0], 'p');
    EQ(e.name[4], 't');
    EQ(e.name[5] + e.name[7], 0);
    CHECK(e.w[0] == 0.5 && e.w[1] == 0.25);
    EQ(f.x, 0);
    EQ(f.y, 9);
    CHECK(f.w[1] == 7 && f.w[0] == 0);
    EQ(g.c[2], 1);
    CHECK(h == NULL && null_pointer == NULL);
    EQ(zero, 0);
    EQ(truth, 1);
    CHECK(computed == 2.5f);
    EQ(from_enum, 11);
    EQ(size, sizeof(struct point));
    upc_barrier;
    if (MYTHREAD == 0)
        a++;
    upc_barrier;
    EQ(a, 43);
    return finish();
}
