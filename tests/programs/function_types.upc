// Functions that take and return pointers-to-shared: pointers to them, tables, recursion, inline, old style
// flags: -w
#include <upc.h>

#include "check.h"

typedef shared [2] int *(*step_t)(shared [2] int *, int);
shared [2] int a[8 * THREADS];
struct operations {
    step_t step;
    void (*set)(shared [2] int *p, int value);
};

static shared [2] int *forward(shared [2] int *p, int n)
{
    return p + n;
}

static inline shared [2] int *backward(shared [2] int *p, int n)
{
    return p - n;
}

static void set(shared [2] int *p, int value)
{
    *p = value;
}

static int sum(shared [2] int *p, int n)
{
    return n == 0 ? 0 : *p + sum(p + 1, n - 1);
}

static shared [2] int *old_style(p, n)
    shared [2] int *p;
    int n;
{
    return p + 2 * n;
}

static step_t choose(int which)
{
    return which ? forward : backward;
}

int main(void)
{
    const step_t table[] = {forward, backward};
    struct operations operations = {forward, set};

    if (MYTHREAD == 0)
        for (int i = 0; i < 8 * THREADS; i++)
            operations.set(operations.step(a, i), i);
    upc_barrier;
    EQ(*table[0](a, 5), 5);
    EQ(*table[1](a + 7, 5), 2);
    EQ(table[0](a, 5)[1], 6);
    EQ(upc_phaseof(choose(0)(&a[4], 1)), 1);
    EQ(*(*choose(1))(a, 3), 3);
    EQ(sum(a, 8), 28);
    EQ(*old_style(a, 3), 6);
    EQ(*operations.step(forward(a, 1), 1), 2);
    return finish();
}
