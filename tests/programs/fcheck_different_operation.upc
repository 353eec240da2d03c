// -fcheck: threads give upc_all_reduceI different arguments: operations
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:15: upc_all_reduceI: op is \d+, but \d+ on thread
// expect-stderr: \d+, in upc_all_reduceI at .*\.upc:15; it must be the same on all threads
#include <upc.h>
#include <upc_collective.h>

shared int src[THREADS];
shared int dst;

int main(void)
{
    upc_all_reduceI(&dst, src, MYTHREAD == 0 ? UPC_ADD : UPC_MAX, THREADS, 1, 0, 0);
    return 0;
}
