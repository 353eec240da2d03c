// -fcheck: the difference of pointers to different threads with an indefinite layout
// flags: -fcheck
// threads: 2 3 4
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:14: pointers that do not lie in one array are subtracted or compared
#include <upc.h>

shared int a[THREADS];

int main(void)
{
    shared [] int *p = (shared [] int *)&a[0];
    shared [] int *q = (shared [] int *)&a[1];
    return (int)(p - q);
    return 0;
}
