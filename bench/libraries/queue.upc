/* queue: threads take items from a queue under a lock.  Prints the milliseconds that all items take together;
 * queue_openmp.c is its twin. */
#include "queue.h"

#include <stdio.h>
#include <stdlib.h>

#include <upc.h>

static shared long next_item;
static shared unsigned long sums[THREADS];

static unsigned long take_all(upc_lock_t *lock)
{
    unsigned long sum = 0;
    for (;;) {
        upc_lock(lock);
        long item = next_item++;
        upc_unlock(lock);
        if (item >= QUEUE_ITEMS)
            return sum;
        sum += queue_work(item);
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int round = 0; round < rounds; round++) {
        upc_barrier;
        if (MYTHREAD == 0)
            next_item = 0;
        double begin = queue_now_ms(); /* before others can begin */
        upc_barrier;
        sums[MYTHREAD] = take_all(lock);
        upc_barrier;
        double end = queue_now_ms();
        unsigned long sum = 0;
        for (int t = 0; t < THREADS; t++)
            sum += sums[t];
        if (MYTHREAD == 0)
            printf("%.3f %lu\n", end - begin, sum);
    }
    upc_all_lock_free(lock);
    return 0;
}
