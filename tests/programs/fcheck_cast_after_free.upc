// -fcheck: memory is used through a pointer-to-local after it was freed
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread 0: .*\.upc:15: the pointer-to-shared that is cast points to memory on thread 0 that
// expect-stderr: was freed
#include <upc.h>

int main(void)
{
    shared int *p = upc_all_alloc(THREADS, sizeof(int));
    upc_all_free(p);
    upc_barrier;
    if (MYTHREAD == 0)
        *(int *)p = 1;
    upc_barrier;
    return 0;
}
