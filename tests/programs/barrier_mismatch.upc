// Clause: threads that give different values at notify are stopped (facts 1.13)
// expect-exit: nonzero
// expect-stderr: banyan: thread \d.*barrier
// threads: 2 3 4 8
// sanitize: no
#include <limits.h>
#include <upc.h>

int main(void)
{
    upc_barrier 1;
    upc_barrier MYTHREAD == 1 ? 5 : 6;
    upc_barrier;
    return 0;
}
