// Using a null pointer-to-shared is a crash with a message (facts 1.17)
// expect-exit: 139
// expect-stderr: thread 0
// sanitize: no
// fcheck: no
#include <upc.h>

shared int *shared nowhere;

int main(void)
{
    upc_barrier;
    if (MYTHREAD == 0)
        *nowhere = 1;
    upc_barrier;
    return 0;
}
