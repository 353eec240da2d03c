// -fcheck: a pointer-to-shared holds anything
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:14: the pointer-to-shared points outside of shared memory, to
// expect-stderr: 0x[0-9a-f]+; initialise it with the address of an object
#include <upc.h>
#include <string.h>

int main(void)
{
    shared int *p;
    memset(&p, 0x3c, sizeof p);
    *p = 1;
    return 0;
}
