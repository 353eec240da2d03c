// -fcheck: threads are at different barriers, by their values
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*(\.upc:12|\.upc:14): upc_barrier: value [12] does not match value [12] of
// expect-stderr: thread \d+, in upc_barrier at .*(\.upc:12|\.upc:14); the threads are at different barriers
#include <upc.h>

int main(void)
{
    if (MYTHREAD == 0)
        upc_barrier 1;
    else
        upc_barrier 2;
    return 0;
}
