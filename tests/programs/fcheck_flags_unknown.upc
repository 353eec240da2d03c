// -fcheck: flags of a collective that no constant stands for
// flags: -fcheck
// threads: 2
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:14: upc_all_gather: flags is 0x100; it must be one of UPC_IN_
#include <upc.h>
#include <upc_collective.h>

shared int a[THREADS];
shared [] int z[4];

int main(void)
{
    upc_all_gather(z, a, sizeof(int), 1 << 8);
    return 0;
}
