// -fcheck: an atomic operation in a domain that was freed
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread 0: .*\.upc:18: upc_atomic_relaxed: there is no atomic domain at 0x[0-9a-f]+; it was
// expect-stderr: freed, or never allocated
#include <upc.h>
#include <upc_atomic.h>

shared int x;

int main(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_INC, 0);
    upc_all_atomicdomain_free(domain);
    upc_barrier;
    if (MYTHREAD == 0)
        upc_atomic_relaxed(domain, 0, UPC_INC, &x, 0, 0);
    upc_barrier;
    return 0;
}
