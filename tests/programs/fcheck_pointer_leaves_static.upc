// -fcheck: a pointer walks out of a static object
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread 0: .*\.upc:16: the pointer-to-shared points to no object: 0x[0-9a-f]+ on thread 0 is
// expect-stderr: 0 bytes beyond the end of static object 'row'
#include <upc.h>

shared [] int row[8];
shared int other;

int main(void)
{
    if (MYTHREAD == 0)
        for (shared [] int *p = row; p <= row + 8; p++)
            *p = 1;
    upc_barrier;
    return other;
    return 0;
}
