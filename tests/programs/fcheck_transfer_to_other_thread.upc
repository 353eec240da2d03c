// -fcheck: a transfer goes beyond what another thread has allocated
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread 1: .*\.upc:20: upc_memput: dst points to no object: 0x[0-9a-f]+ on thread 0 is 0 bytes
// expect-stderr: beyond the 100000 bytes that thread 0 allocated at .*\.upc:16
#include <upc.h>
#include <upc_nb.h>

shared void *shared p;
char text[100001];

int main(void)
{
    if (MYTHREAD == 0)
        p = upc_alloc(100000);
    upc_barrier;
    if (MYTHREAD == 1) {
        upc_sync(upc_memput_nb(p, text, 100000));
        upc_sync(upc_memput_nb(p, text, sizeof text));
    }
    upc_barrier;
    return 0;
}
