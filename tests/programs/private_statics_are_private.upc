// Clause: private objects with static storage exist once for each thread (facts 1.11)
#include <errno.h>
#include <upc.h>

#include "check.h"

int global = 5;
static int counter;
int tentative;
int *address = &global;
static char buffer[100] = "start";
shared int seen[THREADS];

static int next(void)
{
    static int value = 10;
    return value++;
}

int main(void)
{
    global += MYTHREAD;
    tentative = -MYTHREAD;
    counter = MYTHREAD * 2;
    snprintf(buffer, sizeof buffer, "thread %d", MYTHREAD);
    for (int i = 0; i < MYTHREAD; i++)
        next();
    errno = MYTHREAD + 1;
    srand(1234u + (unsigned)MYTHREAD);
    int first = rand();
    upc_barrier;
    EQ(errno, MYTHREAD + 1);
    EQ(global, 5 + MYTHREAD);
    EQ(*address, 5 + MYTHREAD);
    EQ(tentative, -MYTHREAD);
    EQ(counter, 2 * MYTHREAD);
    EQ(next(), 10 + MYTHREAD);
    EQ(atoi(buffer + 7), MYTHREAD);
    upc_barrier;
    srand(1234u + (unsigned)MYTHREAD);
    upc_barrier;
#ifdef __UPC_PTHREADS_MODEL_TLS__  // the C library's state belongs to the process
    (void)first;
#else
    EQ(rand(), first);
#endif
    seen[MYTHREAD] = global;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        EQ(seen[t], 5 + t);
    return finish();
}
