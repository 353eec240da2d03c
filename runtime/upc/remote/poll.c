/* poll.c: <upc.h>'s upc_poll over several nodes: makes progress on the network, and yields this thread's core. */
#include "platform/pause.h"
#include "upc/upc_c.h"

void upc_poll(void)
{
    bn_poll();
    bn_cpu_yield();
}

BN_ALSO(bupc_poll, upc_poll);
BN_OWN_DEFINE(upc_poll);
