/* self.h: the values of bn_self (banyan/access.h), in one place for all networks. */
#ifndef BN_UPC_SELF_H
#define BN_UPC_SELF_H

#include "banyan/access.h"

#include <stdint.h>

static inline struct bn_self bn_self_of(int thread, int thread_count, uint64_t window_base)
{
    return (struct bn_self){
        .mythread = thread,
        .threads = thread_count,
        .threads_reciprocal = UINT64_MAX / (uint64_t)thread_count,
        .window_base = window_base,
        .my_segment = window_base + bn_stride((uint64_t)thread),
        .span = bn_stride((uint64_t)thread_count),
        .stride = bn_stride(1),
    };
}

#endif
