// -fcheck: an atomic operation of Berkeley UPC on memory that was freed
// flags: -fcheck
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:13: bupc_atomic: the target points to memory on thread \d+ that was freed
#include <bupc.h>
#include <bupc_atomic.h>

int main(void)
{
    shared [] unsigned long *p = upc_alloc(sizeof *p);
    *p = 1;
    upc_free(p);
    return (int)bupc_atomicUL_fetchadd_relaxed(p, 1);
}
