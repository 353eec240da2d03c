#include "upc/sync/once_call.h"

#include "upc/context.h"
#include "upc/fatal.h"

#include <string.h>

static void check_same(const struct bn_once_call *call, const struct bn_once_slot *slot)
{
    const char *first_function = (const char *)slot->arguments[0];
    if (first_function != call->function && strcmp(first_function, call->function) != 0)
        bn_upc_fatal(call->function,
                     "thread %d calls %s instead; all threads must make the same collective calls in the same order",
                     slot->first_thread, first_function);
    if (slot->arguments[1] != call->arguments[0] || slot->arguments[2] != call->arguments[1])
        bn_upc_fatal(call->function, "thread %d gives other arguments; they must be the same on all threads",
                     slot->first_thread);
}

bool bn_once_call_begin(struct bn_once_call *call)
{
    struct bn_context *context = &bn_context;
    bn_context_check_collective(call->function);
    /* The threads are forked from one process, so a string has the same address in all of them. */
    uint64_t arguments[BN_ONCE_ARGUMENTS] = {(uint64_t)call->function, call->arguments[0], call->arguments[1]};
    if (bn_once_enter(context->once, &context->once_member, context->thread, context->thread_count, arguments,
                      &context->policy))
        return true;
    check_same(call, bn_once_current(context->once, &context->once_member));
    return false;
}

void bn_once_call_publish(struct bn_once_call *call, uint64_t result)
{
    (void)call;
    bn_once_publish(bn_context.once, &bn_context.once_member, result);
}

bool bn_once_call_end(struct bn_once_call *call)
{
    struct bn_context *context = &bn_context;
    call->result = bn_once_current(context->once, &context->once_member)->result;
    return bn_once_leave(context->once, &context->once_member, context->thread_count);
}
