// -fcheck: a copy from a null pointer
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:13: upc_memget: src is a null pointer-to-shared; let it point to 4
// expect-stderr: bytes first
#include <upc.h>

int main(void)
{
    int x;
    shared int *p = 0;
    upc_memget(&x, p, sizeof x);
    return 0;
}
