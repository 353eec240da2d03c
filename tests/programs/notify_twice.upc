// Clause: a second upc_notify before upc_wait is an error (facts 1.13)
// expect-exit: nonzero
// expect-stderr: banyan: thread \d.*upc_notify
// threads: 1 2 4
// sanitize: no
#include <limits.h>
#include <upc.h>

int main(void)
{
    upc_barrier 1;
    upc_notify;
    upc_notify;
    upc_barrier;
    return 0;
}
