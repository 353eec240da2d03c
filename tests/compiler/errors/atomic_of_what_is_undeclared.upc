// Atomic operations are carried out in place from -O1 on, unless it is not known what they are of
// flags: -O1
#include <upc.h>
int f(void)
{
    return bupc_atomicI_fetchadd_relaxed(&undeclared, 1); // error: 'undeclared' undeclared \(first use in this function\)
}
