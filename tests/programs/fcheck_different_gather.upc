// -fcheck: threads give upc_all_gather different arguments: its root's memory
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:15: upc_all_gather: dst is 0x[0-9a-f]+, but 0x[0-9a-f]+ on thread
// expect-stderr: \d+, in upc_all_gather at .*\.upc:15; it must be the same on all threads
#include <upc.h>
#include <upc_collective.h>

shared int src[THREADS];
shared [] int dst[20];

int main(void)
{
    upc_all_gather(&dst[MYTHREAD % 2], src, sizeof(int), 0);
    return 0;
}
