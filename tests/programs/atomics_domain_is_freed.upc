// Facts 2.9: a domain that was freed is reported.
// threads: 1 3
// expect-exit: 1
// expect-stderr: upc_atomic_strict: there is no atomic domain at 0x[0-9a-f]+; it was freed, or never allocated
#include <upc.h>
#include <upc_atomic.h>

int main(void)
{
    static shared int x;
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_INC, 0);
    upc_all_atomicdomain_free(domain);
    upc_barrier;
    upc_atomic_strict(domain, NULL, UPC_INC, &x, NULL, NULL);
}
