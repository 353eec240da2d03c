// GNU C's cast to a union, of a pointer-to-shared among others
#include <upc.h>

#include "check.h"

typedef union {
    int i;
    shared int *p;
    shared [2] int *blocks;
    shared void *v;
} any;
shared int x = 7;
shared [2] int a[4 * THREADS];
shared any stored;

static int value(any of)
{
    return *of.p;
}

int main(void)
{
    EQ(value((any)&x), 7);
    EQ(((any)3).i, 3);
    EQ(((any)&a[1]).blocks - a, 1);
    CHECK(((any)(shared void *)&x).v == &x);
    if (MYTHREAD == THREADS - 1)
        stored = (any)&x;
    upc_barrier;
    EQ(*stored.p, 7);
    return finish();
}
