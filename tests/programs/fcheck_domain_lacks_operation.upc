// -fcheck: an atomic operation that the domain was not made for
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:15: upc_atomic_strict: the domain was made without UPC_INC; name it in
// expect-stderr: upc_all_atomicdomain_alloc
#include <upc.h>
#include <upc_atomic.h>

shared int x;

int main(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);
    upc_atomic_strict(domain, 0, UPC_INC, &x, 0, 0);
    return 0;
}
