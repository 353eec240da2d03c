// A thread that leaves by _exit does not leave the others waiting for ever (facts 1.4)
// pthreads: no
// expect-exit: 9
// expect-stderr: thread 1
// threads: 2 3 8
#include <unistd.h>
#include <upc.h>

int main(void)
{
    upc_barrier;
    if (MYTHREAD == 1)
        _exit(9);
    upc_barrier;
    return 0;
}
