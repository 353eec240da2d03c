// A thread has ended and others wait for it in a collective operation
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: upc_all_broadcast: thread (0 has ended and will never come|\d+ waits here for thread 0, which has ended)
// expect-stderr: \A(?![\s\S]*has ended[\s\S]*has ended)
#include <upc.h>
#include <upc_collective.h>

shared int from;
shared int to[THREADS];

int main(void)
{
    upc_barrier;
    if (MYTHREAD != 0)
        upc_all_broadcast(to, &from, sizeof from, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    return 0;
}
