// INT_MIN is a value like any other (facts 1.13, gotcha 34)
// expect-exit: nonzero
// expect-stderr: banyan: thread \d.*barrier
// threads: 2 3
// sanitize: no
#include <limits.h>
#include <upc.h>

int main(void)
{
    upc_barrier 1;
    upc_barrier MYTHREAD == 0 ? INT_MIN : 0;
    upc_barrier;
    return 0;
}
