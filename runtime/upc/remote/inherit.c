/* inherit.c: what POSIX threads of a process inherit from its first one, over several nodes. */
#include "upc/start/inherit.h"

#include "pgas/remote/remote.h"
#include "upc/check/check.h"
#include "upc/context.h"

static struct bn_context offered;
static struct bn_remote offered_remote;

void bn_context_offer(void)
{
    offered = bn_context;
    offered_remote = bn_remote;
}

bn_status_t bn_context_inherit(void)
{
    bn_context = offered;
    bn_remote = offered_remote;
    return bn_check_is_on ? bn_check_thread_create() : BN_OK;
}
