// -fcheck: nobody posts what a thread waits for
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*deadlock: no thread can go on
// expect-stderr: banyan: thread \d+: .*deadlock: thread(s 0 to \d wait| 0 waits) in bupc_sem_wait at .*\.upc:16, for
// expect-stderr: a post
#include <upc.h>
#include <bupc.h>
#include <bupc_sem.h>

int main(void)
{
    bupc_sem_t *sem = bupc_sem_alloc(BUPC_SEM_INTEGER);
    upc_barrier;
    bupc_sem_wait(sem);
    return 0;
}
