/* hello: a minimal UPC program; hello.c is the same in C.  Their start-up and their translation are timed. */
#include <stdio.h>

#include <upc.h>

int main(void)
{
    printf("Hello from thread %d of %d\n", MYTHREAD, THREADS);
    upc_barrier;
    return 0;
}
