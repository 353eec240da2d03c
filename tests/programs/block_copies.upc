// Clause: upc_memcpy, upc_memget, upc_memput, upc_memset: bytes on one thread, phase and block size ignored (facts 2.4,
// gotcha 44)
#include <upc.h>

#include "check.h"

enum { N = 600 };
shared [] unsigned char *shared area[THREADS];
shared int cyclic[50 * THREADS];
shared [7] int blocked[49 * THREADS];

static void check_sizes(int source, int target)
{
    static unsigned char buffer[N], expected[N];

    for (size_t size = 0; size < 80; size += FAR_TIMES(1, 9))
        for (size_t from = 0; from < 9; from += 4)
            for (size_t to = 0; to < 9; to += 3) {
                for (size_t i = 0; i < N; i++)
                    buffer[i] = (unsigned char)(i * 7 + size + from);
                upc_memput(area[source], buffer, N);
                upc_memset(area[target] + N, 0x55, N);
                upc_memcpy(area[target] + N + to, area[source] + from, size);
                memset(expected, 0x55, N);
                memcpy(expected + to, buffer + from, size);
                memset(buffer, 0, N);
                upc_memget(buffer, area[target] + N, N);
                CHECK(memcmp(buffer, expected, N) == 0);
                upc_memget(buffer + to, area[source] + from, size);
                CHECK(memcmp(buffer, expected, N) == 0);
                upc_memset(area[target] + N + from, (int)(size + 1000), size);
                for (size_t i = 0; i < size; i++)
                    EQ(area[target][N + from + i], (unsigned char)(size + 1000));
                EQ(area[target][N + from + size], expected[from + size]);
            }
}

int main(void)
{
    area[MYTHREAD] = upc_alloc(2 * N);
    upc_barrier;
    for (int turn = 0; turn < THREADS; turn++) {
        if (turn == MYTHREAD)
            check_sizes((MYTHREAD + 1) % THREADS, (MYTHREAD + THREADS - 1) % THREADS);
        upc_barrier;
    }

    /* after &cyclic[i], that thread's memory continues with elements i + THREADS, i + 2 * THREADS, ... */
    int i;
    upc_forall (i = 0; i < 50 * THREADS; i++; &cyclic[i])
        cyclic[i] = i;
    upc_barrier;
    int copy[50];
    for (int t = 0; t < THREADS; t++) {
        upc_memget(copy, &cyclic[t + 5 * THREADS], 45 * sizeof(int));
        for (int k = 0; k < 45; k++)
            EQ(copy[k], t + (k + 5) * THREADS);
    }
    upc_barrier;
    for (int k = 0; k < 49; k++)
        copy[k] = MYTHREAD * 100 + k;
    upc_memput(&blocked[7 * MYTHREAD], copy, 49 * sizeof(int));
    upc_memput(&blocked[7 * MYTHREAD + 3], copy + 20, 5 * sizeof(int));
    upc_barrier;
    for (int k = 0; k < 49 * THREADS; k++) {
        int t = k / 7 % THREADS, place = k / 7 / THREADS * 7 + k % 7;
        EQ(blocked[k], t * 100 + (place >= 3 && place < 8 ? place + 17 : place));
    }
    upc_memget(NULL, cyclic, 0);
    upc_memput(cyclic, NULL, 0);
    upc_memset(cyclic, 1, 0);
    upc_memcpy(cyclic, blocked, 0);
    upc_barrier;
    upc_free(area[MYTHREAD]);
    return finish();
}
