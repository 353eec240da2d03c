// -fcheck: a barrier between notify and wait
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:11: upc_barrier: this thread has notified already
#include <upc.h>

int main(void)
{
    upc_notify;
    upc_barrier;
    upc_wait;
    return 0;
}
