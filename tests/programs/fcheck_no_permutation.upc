// -fcheck: upc_all_permute by what sends the blocks of two threads to one
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:14: upc_all_permute: perm sends the blocks of threads \d+ and \d+ to thread
// expect-stderr: 0; let it name each thread once
#include <upc.h>
#include <upc_collective.h>

shared int a[THREADS], b[THREADS], perm[THREADS];

int main(void)
{
    upc_all_permute(b, a, perm, sizeof(int), 0);
    return 0;
}
