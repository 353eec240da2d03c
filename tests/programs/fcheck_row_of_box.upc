// -fcheck: the last row of a box lies beyond the array that it is taken from
// flags: -fcheck
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:14: bupc_memget_strided: src points to no object: 0x[0-9a-f]+ on thread 0
#include <bupc.h>
#include <bupc_copy.h>

shared [] char a[4][10];
char b[5][10];

int main(void)
{
    const size_t distances[] = {10}, count[] = {5, 5};
    bupc_memget_strided(b, distances, a, distances, count, 1);
    return 0;
}
