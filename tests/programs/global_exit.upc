// Clause: upc_global_exit ends all threads at once, with all eight bits and flushed output (facts 1.4, 2.2)
// expect-exit: 203
// expect-stdout: ^written before$
#include <stdio.h>
#include <unistd.h>
#include <upc.h>

int main(void)
{
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        printf("written before");
        printf("\n");
        upc_global_exit(203);
    }
    if (MYTHREAD % 2)
        upc_barrier;
    for (;;)
        pause();
}
