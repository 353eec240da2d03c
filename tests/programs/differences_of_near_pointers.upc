// Differences of pointers that are one element apart or none, by a condition: gcc 12 at -O2 takes -8 / 8 for 0 here if
// the difference of the addresses is divided as a signed number.
#include <upc.h>
#include "check.h"

shared [*] unsigned long blocked[4 * THREADS];
shared unsigned long cyclic[4 * THREADS];
shared [] unsigned long indefinite[8];
shared [*] unsigned long rows[4 * THREADS][2];

static __attribute__((noinline)) int in_blocks(unsigned k)
{
    return (blocked + 4 % (4 * THREADS)) - (blocked + (long)((unsigned long)(0u < k) % (4 * THREADS)));
}

static __attribute__((noinline)) int in_turn(unsigned k)
{
    return (cyclic + 4 % (4 * THREADS)) - (cyclic + (long)((unsigned long)(0u < k) % (4 * THREADS)));
}

static __attribute__((noinline)) int on_one(unsigned k)
{
    long x = 0u < k;
    return (((indefinite + 4) - (indefinite + 4 + x)) + x) * 2 + 4 - x;
}

static __attribute__((noinline)) int of_rows(unsigned k)
{
    long x = 0u < k;
    return ((rows - (rows + x)) + x) * 2 + 4 - x;
}

int main(void)
{
    int four = 4 % (4 * THREADS);
    for (unsigned k = 0; k < 3; k++) {
        EQ(in_blocks(k), four - (k > 0));
        EQ(in_turn(k), four - (k > 0));
        EQ(on_one(k), 4 - (k > 0));
        EQ(of_rows(k), 4 - (k > 0));
    }
    return finish();
}
