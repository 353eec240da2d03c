// upc_forall in functions that have assembler: its outputs are what it changes, and no more
#include <upc_relaxed.h>
#include "check.h"

shared int a[10 * THREADS];
shared int b[10 * THREADS];

static int passed_on(int value)
{
    asm volatile("" : "+r"(value) : : "memory");
    return value;
}

int main(void)
{
    int count = 10 * THREADS, iterations = 0;
    asm volatile("" : "+r"(count));
    upc_forall (int i = 0; i < count; i++; &a[i]) {
        int value = i;
        asm volatile("" : "+r"(value));
        a[i] = value;
        b[i] = passed_on(2 * i);
        iterations++;
    }
    EQ(iterations, 10);
    iterations = 0;
    upc_forall (int i = 0; i < count; i++; &a[i]) {   // whose variable it changes
        asm volatile("" : "+r"(i) : : "memory");
        iterations++;
    }
    EQ(iterations, 10);
    upc_barrier;
    for (int i = 0; i < count; i++)
        CHECK(a[i] == i && b[i] == 2 * i);
    return finish();
}
