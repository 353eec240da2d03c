// -fcheck: threads give upc_all_exchange different arguments: sizes
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:16: upc_all_exchange: nbytes is \d+, but \d+ on thread
// expect-stderr: \d+, in upc_all_exchange at .*\.upc:16; it must be the same on all threads
#include <upc.h>
#include <upc_collective.h>

enum { BYTES = sizeof(int) };

int main(void)
{
    shared void *src = upc_all_alloc(THREADS, 2 * BYTES * (size_t)THREADS);
    shared void *dst = upc_all_alloc(THREADS, 2 * BYTES * (size_t)THREADS);
    upc_all_exchange(dst, src, MYTHREAD == 0 ? BYTES : 2 * BYTES, 0);
    return 0;
}
