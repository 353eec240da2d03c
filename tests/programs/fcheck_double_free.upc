// -fcheck: memory is freed twice
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread 0: .*\.upc:20: upc_free: the memory was freed before: in the 40 bytes that thread 0
// expect-stderr: allocated at .*\.upc:14 and thread \d+ freed at .*\.upc:17; free it once, by one thread
#include <upc.h>

shared [] int *shared p;

int main(void)
{
    if (MYTHREAD == 0)
        p = upc_alloc(40);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        upc_free(p);
    upc_barrier;
    if (MYTHREAD == 0)
        upc_free(p);
    upc_barrier;
    return 0;
}
