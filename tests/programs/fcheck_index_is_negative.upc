// -fcheck: an index of a shared array is negative
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:14: index -1 is outside of 'a', which has \d+ elements
#include <upc.h>

shared [4] double a[4 * THREADS];
strict shared double strict_sum;

int main(void)
{
    int i = -1;
    strict_sum += a[i];
    return 0;
}
