// -fcheck: the result of a prefix reduction begins on another thread than the array
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:13: upc_all_prefix_reduceI: dst begins on thread 1 with phase 0, but src on
// expect-stderr: thread 0 with phase 0; let them begin on the same thread with the same phase
#include <upc.h>
#include <upc_collective.h>
shared [4] int a[8 * THREADS], b[8 * THREADS];

int main(void)
{
    upc_all_prefix_reduceI(&b[4], &a[0], UPC_ADD, 4, 4, NULL, 0);
    return 0;
}
