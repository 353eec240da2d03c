// -fcheck: a transfer is not synchronised
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:15: upc_memput_nb: the transfer that was started here was never
// expect-stderr: synchronised; pass its handle to upc_sync
#include <upc.h>
#include <upc_nb.h>

shared int a[THREADS];

int main(void)
{
    int x = 1;
    upc_memput_nb(&a[MYTHREAD], &x, sizeof x);
    return 0;
}
