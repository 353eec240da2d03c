// Large block copies in all directions, and copies of own memory (facts 2.4)
#include <upc.h>

#include "check.h"

enum { N = 3 * 1024 * 1024 + 17 };
shared [] unsigned char *shared area[THREADS];

int main(void)
{
    unsigned char *copy = malloc(N);
    area[MYTHREAD] = upc_alloc(N);
    for (int i = 0; i < N; i++)
        copy[i] = (unsigned char)(i % 251 + MYTHREAD);
    upc_memput(area[MYTHREAD], copy, N);
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    shared [] unsigned char *mine = upc_alloc(N);
    upc_memcpy(mine, area[next], N);
    upc_memget(copy, mine, N);
    for (int i = 0; i < N; i++)
        if (copy[i] != (unsigned char)(i % 251 + next)) {
            EQ(copy[i], (unsigned char)(i % 251 + next));
            break;
        }
    upc_barrier;
    upc_memset(area[next], 0xab, N);
    upc_barrier;
    EQ(((unsigned char *)area[MYTHREAD])[N - 1], 0xab);
    EQ(((unsigned char *)area[MYTHREAD])[N / 2], 0xab);
    upc_free(mine);
    upc_free(area[MYTHREAD]);
    free(copy);
    return finish();
}
