// Clause: upc_forall with a pointer-to-shared as affinity (facts 1.12)
#include <upc.h>

#include "check.h"

shared int a[10 * THREADS];
shared [3] int b[10 * THREADS];
shared [] int c[10];
shared [2] int m[3 * THREADS][5];
shared [4] struct {
    int x;
    int y[3];
} s[5 * THREADS];
upc_lock_t *lock;

int main(void)
{
    int i, done;

    upc_forall (i = 0; i < 10 * THREADS; i++; &a[i])
        EQ(i % THREADS, MYTHREAD);
    upc_forall (i = 0; i < 10 * THREADS; i++; &b[i])
        EQ(i / 3 % THREADS, MYTHREAD);
    upc_forall (i = 0; i < 10 * THREADS; i++; b + i)
        EQ(i / 3 % THREADS, MYTHREAD);
    upc_forall (i = 0; i < 10; i++; &c[i])
        EQ(MYTHREAD, 0);
    upc_forall (i = 0; i < 3 * THREADS; i++; m[i])
        EQ(i * 5 / 2 % THREADS, MYTHREAD);
    upc_forall (i = 0; i < 3 * THREADS; i++; &m[i][4])
        EQ((i * 5 + 4) / 2 % THREADS, MYTHREAD);
    upc_forall (i = 0; i < 5 * THREADS; i++; &s[i].y[2])
        EQ(i / 4 % THREADS, MYTHREAD);
    upc_forall (i = 0; i < 5 * THREADS; i++; s[i].y)
        EQ(i / 4 % THREADS, MYTHREAD);
    upc_forall (i = 0; i < 10 * THREADS; i++; (shared void *)&b[i])
        EQ(i / 3 % THREADS, MYTHREAD);

    done = 0;
    upc_forall (shared [3] int *p = b; p < b + 10 * THREADS; p++; p) {
        EQ(upc_threadof(p), MYTHREAD);
        done++;
    }
    for (i = 0; i < 10 * THREADS; i++)
        done -= i / 3 % THREADS == MYTHREAD;
    EQ(done, 0);

    upc_forall (i = 0; i < 5; i++; (shared int *)NULL)
        EQ(MYTHREAD, 0);
    done = 0;
    upc_forall (i = 0; i < 5; i++; a)
        done++;
    EQ(done, MYTHREAD == 0 ? 5 : 0);
    const shared int *p = &a[THREADS - 1];
    done = 0;
    upc_forall (i = 0; i < 5; i++; p)
        done++;
    EQ(done, MYTHREAD == THREADS - 1 ? 5 : 0);
    return finish();
}
