// -fcheck: the last one of some pieces at one distance lies beyond the array
// flags: -fcheck
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:15: bupc_memput_fstrided: a piece points to no object:
// expect-stderr: is 0 bytes beyond the end of static object 'a'
#include <bupc.h>
#include <bupc_copy.h>

shared [] char a[95];
char b[40];

int main(void)
{
    b[0] = 1;
    bupc_memput_fstrided(a, 10, 30, 4, b, 40, 40, 1);
    return 0;
}
