// Facts 2.9: a domain for operations that a type does not have is reported.
// threads: 1 3
// expect-exit: 1
// expect-stderr: upc_all_atomicdomain_alloc: UPC_XOR is not an atomic operation on this type
#include <upc.h>
#include <upc_atomic.h>

int main(void)
{
    upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD | UPC_XOR, 0);
}
