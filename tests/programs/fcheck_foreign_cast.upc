// -fcheck: only the thread that an object belongs to may cast a pointer to it to a pointer-to-local
// flags: -fcheck
// threads: 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:13: a pointer to an object on thread \d+ is cast to a pointer-to-local;
// expect-stderr: only thread \d+ may do so
#include <upc.h>

shared int a[THREADS];

int main(void)
{
    int *local = (int *)&a[(MYTHREAD + 1) % THREADS];
    *local = 1;
    return 0;
}
