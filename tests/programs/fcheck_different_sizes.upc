// -fcheck: threads give a collective different arguments
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:11: upc_all_alloc: nblocks is \d+, but \d+ on thread
// expect-stderr: \d+, in upc_all_alloc at .*\.upc:11; it must be the same on all threads
#include <upc.h>

int main(void)
{
    upc_all_alloc(1 + MYTHREAD, 16);
    return 0;
}
