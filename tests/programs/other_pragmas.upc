// Pragmas of other compilers and tools are accepted (facts 1.15)
// flags: -Wno-unknown-pragmas
#include <upc.h>
#pragma upc c_code
#include <ctype.h>
#pragma upc upc_code
#pragma pupc on
#pragma STDC FP_CONTRACT OFF
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"

#include "check.h"

shared int x, table[8 * THREADS];
static int list[8] = {3, 1, 4, 1, 5, 2, 6, 0};

int main(void)
{
    int sum = 0;
#pragma pupc off
    int unused;
    if (MYTHREAD == 0)
        x = 4;
    upc_barrier;
#pragma GCC unroll 4
    for (int i = 0; i < 10; i++)
        EQ(x, 4);
    upc_forall (int i = 0; i < 8 * THREADS; i++; &table[i]) table[i] = i;
    upc_barrier;
#pragma GCC unroll 4
    for (int i = 0; i < 8; i++)
        sum += table[list[i]];
    EQ(sum, 22);
    return finish();
}
#pragma GCC diagnostic pop
