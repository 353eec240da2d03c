#include <upc_relaxed.h>
#include <upc_castable.h>
#include <upc_collective.h>

static shared int values[THREADS], sum;

int sum_of_threads(int value)
{
    values[MYTHREAD] = value;
    upc_all_reduceI(&sum, values, UPC_ADD, THREADS, 1, NULL, 0);
    return sum;
}

static shared int first[THREADS];

int read_first(int thread)
{
    return first[thread];
}

/* The address is in the same thread's part of shared memory as this thread's element of a static array. */
int is_own_memory(void *memory)
{
    char *here = (char *)&first[MYTHREAD], *there = memory;
    return there - here < (1L << 36) && here - there < (1L << 36);
}
