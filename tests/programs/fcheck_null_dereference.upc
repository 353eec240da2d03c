// -fcheck: a null pointer-to-shared is used
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread 0: .*\.upc:15: a null pointer-to-shared is used to reach an object; let it point to
// expect-stderr: one first
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
