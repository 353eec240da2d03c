// Clause: a value at wait must be the one agreed at notify (facts 1.13)
// expect-exit: nonzero
// expect-stderr: banyan: thread \d.*
// threads: 1 2 4
// sanitize: no
#include <limits.h>
#include <upc.h>

int main(void)
{
    upc_barrier 1;
    upc_notify 5;
    upc_wait 5 + (MYTHREAD == 0);
    upc_barrier;
    return 0;
}
