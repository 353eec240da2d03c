// -fcheck: threads give upc_all_permute different arguments: permutations
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:15: upc_all_permute: perm is 0x[0-9a-f]+, but 0x[0-9a-f]+ on thread
// expect-stderr: \d+, in upc_all_permute at .*\.upc:15; it must be the same on all threads
#include <upc.h>
#include <upc_collective.h>

shared int src[THREADS], dst[THREADS];
shared int perm[2 * THREADS];

int main(void)
{
    upc_all_permute(dst, src, &perm[MYTHREAD % 2 * THREADS], sizeof(int), 0);
    return 0;
}
