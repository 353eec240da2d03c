// Facts 2.9: an operation that the domain was made without is reported.
// threads: 1 3
// expect-exit: 1
// expect-stderr: upc_atomic_relaxed: the domain was made without UPC_MULT; name it in upc_all_atomicdomain_alloc
#include <upc.h>
#include <upc_atomic.h>

int main(void)
{
    static shared int x;
    int two = 2;
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_GET, 0);
    upc_atomic_relaxed(domain, NULL, UPC_MULT, &x, &two, NULL);
}
