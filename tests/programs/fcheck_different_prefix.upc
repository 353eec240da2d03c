// -fcheck: threads give upc_all_prefix_reduceL different arguments: numbers of elements
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:15: upc_all_prefix_reduceL: nelems is \d+, but \d+ on thread
// expect-stderr: \d+, in upc_all_prefix_reduceL at .*\.upc:15; it must be the same on all threads
#include <upc.h>
#include <upc_collective.h>

shared [2] long src[2 * THREADS], dst[2 * THREADS];
enum { LEAST = 1 };

int main(void)
{
    upc_all_prefix_reduceL(dst, src, UPC_ADD, LEAST + MYTHREAD, 2, 0, 0);
    return 0;
}
