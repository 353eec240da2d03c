// Clause: null pointers-to-shared (facts 1.9, gotchas 5, 18, 20)
#include <upc.h>

#include "check.h"

shared int x;
shared int *zero_initialised;
shared int *shared shared_zero;
shared [3] char *array_of_zero[4];

static int is_null(shared void *p)
{
    return p == NULL;
}

int main(void)
{
    shared int *a = NULL;
    shared [7] double *b = 0;
    shared [] char *c = (void *)0;
    shared void *d = (shared void *)0;
    shared [7] double *e = (shared [7] double *)NULL;

    CHECK(a == NULL && NULL == a && a == 0 && !a);
    CHECK(b == e && !b && !c && !d);
    CHECK(d == a && d == b && d == c);
    CHECK((int *)a == NULL && (char *)c == NULL && (void *)d == NULL && (double *)b == NULL);
    CHECK(is_null(NULL) && is_null(0) && is_null((void *)0) && is_null(b));
    CHECK(!zero_initialised && !shared_zero && !array_of_zero[3]);
    EQ(upc_threadof(NULL), 0);
    EQ(upc_phaseof(NULL), 0);
    EQ(upc_threadof(0), 0);
    EQ(upc_threadof(b), 0);
    EQ(upc_phaseof(e), 0);
    CHECK(upc_resetphase(b) == NULL);
    a = &x;
    CHECK(a != NULL && a && !!a && !(a == 0));
    a = 0;
    CHECK(!a);
    if (a)
        CHECK(0);
    return finish();
}
