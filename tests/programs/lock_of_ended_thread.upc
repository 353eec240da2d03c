// Clause: a lock whose holder has ended is a message to those who wait for it, not a wait for ever
// threads: 2 3
// network: smp
// expect-exit: 1
// expect-stderr: upc_lock: thread 0 holds the lock and has ended without upc_unlock|deadlock: thread 0 ended
#include <upc.h>

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == 0)
        upc_lock(lock);
    upc_barrier;
    if (MYTHREAD != 0)
        upc_lock(lock);
    return 0;
}
