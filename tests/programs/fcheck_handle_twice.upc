// -fcheck: a transfer is synchronised twice
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:17: upc_sync: the transfer was synchronised before, at .*\.upc:16;
// expect-stderr: synchronise each handle once
#include <upc.h>
#include <upc_nb.h>

shared int a[THREADS];

int main(void)
{
    int x = 1;
    upc_handle_t handle = upc_memput_nb(&a[MYTHREAD], &x, sizeof x);
    upc_sync(handle);
    upc_sync(handle);
    return 0;
}
