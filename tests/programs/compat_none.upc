// Facts 3.1: without -compat programs find no other system, and the functions of Berkeley UPC in bupc.h only.
#include <upc.h>

#if defined(__BERKELEY_UPC__) || defined(__BERKELEY_UPC_RUNTIME__) || defined(__GCC_UPC__) || defined(BUPC_TICK_MAX)
#error "another system"
#endif

#include <bupc.h>

#define BUPC_USE_UPC_NAMESPACE
#include <bupc.h>

#include "check.h"

int main(void)
{
    static shared int x[THREADS];
    CHECK(upc_inverse_cast(bupc_cast(&x[MYTHREAD])) == &x[MYTHREAD]);
    return finish();
}
