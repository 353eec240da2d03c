// -fcheck: memory is used after it was freed
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:15: the pointer-to-shared points to memory on thread \d+ that was
// expect-stderr: freed: in the 40 bytes that thread \d+ allocated at .*\.upc:12 and thread \d+ freed at .*\.upc:14;
// expect-stderr: do not use memory after it is freed
#include <upc.h>

int main(void)
{
    shared [] int *p = upc_alloc(40);
    p[3] = 1;
    upc_free(p);
    p[3] = 2;
    return 0;
}
