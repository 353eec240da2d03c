// Clause: no collective between upc_notify and upc_wait (facts 1.13, 1.17)
// expect-exit: nonzero
// expect-stderr: banyan: thread \d.*
// threads: 1 3
// sanitize: no
#include <limits.h>
#include <upc.h>

int main(void)
{
    upc_barrier 1;
    upc_notify;
    shared void *p = upc_all_alloc(THREADS, 4);
    upc_wait;
    upc_all_free(p);
    upc_barrier;
    return 0;
}
