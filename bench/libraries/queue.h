/* queue.h: an item of the work queue, the same in UPC and in OpenMP. */
#ifndef QUEUE_H
#define QUEUE_H

#include <time.h>

enum { QUEUE_ITEMS = 100000, QUEUE_STEPS = 20 };

/* Some 20 ns of work that depends on the item */
static inline unsigned long queue_work(long item)
{
    unsigned long x = (unsigned long)item * 2 + 1;
    for (int step = 0; step < QUEUE_STEPS; step++)
        x = x * 6364136223846793005UL + 1442695040888963407UL;
    return x >> 32;
}

static inline double queue_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

#endif
