// Clause: the last statement of a statement expression gives its value behind labels, too (GNU C)
#include <upc.h>

#include "check.h"

shared [3] int a[3 * THREADS];

#define FIND(x)                                                                                                        \
    ({                                                                                                                 \
        __label__ found;                                                                                               \
        shared [3] int *r = NULL;                                                                                      \
        for (int i = 0; i < 3 * THREADS; i++)                                                                          \
            if (a[i] == (x)) {                                                                                         \
                r = &a[i];                                                                                             \
                goto found;                                                                                            \
            }                                                                                                          \
    found:                                                                                                             \
        r;                                                                                                             \
    })

int main(void)
{
    if (MYTHREAD == 0)
        for (int i = 0; i < 3 * THREADS; i++)
            a[i] = i * 10;
    upc_barrier;
    shared [3] int *p = FIND(20);
    EQ(*p, 20);
    EQ(*(FIND(10) + 1), 20);
    CHECK(!FIND(15));
    EQ(FIND(0)[1], 10);
    EQ(upc_phaseof(FIND(10)), 1);
    upc_barrier;
    int old = ({
    first:
    second:
        a[3 * MYTHREAD]++;
    });
    EQ(old, 30 * MYTHREAD);
    return finish();
}
