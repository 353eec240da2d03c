// -fcheck: the thread of a pointer-to-shared is not that of its address
// flags: -fcheck
// threads: 1 2 4
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:21: the pointer-to-shared names thread 5, but its address lies on
// expect-stderr: thread \d+
#include <upc.h>

shared int a[THREADS];

int main(void)
{
    union {
        shared int *p;
        struct {
            unsigned long addr;
            unsigned thread, phase;
        } fields;
    } u = {&a[MYTHREAD]};
    u.fields.thread = 5;
    *u.p = 1;
    return 0;
}
