// Clause: one thread's blocks follow each other without padding (facts 1.7)
#include <upc.h>

#include "check.h"

shared [3] double a[12 * THREADS];
shared short b[9 * THREADS];
shared [2] struct {
    char c[3];
} s[6 * THREADS];

int main(void)
{
    double *mine = (double *)&a[3 * MYTHREAD];
    short *mine_b = (short *)&b[MYTHREAD];

    for (int i = 0; i < 12; i++)
        mine[i] = MYTHREAD * 100 + i;
    for (int i = 0; i < 9; i++)
        mine_b[i] = (short)(MYTHREAD * 100 + i);
    upc_barrier;
    for (int i = 0; i < 12 * THREADS; i++) {
        int thread = i / 3 % THREADS;
        int place = i / 3 / THREADS * 3 + i % 3;
        EQ(a[i], thread * 100 + place);
        if (thread == MYTHREAD)
            CHECK((double *)&a[i] == mine + place);
        CHECK((shared [] double *)&a[3 * thread] + place == (shared [] double *)&a[i]);
    }
    for (int i = 0; i < 9 * THREADS; i++)
        EQ(b[i], i % THREADS * 100 + i / THREADS);
    for (int i = 0; i < 6 * THREADS; i++)
        if (i / 2 % THREADS == MYTHREAD)
            EQ((char *)&s[i] - (char *)&s[2 * MYTHREAD], 3 * (i / 2 / THREADS * 2 + i % 2));
    return finish();
}
