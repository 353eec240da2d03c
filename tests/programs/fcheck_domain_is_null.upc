// -fcheck: an atomic operation without a domain
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:13: upc_atomic_relaxed: the pointer to the atomic domain is null
#include <upc.h>
#include <upc_atomic.h>

shared int x;

int main(void)
{
    upc_atomic_relaxed(0, 0, UPC_INC, &x, 0, 0);
    return 0;
}
