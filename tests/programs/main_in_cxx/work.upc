#include <upc_relaxed.h>

static shared int squares[THREADS];

int gather_squares(int *result)
{
    squares[MYTHREAD] = MYTHREAD * MYTHREAD;
    upc_barrier;
    for (int i = 0; i < THREADS; i++)
        result[i] = squares[i];
    upc_barrier;
    return THREADS;
}
