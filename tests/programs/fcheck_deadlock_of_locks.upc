// -fcheck: two threads wait for each other's lock
// flags: -fcheck
// threads: 3
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*(\.upc:21: upc_lock|\.upc:22: upc_barrier): deadlock: no thread can go on;
// expect-stderr: let each wait for something that another thread will do
// expect-stderr: banyan: thread \d+: .*deadlock: thread 0 waits in upc_lock at .*\.upc:21, for a lock that thread 1
// expect-stderr: holds
// expect-stderr: banyan: thread \d+: .*deadlock: thread 1 waits in upc_lock at .*\.upc:21, for a lock that thread 0
// expect-stderr: holds
// expect-stderr: banyan: thread \d+: .*deadlock: thread 2 waits in upc_barrier at .*\.upc:22
#include <upc.h>

int main(void)
{
    upc_lock_t *locks[2] = {upc_all_lock_alloc(), upc_all_lock_alloc()};
    if (MYTHREAD < 2)
        upc_lock(locks[MYTHREAD]);
    upc_barrier;
    if (MYTHREAD < 2)
        upc_lock(locks[1 - MYTHREAD]);
    upc_barrier;
    return 0;
}
