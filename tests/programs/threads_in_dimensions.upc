// Clause: forms of THREADS in array dimensions that are legal in both environments (facts 1.8)
#include <upc.h>

#include "check.h"

typedef int five_t[5];

shared int a[THREADS];
shared int b[10 * THREADS];
shared int c[THREADS * 10];
shared int d[THREADS * (100 * 20)];
shared int e[THREADS * 100 * 20];
shared int f[(3) * THREADS];
shared int g[1UL * THREADS];
shared int h[(THREADS)];
shared [2] int i[sizeof(int) * THREADS][5];
shared five_t j[THREADS];
shared [] int k[10];
shared [0] int l[2][3];
shared int m[5][THREADS][2];
extern shared int n[];
shared int n[2 * THREADS];
enum { SIX = 6 };
shared [SIX / 2] int o[SIX * THREADS];

static long sum(shared int p[THREADS], shared [2] int q[10], shared int r[][5])
{
    return p[0] + q[0] + r[0][0];
}

int main(void)
{
    shared int(*row)[(3) * THREADS] = &f;
    shared int(*pointer)[10] = (shared int(*)[10])&b;

    EQ(sizeof a, sizeof(int) * THREADS);
    EQ(sizeof b, sizeof(int) * THREADS * 10);
    EQ(sizeof c, sizeof(int) * THREADS * 10);
    EQ(sizeof d, sizeof(int) * THREADS * 2000);
    EQ(sizeof e, sizeof(int) * THREADS * 2000);
    EQ(sizeof f, sizeof(int) * THREADS * 3);
    EQ(sizeof g, sizeof(int) * THREADS);
    EQ(sizeof h, sizeof(int) * THREADS);
    EQ(sizeof i, sizeof(int) * THREADS * 20);
    EQ(sizeof j, sizeof(int) * THREADS * 5);
    EQ(sizeof k, sizeof(int) * 10);
    EQ(sizeof l, sizeof(int) * 6);
    EQ(sizeof m, sizeof(int) * THREADS * 10);
    EQ(sizeof n, sizeof(int) * THREADS * 2);
    EQ(upc_blocksizeof(o), 3);
    EQ(sizeof *row, sizeof f);
    EQ(sizeof *pointer, 10 * sizeof(int));
    EQ(sizeof(shared int[THREADS][3]), sizeof(int) * THREADS * 3);
    if (MYTHREAD == 0) {
        a[0] = 1;
        i[0][0] = 2;
        m[0][0][0] = 4;
    }
    upc_barrier;
    EQ(sum(a, (shared [2] int *)i, (shared int(*)[5])m), 7);
    return finish();
}
