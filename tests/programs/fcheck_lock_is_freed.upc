// -fcheck: a lock that was freed
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread 0: .*\.upc:15: upc_lock: there is no lock at 0x[0-9a-f]+; it was freed, or never
// expect-stderr: allocated
#include <upc.h>

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_all_lock_free(lock);
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock(lock);
    upc_barrier;
    return 0;
}
