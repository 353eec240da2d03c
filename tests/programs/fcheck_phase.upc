// -fcheck: a phase that the block size does not have
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:14: a shared void \* with phase 4 becomes a pointer with block size 3;
// expect-stderr: convert it to the type that it came from
#include <upc.h>

shared [5] int a[5 * THREADS];

int main(void)
{
    shared void *p = &a[4];
    shared [3] int *q = (shared [3] int *)p;
    *q = 1;
    return 0;
}
