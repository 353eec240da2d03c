// -fcheck: a pointer-to-shared names a thread that is not there
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:14: the pointer-to-shared points to thread \d+, but there are only \d+
// expect-stderr: threads; let it point to an object
#include <upc.h>

shared [] int row[4];

int main(void)
{
    shared [] int *p = row;
    *(p + THREADS * (0x1000200000 / sizeof(int))) = 1;
    return 0;
}
