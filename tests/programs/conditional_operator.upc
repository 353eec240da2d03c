// The conditional operator with pointers-to-shared (gotcha 16)
// races: no, all threads write the same value
#include <upc.h>

#include "check.h"

shared [4] int a[8 * THREADS];
shared [4] int b[8 * THREADS];
shared int x, y;

static shared [4] int *choose(int yes)
{
    return yes ? a + 5 : b + 6;
}

int main(void)
{
    int yes = MYTHREAD >= 0, no = !yes;
    shared void *generic = &a[3];

    CHECK((yes ? &a[1] : &b[1]) == &a[1]);
    CHECK((no ? &a[1] : &b[1]) == &b[1]);
    CHECK(choose(1) == &a[5] && choose(0) == &b[6]);
    CHECK((yes ? &a[1] : NULL) == &a[1]);
    CHECK((no ? &a[1] : 0) == NULL);
    CHECK((yes ? (void *)0 : &a[1]) == NULL);
    EQ(upc_phaseof(yes ? generic : (shared void *)&b[2]), 3);
    EQ(upc_phaseof(no ? generic : &b[2]), 2);
    EQ(upc_phaseof(yes ? &b[2] : generic), 2);
    EQ((yes ? &a[3] : &b[2]) - a, 3);
    *(yes ? &x : &y) = 3;
    EQ(x, 3);
    upc_barrier;
    if (MYTHREAD == 0)
        (no ? x : y) == 0 ? (void)(y = 9) : (void)(x = 9);
    upc_barrier;
    EQ(yes ? y : x, 9);
    shared int *elvis = NULL;
    CHECK((elvis ?: &x) == &x);
    EQ(*(elvis ? elvis : &y), 9);
    return finish();
}
