// Clause: upc_global_exit(0) while others wait for a lock, in a barrier, and spin (facts 1.4)
// expect-exit: 0
// expect-stdout: ^done$
#include <stdio.h>
#include <upc_strict.h>

shared int never;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == 0)
        upc_lock(lock);
    upc_barrier;
    if (MYTHREAD == 0) {
        puts("done");
        upc_global_exit(0);
    }
    if (MYTHREAD % 3 == 0)
        upc_barrier;
    if (MYTHREAD % 3 == 1)
        upc_lock(lock);
    while (!never)
        ;
    return 1;
}
