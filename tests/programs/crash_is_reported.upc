// A thread that crashes takes the job down; the line says which thread and which signal (facts 1.4)
// expect-exit: 139
// expect-stderr: thread 0.*(SIGSEGV|[Ss]egmentation)
// sanitize: no
#include <unistd.h>
#include <upc.h>

int *volatile nowhere;

int main(void)
{
    upc_barrier;
    if (MYTHREAD == 0)
        *nowhere = 1;
    for (;;)
        pause();
}
