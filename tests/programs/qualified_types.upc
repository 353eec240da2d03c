// const, volatile, restrict, strict and relaxed beside shared
#include <upc.h>

#include "check.h"

shared const int a = 5;
const shared [2] int table[2 * THREADS];
volatile shared int v;
shared volatile strict int vs;
relaxed shared [3] int r[3 * THREADS];
typedef strict shared int flag_t;
flag_t flags[THREADS];
strict shared struct {
    int x;
    relaxed shared int *p;
} s;

static int sum(const shared int *restrict p, relaxed shared int *restrict q)
{
    return *p + *q;
}

int main(void)
{
    EQ(a, 5);
    EQ(table[1], 0);
    flags[MYTHREAD] = MYTHREAD + 1;
    if (MYTHREAD == 0) {
        v = 1;
        vs = 2;
        s.x = 3;
        s.p = (relaxed shared int *)&s.x;
        *(relaxed shared [3] int *)&r[1] = 4;
    }
    upc_barrier;
    EQ(v + vs + s.x + r[1], 10);
    EQ(*s.p, 3);
    EQ(*(relaxed shared int *)&vs, 2);
    EQ(*(strict shared int *)&v, 1);
    for (int t = 0; t < THREADS; t++)
        EQ(flags[t], t + 1);
    EQ(sum(&a, (relaxed shared int *)&v), 6);
    strict shared int *strict_pointer = (strict shared int *)&v;
    shared int *plain = (shared int *)strict_pointer;
    EQ(*plain, 1);
    return finish();
}
