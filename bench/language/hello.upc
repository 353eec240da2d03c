/* hello: the least that a UPC program does; hello.c is the same in C.  Their starts and their translation are timed. */
#include <stdio.h>

#include <upc.h>

int main(void)
{
    printf("Hello from thread %d of %d\n", MYTHREAD, THREADS);
    upc_barrier;
    return 0;
}
