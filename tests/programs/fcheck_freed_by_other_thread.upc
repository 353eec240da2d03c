// -fcheck: memory of one thread is used by another one after a third one, if there are so many, has freed it
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread \d: .*\.upc:22: the pointer-to-shared points to memory on thread 0 that was freed: in the
// expect-stderr: 40 bytes that thread 0 allocated at .*\.upc:15 and thread 1 freed at .*\.upc:20; do not use memory
#include <upc.h>

shared [] int *shared p;

int main(void)
{
    int value = 0;
    if (MYTHREAD == 0)
        p = upc_alloc(10 * sizeof(int));
    upc_barrier;
    p[MYTHREAD] = MYTHREAD;
    upc_barrier;
    if (MYTHREAD == 1)
        upc_free(p);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) value = p[3];
    upc_barrier;
    return value;
}
