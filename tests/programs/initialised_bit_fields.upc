// Initial values of bit-fields may depend on the number of threads, beside other members that do
#include <upc.h>

#include "check.h"

struct bits {
    unsigned a : 3;
    int b : 20;
    shared int *p;
    _Bool odd : 1;
    unsigned long c : 40;
};
shared int x;
shared struct bits one = {5, THREADS, &x, THREADS % 2, 1ul << 39};
shared struct {
    int a : 12;
} unnamed = {-THREADS};
shared [2] struct {
    struct bits in[2];
    int n;
} many[2 * THREADS] = {[1] = {.in[1].b = 2 * THREADS, .in[0].a = 7, .n = THREADS}, [0].in[0 ... 1].b = THREADS + 1};
shared struct bits rows[2][THREADS] = {{{.b = THREADS}}, {{.a = 1, .b = -1}}};

int main(void)
{
    EQ(one.a, 5);
    EQ(one.b, THREADS);
    CHECK(one.p == &x);
    EQ(one.odd, THREADS % 2);
    EQ(one.c, 1ul << 39);
    EQ(unnamed.a, -THREADS);
    EQ(many[1].in[1].b, 2 * THREADS);
    EQ(many[1].in[1].a, 0);
    EQ(many[1].in[0].a, 7);
    EQ(many[1].in[0].b, 0);
    EQ(many[1].n, THREADS);
    EQ(many[0].in[0].b, THREADS + 1);
    EQ(many[0].in[1].b, THREADS + 1);
    EQ(rows[0][0].b, THREADS);
    EQ(rows[1][0].a, 1);
    EQ(rows[1][0].b, -1);
    return finish();
}
