// threads: 1 2 3
// flags: -compat=upc-1.0
// The statements of UPC 1.0 under -compat=upc-1.0, beside a function, a member, a parameter and
// local objects that have such names.
#include <sys/wait.h>
#include <upc.h>

#include "check.h"

struct queue {
    int fence, notify;
};

static int fence(struct queue *q)
{
    return q->fence + q->notify;
}

static int local_names(int wait, int (*notify)(int wait))
{
    int barrier = wait;
    for (int barrier_wait = 0; barrier_wait < 2; barrier_wait++)
        barrier += notify(barrier);
    return barrier;
}

static int twice(int n)
{
    return 2 * n;
}

shared int x[4 * THREADS];

int main(void)
{
    int i = 0;
    struct queue q = {.fence = 40, .notify = 2};
    forall (i = 0; i < 4 * THREADS; i++; &x[i])
        x[i] = i;
    barrier;
    if (x[4 * THREADS - 1] == 4 * THREADS - 1)
        barrier 1;
    else
        barrier (2);
    for (i = 0; i < 3; i++) {
        notify i;
        wait;
        barrier_notify;
        barrier_wait;
    }
    barrier -5;
    CHECK(fence(&q) == 42);
    CHECK(local_names(1, twice) == 9);
    if (MYTHREAD == 0) {
        int status = 0;
        CHECK(wait(&status) == -1);
    }
    upc_barrier;
    return finish();
}
