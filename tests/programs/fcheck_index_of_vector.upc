// -fcheck: an index of a shared vector is too large
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:14: index 4 is outside of 'a\[\]', which has 4 elements
#include <upc.h>

typedef int integers __attribute__((vector_size(16)));
shared integers a[THREADS];

int main(void)
{
    for (int i = 0; i <= 4; i++)
        a[MYTHREAD][i] = i;
    return 0;
}
