// Clause: every thread evaluates the affinity once in every iteration (facts 1.12, gotcha 31)
#include <upc.h>

#include "check.h"

shared int a[4 * THREADS];
static int calls;

static int integer(int i)
{
    calls++;
    return i;
}

static shared int *pointer(int i)
{
    calls += 100;
    return &a[i];
}

int main(void)
{
    int i, k = 0, bodies = 0, steps = 0, conditions = 0;

    upc_forall (i = 0; conditions++, i < 12; steps++, i++; integer(i))
        bodies++;
    EQ(calls, 12);
    EQ(steps, 12);
    EQ(conditions, 13);
    EQ(bodies, (12 + THREADS - 1 - MYTHREAD) / THREADS);
    upc_forall (i = 0; i < 4 * THREADS; i++; pointer(i))
        bodies++;
    EQ(calls, 12 + 400 * THREADS);
    upc_forall (i = 0; i < 20; i++; k++)
        EQ((k - 1) % THREADS, MYTHREAD);
    EQ(k, 20);
    calls = 0;
    upc_forall (i = 0; i < 6; i++; i)
        upc_forall (int j = 0; j < 5; j++; integer(j))
            bodies++;
    EQ(calls, 5 * ((6 + THREADS - 1 - MYTHREAD) / THREADS));
    return finish();
}
