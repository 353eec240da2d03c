// -fcheck: a wait gives another value than its notify
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:11: upc_wait: value 2 does not match value 1
#include <upc.h>

int main(void)
{
    upc_notify 1;
    upc_wait 2;
    return 0;
}
