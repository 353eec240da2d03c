// Facts 3.1: without -compat programs find no other system, but the functions of Berkeley UPC.
#include <upc.h>

#if defined(__BERKELEY_UPC__) || defined(__BERKELEY_UPC_RUNTIME__) || defined(__GCC_UPC__)
#error "another system"
#endif

#if !__UPC_PUPC__
#error "pupc.h is there"
#endif

#define BUPC_USE_UPC_NAMESPACE
#include <bupc.h>

#include "check.h"

int main(void)
{
    static shared int x[THREADS];
    CHECK(upc_inverse_cast(bupc_cast(&x[MYTHREAD])) == &x[MYTHREAD]);
    return finish();
}
