// -fcheck: a thread locks what it holds
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread 0: .*\.upc:13: upc_lock: this thread holds the lock already
#include <upc.h>

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == 0) {
        upc_lock(lock);
        upc_lock(lock);
    }
    upc_barrier;
    return 0;
}
