/* queue_openmp: like queue.upc, with OpenMP threads and an OpenMP lock. usage: OMP_NUM_THREADS=n queue_openmp ROUNDS */
#include "queue.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static long next_item;

static unsigned long take_all(omp_lock_t *lock)
{
    unsigned long sum = 0;
    for (;;) {
        omp_set_lock(lock);
        long item = next_item++;
        omp_unset_lock(lock);
        if (item >= QUEUE_ITEMS)
            return sum;
        sum += queue_work(item);
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int round = 0; round < rounds; round++) {
        unsigned long sum = 0;
        next_item = 0;
        double begin = queue_now_ms();
#pragma omp parallel reduction(+ : sum)
        sum += take_all(&lock);
        printf("%.3f %lu\n", queue_now_ms() - begin, sum);
    }
    omp_destroy_lock(&lock);
    return 0;
}
