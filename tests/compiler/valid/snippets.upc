// What must compile without a message (facts 1.16)
#include <upc.h>
shared [3] int y;
shared int *q = 0;
shared [1] int *q1;
shared [] double *r;
shared [0] double *r0;
shared void *v;
shared [7] char *c;
upc_lock_t *l;
upc_lock_t *shared sl;
upc_lock_t *shared [3] al[3 * THREADS];
shared int a[1UL * THREADS];
shared int b[(3) * THREADS];
shared [] int *shared d[THREADS];
const shared int *volatile cp;
shared int *f(shared int array[THREADS], shared [5] int other[]);

shared int *f(shared int array[THREADS], shared [5] int other[])
{
    shared int(*p)[(3) * THREADS] = &b;
    q = 0;
    q = (void *)0;
    q = NULL;
    q1 = q;
    q = q1;
    r = r0;
    r0 = r;
    v = q;
    v = r;
    v = c;
    v = l;
    q = v;
    r = v;
    c = v;
    cp = q;
    l = (upc_lock_t *)v;
    upc_barrier (short)2;
    upc_barrier 3.14;
    if (q == q1 && r == r0 && v == c && q == v && p && !l && other != 0 && q != NULL)
        return array;
    return *p;
}

void g(void)
{
    upc_free(q);
    upc_free(c);
    upc_memcpy(a, b, upc_threadof(cp));
    upc_memget((void *)0, c, upc_phaseof(r));
    upc_lock(l);
    upc_unlock(sl);
    upc_lock(al[0]);
    shared [10] int *m = upc_all_alloc(3, 4);
    int *local = (int *)m;
    (void)local;
}
