// -fcheck: an index reaches a part that a distributed array has on other threads only
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread 0: .*\.upc:14: the pointer-to-shared points to no object: 0x[0-9a-f]+ on thread \d
// expect-stderr: is 0 bytes beyond the 20 bytes that thread \d allocated at .*\.upc:11
#include <upc.h>

int main(void)
{
    shared int *p = upc_all_alloc(5, sizeof(int));
    if (MYTHREAD == 0)
        for (int i = 0; i <= 5; i++)
            p[i] = i;
    upc_barrier;
    return 0;
}
