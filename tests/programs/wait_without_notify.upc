// Clause: upc_wait without upc_notify is an error (facts 1.13)
// expect-exit: nonzero
// expect-stderr: banyan: thread \d.*upc_wait
// threads: 1 2 4
// sanitize: no
#include <limits.h>
#include <upc.h>

int main(void)
{
    upc_barrier 1;
    upc_wait;
    upc_barrier;
    return 0;
}
