// -fcheck: what was not allocated is freed
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:13: upc_free: 0x[0-9a-f]+ is static shared data; free only what an
// expect-stderr: allocation function returned
#include <upc.h>

shared int a[THREADS];

int main(void)
{
    upc_free(a);
    return 0;
}
