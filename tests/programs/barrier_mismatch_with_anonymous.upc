// Clause: values must agree even if some threads give none (facts 1.13)
// expect-exit: nonzero
// expect-stderr: banyan: thread \d.*barrier
// threads: 3 4 7
// sanitize: no
#include <limits.h>
#include <upc.h>

int main(void)
{
    upc_barrier 1;
    if (MYTHREAD == 0)
        upc_barrier;
    else
        upc_barrier MYTHREAD;
    upc_barrier;
    return 0;
}
