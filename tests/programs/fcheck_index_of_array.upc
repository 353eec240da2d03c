// -fcheck: an index of a shared array is too large
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread 0: .*\.upc:15: index \d+ is outside of 'a', which has \d+ elements; keep it between
// expect-stderr: 0 and \d+
#include <upc.h>

shared int a[10 * THREADS];

int main(void)
{
    if (MYTHREAD == 0)
        for (int i = 0; i <= 10 * THREADS; i++)
            a[i] = i;
    upc_barrier;
    return 0;
}
