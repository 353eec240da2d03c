// Clause: a cast to a pointer-to-local gives the owner's own memory; the operand is evaluated once (facts 1.9, gotcha
// 17)
#include <upc.h>

#include "check.h"

shared [3] int a[6 * THREADS];
shared struct {
    int x;
    double y[4];
} s[THREADS];
static int calls;

static shared [3] int *next(void)
{
    calls++;
    return &a[3 * MYTHREAD];
}

int main(void)
{
    int *local = (int *)next();
    EQ(calls, 1);
    for (int i = 0; i < 6; i++)
        local[i] = MYTHREAD * 10 + i;
    upc_barrier;
    for (int i = 0; i < 6 * THREADS; i++)
        EQ(a[i], i / 3 % THREADS * 10 + i / 3 / THREADS * 3 + i % 3);
    int neighbour = (MYTHREAD + 1) % THREADS;
    upc_barrier;
    a[3 * neighbour] = -neighbour;
    upc_barrier;
    EQ(local[0], -MYTHREAD);
    EQ(*(int *)next(), -MYTHREAD);
    EQ(((int *)next())[1], MYTHREAD * 10 + 1);
    EQ(calls, 3);

    double *y = (double *)&s[MYTHREAD].y[1];
    *y = 2.5;
    s[MYTHREAD].y[2] = 3.5;
    CHECK(y[1] == 3.5 && s[MYTHREAD].y[1] == 2.5);
    CHECK((void *)&s[MYTHREAD] == (void *)&s[MYTHREAD].x);
    shared [3] int *p = &a[3 * MYTHREAD];
    int *q = (int *)p++;
    CHECK(q == local && p == &a[3 * MYTHREAD + 1]);
    const int *c = (const int *)p;
    EQ(*c, MYTHREAD * 10 + 1);
    EQ((uintptr_t)q % sizeof(int), 0);
    return finish();
}
