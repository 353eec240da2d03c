// The runtime leaves errno alone where the library does not say otherwise (gotcha 42)
#include <errno.h>
#include <upc.h>

#include "check.h"

shared int x[THREADS];

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();

    errno = 1234;
    for (int i = 0; i < 20; i++) {
        x[(MYTHREAD + i) % THREADS] = i;
        upc_barrier;
        upc_notify;
        upc_wait;
        upc_fence;
        upc_lock(lock);
        upc_unlock(lock);
        upc_memset(&x[MYTHREAD], 0, sizeof(int));
        upc_barrier i;
    }
    EQ(errno, 1234);
    upc_all_lock_free(lock);
    return finish();
}
