// Clause: [*] rounds up where THREADS does not divide the array (facts 1.5)
// static: only
#include <upc.h>

#include "check.h"

shared [*] int a[10];
shared [*] int b[5][3];
shared [*] char c[1];

int main(void)
{
    EQ(upc_blocksizeof(a), (10 + THREADS - 1) / THREADS);
    EQ(upc_blocksizeof(b), (15 + THREADS - 1) / THREADS);
    EQ(upc_blocksizeof(c), 1);
    for (int i = 0; i < 10; i++)
        EQ(upc_threadof(&a[i]), i / ((10 + THREADS - 1) / THREADS));
    for (int i = 0; i < 15; i++)
        EQ(upc_threadof(&b[i / 3][i % 3]), i / ((15 + THREADS - 1) / THREADS));
    return finish();
}
