// -fcheck: a thread has ended and others wait for it
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:12: upc_barrier: .*thread 0,?
// expect-stderr: (which has ended|has ended and will never come here); let all threads
#include <upc.h>

int main(void)
{
    if (MYTHREAD != 0)
        upc_barrier;
    return 0;
}
