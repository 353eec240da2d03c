// -fcheck: a thread unlocks what it does not hold
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread 0: .*\.upc:12: upc_unlock: this thread does not hold the lock
#include <upc.h>

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == 0)
        upc_unlock(lock);
    upc_barrier;
    return 0;
}
