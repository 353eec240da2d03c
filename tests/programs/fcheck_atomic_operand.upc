// -fcheck: an atomic operation with an operand that it does not take
// flags: -fcheck
// threads: 1
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:18: upc_atomic_relaxed: UPC_ADD takes one operand, and operand2
#include <upc.h>
#include <upc_atomic.h>

shared int x;

int main(void)
{
    int one = 1, old;
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_INC | UPC_GET | UPC_CSWAP, 0);
    upc_atomic_strict(domain, &old, UPC_GET, &x, 0, NULL);
    upc_atomic_relaxed(domain, NULL, UPC_INC, &x, NULL, 0);
    upc_atomic_relaxed(domain, &old, UPC_CSWAP, &x, &one, &old);
    upc_atomic_relaxed(domain, NULL, UPC_ADD, &x, &one, &one);
    return 0;
}
