// -fcheck: an index of a row is too large, although the element lies in the array
// flags: -fcheck
// threads: 2 4
// expect-exit: 1
// expect-stderr: banyan: thread 0: .*\.upc:15: index 6 is outside of 'a\[\]', which has 6 elements; keep it between
// expect-stderr: 0 and 5
#include <upc.h>

shared [3] int a[THREADS][6];

int main(void)
{
    if (MYTHREAD == 0)
        for (int j = 0; j <= 6; j++)
            a[0][j] = j;
    upc_barrier;
    return 0;
}
