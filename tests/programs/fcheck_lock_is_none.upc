// -fcheck: a pointer to what is no lock
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:13: upc_lock: there is no lock at 0x[0-9a-f]+; pass what the function
// expect-stderr: that allocates one has returned
#include <upc.h>

shared int x;

int main(void)
{
    upc_lock((upc_lock_t *)&x);
    return 0;
}
