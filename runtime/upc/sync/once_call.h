/*
 * once_call.h: collective library calls that one thread carries out (sync/once.h), with a check that all threads make
 * the same call with the same arguments.
 */
#ifndef BN_UPC_SYNC_ONCE_CALL_H
#define BN_UPC_SYNC_ONCE_CALL_H

#include "upc/check/check.h"

#include <stdbool.h>
#include <stdint.h>

struct bn_once_call {
    const char *function;  /* one string per function; identifies the function that a thread calls */
    uint64_t arguments[2]; /* single-valued */
    uint64_t result;       /* after bn_once_call_end */
};

/* True if the caller is the one to do the work, after which it must call bn_once_call_publish.  Ends the program if the
 * threads make different calls, or if this one is between upc_notify and upc_wait. */
bool bn_once_call_begin(struct bn_once_call *call);

void bn_once_call_publish(struct bn_once_call *call, uint64_t result);

/* True for the last thread that calls. */
bool bn_once_call_end(struct bn_once_call *call);

/* A call whose only argument is a pointer to what all threads have used and one is to free: true for the last thread
 * that calls, which frees it. */
static inline bool bn_once_call_is_last(const char *function, bn_pts_t ptr)
{
    struct bn_once_call call = {.function = function, .arguments = {ptr.addr, 0}};
    bn_check_arguments("ptr", ptr.addr);
    if (bn_once_call_begin(&call))
        bn_once_call_publish(&call, 0);
    return bn_once_call_end(&call);
}

#endif
