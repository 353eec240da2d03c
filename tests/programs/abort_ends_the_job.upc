// A thread that aborts takes the job down; the line says which (facts 1.4)
// expect-exit: 134
// expect-stderr: thread 0.*(SIGABRT|[Aa]bort)
// sanitize: no
#include <stdlib.h>
#include <unistd.h>
#include <upc.h>

int main(void)
{
    upc_barrier;
    if (MYTHREAD == 0)
        abort();
    if (MYTHREAD == 1)
        upc_barrier;
    for (;;)
        pause();
}
