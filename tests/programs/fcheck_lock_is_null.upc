// -fcheck: a null pointer to a lock
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:11: upc_lock: the pointer to the lock is null
#include <upc.h>

int main(void)
{
    upc_lock_t *lock = 0;
    upc_lock(lock);
    return 0;
}
