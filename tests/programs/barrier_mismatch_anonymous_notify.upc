// Clause: a thread without a value at notify is checked at wait against the others (facts 1.13)
// expect-exit: nonzero
// expect-stderr: banyan: thread \d.*
// threads: 2 4
// sanitize: no
#include <limits.h>
#include <upc.h>

int main(void)
{
    upc_barrier 1;
    if (MYTHREAD == 0)
        upc_notify;
    else
        upc_notify 5;
    upc_wait MYTHREAD == 0 ? 6 : 5;
    upc_barrier;
    return 0;
}
