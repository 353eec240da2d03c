// -fcheck: the result of a prefix reduction has more elements than its array
// flags: -fcheck
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:14: upc_all_prefix_reduceI: dst points to no object: 0x[0-9a-f]+ on
// expect-stderr: thread \d+ is 0 bytes beyond the end of static object 'few'
#include <upc.h>
#include <upc_collective.h>

shared int many[100 * THREADS];
shared int few[2 * THREADS];

int main(void)
{
    upc_all_prefix_reduceI(few, many, UPC_ADD, 100 * THREADS, 1, NULL, 0);
    return 0;
}
