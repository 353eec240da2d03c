// -fcheck: two ways of synchronisation at the entry of a collective; 0 and one flag alone are valid
// flags: -fcheck
// threads: 1 3
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:18: upc_all_broadcast: flags names more than one of UPC_IN_
#include <upc.h>
#include <upc_collective.h>

shared int a[THREADS], b[THREADS];
shared [] int z[1];

int main(void)
{
    static const upc_flag_t one[] = {UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC, 0}, bits = 3;
    for (int i = 0; i < 16; i++)
        upc_all_broadcast(a, z, sizeof(int), one[i & bits] | one[i >> 2] << 3);
    upc_all_reduceI(&z[0], a, UPC_ADD, THREADS, 1, NULL, UPC_OUT_NOSYNC);
    upc_all_broadcast(b, z, sizeof(int), UPC_IN_ALLSYNC | UPC_IN_NOSYNC);
    return 0;
}
