// flags: -no-pie
// Pointers to functions in shared memory, which processes of -network=shmem agree on if the program is not relocated
#include <upc.h>

#include "check.h"

static int twice(int x)
{
    return 2 * x;
}

static int squared(int x)
{
    return x * x;
}

shared [] struct {
    int (*f)(int);
} table[2];
int (*shared [] initialised[2])(int) = {squared, twice};

int main(void)
{
    if (MYTHREAD == 0) {
        table[0].f = twice;
        table[1].f = squared;
    }
    upc_barrier;
    EQ(table[0].f(21), 42);
    EQ(table[1].f(3), 9);
    EQ(initialised[0](5), 25);
    EQ(initialised[1](5), 10);
    return finish();
}
