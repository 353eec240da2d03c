// -fcheck: a piece of a copy goes beyond its object
// flags: -fcheck
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:15: bupc_memcpy_ilist: a piece points to no object: 0x[0-9a-f]+ on thread
// expect-stderr: is 0 bytes beyond the end of static object 'b'; stay within what was declared or allocated
#include <bupc.h>
#include <bupc_copy.h>

shared [] char a[100], b[20];

int main(void)
{
    shared void *to[] = {&a[0], &a[10]};
    shared const void *from[] = {&b[0], &b[11]};
    bupc_memcpy_ilist(2, to, 10, 2, from, 10);
    return 0;
}
