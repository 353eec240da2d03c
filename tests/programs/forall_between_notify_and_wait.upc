// upc_forall works between notify and wait (facts section 5)
#include "check.h"

shared int a[10 * THREADS];

int main(void)
{
    int i;

    upc_notify 3;
    upc_forall (i = 0; i < 10 * THREADS; i++; &a[i])
        a[i] = i;
    upc_wait 3;
    upc_barrier;
    for (i = 0; i < 10 * THREADS; i++)
        EQ(a[i], i);
    return finish();
}
