// Clause: a shared object that is no array lives on thread 0, whatever its layout (facts 1.5, 1.6)
#include <upc.h>

#include "check.h"

shared int a;
shared [3] int b;
shared [] double c;
shared [0] char d;
static shared long e;
int shared f;
const shared int g = 7;
shared struct {
    int x;
    double y;
} h;
shared int *shared i;
shared [5] int *shared [3] j;

int main(void)
{
    EQ(upc_threadof(&a) + upc_threadof(&b) + upc_threadof(&c) + upc_threadof(&d) + upc_threadof(&e), 0);
    EQ(upc_threadof(&f) + upc_threadof(&h) + upc_threadof(&i) + upc_threadof(&j), 0);
    EQ(upc_threadof((shared void *)&g), 0);
    EQ(upc_phaseof(&b) + upc_phaseof(&j), 0);
    EQ(upc_blocksizeof(a), 1);
    EQ(upc_blocksizeof(b), 3);
    EQ(upc_blocksizeof(c), 0);
    EQ(upc_blocksizeof(j), 3);
    EQ(upc_blocksizeof(*j), 5);
    if (MYTHREAD == THREADS - 1) {
        a = 1;
        b = 2;
        c = 3.5;
        d = 'd';
        e = 1L << 40;
        f = -1;
        h.x = 5;
        h.y = 0.25;
    }
    upc_barrier;
    EQ(a, 1);
    EQ(b, 2);
    CHECK(c == 3.5);
    EQ(d, 'd');
    EQ(e, 1LL << 40);
    EQ(f, -1);
    EQ(g, 7);
    EQ(h.x, 5);
    CHECK(h.y == 0.25);
    upc_barrier;
    if (MYTHREAD == 0) {
        int *here = (int *)&a;
        *here = 9;
    }
    upc_barrier;
    EQ(a, 9);
    return finish();
}
