#include <upc.h>

static shared [] int initialised = 41;
static shared int ones[THREADS];

int count_threads(void)
{
    int count = 0;
    ones[MYTHREAD] = initialised - 40;
    upc_barrier;
    for (int i = 0; i < THREADS; i++)
        count += ones[i];
    upc_barrier;
    return count;
}
