// -fcheck: a collective between notify and wait
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:11: upc_all_lock_alloc: called between upc_notify and upc_wait
#include <upc.h>

int main(void)
{
    upc_notify;
    upc_all_lock_alloc();
    upc_wait;
    return 0;
}
