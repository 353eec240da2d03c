// -fcheck: the target of an atomic operation is too small
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:14: upc_atomic_relaxed: target points to no object: 0x[0-9a-f]+ on
// expect-stderr: thread \d+ is 0 bytes beyond the 4 bytes that thread \d+ allocated
#include <upc.h>
#include <upc_atomic.h>

int main(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT64, UPC_INC, 0);
    shared void *p = upc_alloc(4);
    upc_atomic_relaxed(domain, 0, UPC_INC, p, 0, 0);
    return 0;
}
