// -fcheck: a pointer steps back out of allocated memory
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:13: the pointer-to-shared points to no object: 0x[0-9a-f]+ on thread
// expect-stderr: \d+ is 8 bytes before the 20 bytes that thread \d+ allocated at .*\.upc:11
#include <upc.h>

int main(void)
{
    shared [] double *p = upc_alloc(20);
    p--;
    *p = 1;
    return 0;
}
