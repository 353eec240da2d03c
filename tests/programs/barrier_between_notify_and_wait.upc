// Clause: upc_barrier between upc_notify and upc_wait is an error (facts 1.13)
// expect-exit: nonzero
// expect-stderr: banyan: thread \d.*
// threads: 1 2 4
// sanitize: no
#include <limits.h>
#include <upc.h>

int main(void)
{
    upc_barrier 1;
    upc_notify;
    upc_barrier;
    upc_wait;
    upc_barrier;
    return 0;
}
