// -fcheck: a domain of a type without atomic operations
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:11: upc_all_atomicdomain_alloc: there are no atomic operations on type 1
#include <upc.h>
#include <upc_atomic.h>

int main(void)
{
    upc_all_atomicdomain_alloc(UPC_CHAR, UPC_ADD, 0);
    return 0;
}
