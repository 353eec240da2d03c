// -fcheck: a pointer walks out of allocated memory
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:14: the pointer-to-shared points to no object: 0x[0-9a-f]+ on thread
// expect-stderr: \d+ is 0 bytes beyond the 20 bytes that thread \d+ allocated at .*\.upc:12; stay within what was
// expect-stderr: declared or allocated
#include <upc.h>

int main(void)
{
    shared [] char *p = upc_alloc(20);
    for (int i = 0; i <= 20; i++)
        p[i] = 'x';
    return 0;
}
