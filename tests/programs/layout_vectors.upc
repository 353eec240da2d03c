// Test vectors of the layout with 4 threads and block size 3 (facts 1.7, 1.9)
// threads: 4
#include <upc.h>

#include "check.h"

shared [3] int a[30 * THREADS];

/* index, phase, thread, byte offset in the thread's part */
static const int layout[][4] = {{0, 0, 0, 0},   {2, 2, 0, 8},   {3, 0, 1, 0},   {11, 2, 3, 8},  {12, 0, 0, 12},
                                {13, 1, 0, 16}, {17, 2, 1, 20}, {23, 2, 3, 20}, {24, 0, 0, 24}};

/* from and to as phase, thread, offset; the distance between them */
static const int steps[][7] = {{0, 1, 12, -1, 2, 0, 20}, {2, 3, 8, 1, 0, 0, 12}, {1, 0, 16, -14, 2, 3, -4}};

static long offset(shared void *p)
{
    return (long)(upc_addrfield(p) - upc_addrfield(&a[3 * upc_threadof(p)]));
}

int main(void)
{
    for (size_t i = 0; i < sizeof layout / sizeof *layout; i++) {
        shared [3] int *p = &a[layout[i][0]];
        EQ(upc_phaseof(p), layout[i][1]);
        EQ(upc_threadof(p), layout[i][2]);
        EQ(offset(p), layout[i][3]);
    }
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const int *s = steps[i];
        shared [3] int *p = &a[s[2] / 4 / 3 * 12 + s[1] * 3 + s[0]];
        EQ(upc_phaseof(p), s[0]);
        EQ(upc_threadof(p), s[1]);
        EQ(offset(p), s[2]);
        shared [3] int *q = p + s[3];
        EQ(upc_phaseof(q), s[4]);
        EQ(upc_threadof(q), s[5]);
        EQ(offset(q), s[6]);
        EQ(q - p, s[3]);
        CHECK(q + -s[3] == p);
    }
    return finish();
}
