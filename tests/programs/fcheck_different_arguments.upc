// -fcheck: threads give a collective different data
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:15: upc_all_broadcast: src is 0x[0-9a-f]+, but 0x[0-9a-f]+ on thread
// expect-stderr: \d+, in upc_all_broadcast at .*\.upc:15; it must be the same on all threads
#include <upc.h>
#include <upc_collective.h>

shared int a[THREADS];
shared [] int b[100];

int main(void)
{
    upc_all_broadcast(a, &b[MYTHREAD], sizeof(int), 0);
    return 0;
}
