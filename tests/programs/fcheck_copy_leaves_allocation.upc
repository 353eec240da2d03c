// -fcheck: a copy goes beyond its destination
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:13: upc_memput: dst points to no object: 0x[0-9a-f]+ on thread \d+ is 0
// expect-stderr: bytes beyond the 100 bytes that thread \d+ allocated at .*\.upc:12
#include <upc.h>

int main(void)
{
    char text[101] = "";
    shared void *p = upc_alloc(100);
    upc_memput(p, text, sizeof text);
    return 0;
}
