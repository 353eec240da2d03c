// -fcheck: a pointer walks out of what another thread has allocated, beside a live object of that thread
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread \d: .*\.upc:22: the pointer-to-shared points to no object: 0x[0-9a-f]+ on thread 0 is 0
// expect-stderr: bytes beyond the 20 bytes that thread 0 allocated at .*\.upc:15; stay within what was
#include <upc.h>

shared [] int *shared [] p[2];

int main(void)
{
    int sum = 0;
    if (MYTHREAD == 0) {
        p[0] = upc_alloc(5 * sizeof(int));
        p[1] = upc_alloc(5 * sizeof(int));
        upc_memset(p[0], 0, 5 * sizeof(int));
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        for (int i = 0; i <= 5; i++)
            sum += p[0][i];
    upc_barrier;
    return sum;
}
