// -fcheck: a lock is freed while a thread waits for it, or, if that thread comes late, before it locks it
// flags: -fcheck
// threads: 2 3
// expect-exit: 1
// expect-stderr: banyan: thread \d: .*\.upc:(19: upc_lock_free: thread 1 waits for the lock; free it|24: upc_lock: there is no lock)
#include <unistd.h>
#include <upc.h>

strict shared int is_held, is_near;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == 0) {
        upc_lock(lock);
        is_held = 1;
        while (!is_near)
            upc_poll();
        usleep(200000), upc_lock_free(lock);
    }
    if (MYTHREAD == 1) {
        while (!is_held)
            upc_poll();
        is_near = 1, upc_lock(lock);
    }
    upc_barrier;
    return 0;
}
