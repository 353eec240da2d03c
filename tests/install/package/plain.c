/* A C program that starts as UPC threads: it is linked with the runtime, and calls it. */
#include <banyan/access.h>
#include <bupc_extern.h>
#include <stdio.h>

int main(void)
{
    bn_barrier();
    bupc_extern_barrier(1);
    printf("C thread %d of %d\n", bn_mythread(), bn_threads());
    return 0;
}
