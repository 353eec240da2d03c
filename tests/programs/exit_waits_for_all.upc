// Clause: exit() anywhere is a barrier, too (facts 1.4)
#include <unistd.h>
#include <upc.h>

#include "check.h"

shared int value[THREADS];

static void leave(void)
{
    exit(finish());
}

int main(void)
{
    value[MYTHREAD] = 5 + MYTHREAD;
    upc_barrier;
    if (MYTHREAD == 0)
        leave();
    usleep(30000);
    EQ(value[0], 5);
    if (MYTHREAD == THREADS - 1) {
        int *shared_with_nobody = (int *)&value[MYTHREAD];
        *shared_with_nobody = 6;
        EQ(value[MYTHREAD], 6);
    }
    leave();
    return 1;
}
