// Members of packed structs are misaligned: strict and relaxed accesses must leave their alignment to the C compiler,
// which uses aligned vector loads for __int128 at -O3.
#include <upc.h>
#include "check.h"

struct inner {
    __int128 wide;
};
struct __attribute__((packed)) outer {
    char first;
    struct inner rows[2];
    unsigned bits : 19;
    long double real;
    shared [5] short *pointer;
};

shared [3] struct outer relaxed_array[5 * THREADS];
strict shared [3] struct outer strict_array[5 * THREADS];
shared [5] short targets[5 * THREADS];

int main(void)
{
    for (int i = MYTHREAD; i < 5 * THREADS; i += THREADS) {
        relaxed_array[i].rows[i % 2].wide = i;
        relaxed_array[i].rows[i % 2].wide += 1;
        relaxed_array[i].real = i;
        relaxed_array[i].pointer = &targets[i];
        strict_array[i].rows[i % 2].wide = i;
        strict_array[i].rows[i % 2].wide += 1;
        strict_array[i].real = i;
        strict_array[i].bits = i;
        strict_array[i].bits++;
        strict_array[i].pointer = &targets[i];
        strict_array[i].pointer++;
        *(relaxed_array[i].pointer) = i;
    }
    upc_barrier;
    for (int i = 0; i < 5 * THREADS; i++) {
        EQ(relaxed_array[i].rows[i % 2].wide, i + 1);
        EQ(relaxed_array[i].real, i);
        CHECK(relaxed_array[i].pointer == &targets[i]);
        EQ(strict_array[i].rows[i % 2].wide, i + 1);
        EQ(strict_array[i].real, i);
        EQ(strict_array[i].bits, i + 1);
        CHECK(strict_array[i].pointer == &targets[i] + 1);
        EQ(targets[i], i);
    }
    return finish();
}
