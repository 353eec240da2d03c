// GNU and C11 features around shared objects
#include <upc.h>

#include "check.h"

shared [4] int a[8 * THREADS];
shared double d = 1.5;
_Alignas(64) shared int aligned;
shared int attributed __attribute__((aligned(32), unused));
_Static_assert(upc_blocksizeof(a) == 4, "block size");

#define MAXIMUM(x, y)              \
    ({                             \
        __typeof__((x) + 0) max_x = (x); \
        __typeof__((y) + 0) max_y = (y); \
        max_x > max_y ? max_x : max_y; \
    })

static int sum(int n, shared [4] int p[n])
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += p[i];
    return total;
}

__attribute__((noinline)) static shared [4] int *at(int i)
{
    return &a[i];
}

int main(void)
{
    if (MYTHREAD == 0)
        for (int i = 0; i < 8 * THREADS; i++)
            a[i] = i;
    upc_barrier;
    EQ(MAXIMUM(a[3], a[5]), 5);
    EQ(({ int x = a[2]; x + a[1]; }), 3);
    __typeof__(&a[0]) p = &a[6];
    EQ(upc_blocksizeof(*p), 4);
    EQ(upc_phaseof(p), 2);
    __auto_type q = &a[7];
    EQ(q - p, 1);
    __auto_type value = 1 * d;
    CHECK(value == 1.5);
    EQ(_Generic(1 * a[0], int: 1, default: 2), 1);
    EQ(_Generic(&a[0], shared [4] int *: 1, shared int *: 2, default: 3), 1);
    EQ(_Generic((shared int *)0, shared [4] int *: 1, shared [1] int *: 2, default: 3), 2);
    EQ(sum(4, a), 6);
    EQ(at(5)[1], 6);
    EQ(upc_addrfield(&aligned) % 64, 0);
    EQ(upc_addrfield(&attributed) % 32, 0);
    int zero = a[0] ?: 42;
    EQ(zero, 42);
    static const int range[] = {[0 ... 3] = 4};
    EQ(range[3], a[4]);
    switch (a[3]) {
    case 1 ... 2:
        CHECK(0);
        break;
    case 3 ... 5:
        break;
    default:
        CHECK(0);
    }
    void *labels[] = {&&first, &&second};
    goto *labels[a[1]];
first:
    CHECK(0);
second:
    EQ(__builtin_expect(a[7], 7), 7);
    EQ((int)sizeof(shared int), (int)sizeof(int));
    EQ(__alignof__(a[0]), __alignof__(int));
    return finish();
}
