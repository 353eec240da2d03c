// -fcheck: a thread waits for a lock whose holder waits in a barrier
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*deadlock: no thread can go on
// expect-stderr: banyan: thread \d+: .*deadlock: thread 0 waits in upc_barrier at .*\.upc:19
// expect-stderr: banyan: thread \d+: .*deadlock: thread(s 1 to \d wait| 1 waits) in upc_lock at .*\.upc:18, for a
// expect-stderr: lock that thread 0 holds
#include <upc.h>

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == 0)
        upc_lock(lock);
    upc_barrier;
    if (MYTHREAD != 0)
        upc_lock(lock);
    upc_barrier;
    return 0;
}
