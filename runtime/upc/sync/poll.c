/* poll.c: <upc.h>'s upc_poll on one machine. */
#include "platform/pause.h"
#include "upc/upc_c.h"

/* For loops that wait for another thread's store: with more threads than cores, that thread may need this core. */
void upc_poll(void)
{
    bn_cpu_yield();
}

BN_ALSO(bupc_poll, upc_poll);
BN_OWN_DEFINE(upc_poll);
