// A thread killed from outside takes the job down (facts 1.4)
// pthreads: no
// expect-exit: 137
// expect-stderr: thread 1.*(SIGKILL|[Kk]illed)
// threads: 2 3 8
// sanitize: no
#include <signal.h>
#include <unistd.h>
#include <upc.h>

int main(void)
{
    upc_barrier;
    if (MYTHREAD == 1)
        kill(getpid(), SIGKILL);
    upc_barrier;
    return 0;
}
