// Clause: barrier expressions of every type convert to int and agree by value (facts 1.13, gotcha 34)
#include <limits.h>
#include <stdbool.h>
#include <upc.h>

#include "check.h"

enum colour { RED = 3 };

int main(void)
{
    short s = 2;
    long long big = 5;
    double d = 3.14;
    static int evaluations;

    upc_barrier (short)2;
    upc_barrier s;
    upc_barrier 3.14;
    upc_barrier d;
    upc_barrier big;
    upc_barrier RED;
    upc_barrier (bool)7;
    upc_barrier 'x';
    upc_barrier INT_MIN;
    upc_barrier INT_MAX;
    upc_barrier 0;
    upc_barrier -1;
    upc_barrier 1u;
    upc_barrier (MYTHREAD, 5);
    upc_barrier MYTHREAD - MYTHREAD;
    upc_barrier evaluations++;
    EQ(evaluations, 1);
    upc_notify evaluations++;
    EQ(evaluations, 2);
    upc_wait --evaluations;
    EQ(evaluations, 1);
    upc_barrier MYTHREAD % 2 ? 3.0 : 3;
    upc_notify 3.9;
    upc_wait 3;
    if (THREADS)
        upc_barrier;
    else
        upc_barrier 5;
    for (int i = 0; i < 3; i++)
        upc_barrier i;
    return finish();
}
