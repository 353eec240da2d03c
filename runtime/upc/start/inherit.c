#include "upc/start/inherit.h"

#include "upc/check/check.h"
#include "upc/context.h"

static struct bn_context offered;

void bn_context_offer(void)
{
    offered = bn_context;
}

bn_status_t bn_context_inherit(void)
{
    bn_context = offered;
    return bn_check_is_on ? bn_check_thread_create() : BN_OK;
}
