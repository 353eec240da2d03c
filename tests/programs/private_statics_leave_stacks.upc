// POSIX threads that a library makes, be it before main(), have a stack also if private objects with static storage,
// which with -pthreads are thread-local and lie on that stack, are larger than it
#include <pthread.h>
#include <upc.h>

#include "check.h"

static double large[2 << 20]; /* more than a stack holds */

static void *use_stack(void *sum)
{
    volatile char room[64 << 10];
    for (size_t i = 0; i < sizeof room; i++)
        room[i] = (char)i;
    *(int *)sum = room[1] + room[sizeof room - 1 - 128];
    return NULL;
}

static int sum_of_a_thread(void)
{
    pthread_t thread;
    int sum = 0;
    return pthread_create(&thread, NULL, use_stack, &sum) == 0 && pthread_join(thread, NULL) == 0 ? sum : -1;
}

static void __attribute__((constructor)) before_main(void)
{
    if (sum_of_a_thread() != 128)
        abort();
}

int main(void)
{
    large[(2 << 20) - 1] = MYTHREAD;
    EQ(sum_of_a_thread(), 128);
    upc_barrier;
    EQ(large[(2 << 20) - 1], MYTHREAD);
    return finish();
}
