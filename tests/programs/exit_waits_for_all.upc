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
    value[0] = 6;
    EQ(value[0], 6);
    leave();
    return 1;
}
