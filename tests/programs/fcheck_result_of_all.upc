// -fcheck: the result of a reduction to all threads has room on one of them only
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread [1-9]\d*: .*\.upc:17: bupc_all_reduce_allI: dst points to no object: 0x[0-9a-f]+ on
#include <bupc_reduce.h>
#include <upc.h>

shared int a[THREADS];
shared [] int *shared result;

int main(void)
{
    if (MYTHREAD == 0)
        result = upc_alloc(sizeof(int));
    upc_barrier;
    bupc_all_reduce_allI(result, a, UPC_ADD, THREADS, 1, NULL, 0);
    return 0;
}
