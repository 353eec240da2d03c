// Facts 3.1, bupc_extern.h: memory is freed by the address that its thread got.
// threads: 2 3
// expect-exit: 1
// expect-stderr: thread 0: .*bupc_extern_free: 0x[0-9a-f]+ is not in the shared memory of thread 1; pass what the allocation function
#include <upc.h>

#include <bupc_extern.h>

int main(void)
{
    void *mine = bupc_extern_alloc(10);
    if (MYTHREAD == 0)
        bupc_extern_free(mine, 1);
    upc_barrier;
    return 0;
}
