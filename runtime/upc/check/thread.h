/* thread.h: what a thread keeps for the checks of -fcheck, in bn_context.check. */
#ifndef BN_UPC_CHECK_THREAD_H
#define BN_UPC_CHECK_THREAD_H

#include "banyan/check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BN_CHECK_ARGUMENTS = 8 }; /* most arguments that a collective call has */

/* board.c: arguments of the collective call that is about to be made */
struct bn_check_call {
    const char *names;
    int count;
    uint64_t values[BN_CHECK_ARGUMENTS];
};

/* handle.c: a transfer */
struct bn_check_transfer {
    uint32_t uses; /* how often this slot was used */
    bool is_open;
    uint64_t transfer;
    const char *function;
    struct bn_check_place begin, end;
};

struct bn_check_thread {
    struct bn_check_call call;
    struct bn_check_transfer *transfers;
    size_t transfer_count, next_transfer, open_count;
};

#endif
