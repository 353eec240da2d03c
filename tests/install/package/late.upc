#include <upc.h>

int late_sum(void)
{
    shared int *parts = upc_all_alloc(THREADS, sizeof(int));
    parts[MYTHREAD] = MYTHREAD + 1;
    upc_barrier;
    int sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += parts[i];
    return sum;
}
