// -fcheck: what is not a handle is synchronised
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:13: upc_sync_attempt: 0x[0-9a-f]+ is not the handle of a transfer
#include <upc.h>
#include <upc_nb.h>

int main(void)
{
    int x;
    upc_barrier;
    upc_sync_attempt((upc_handle_t)&x);
    return 0;
}
