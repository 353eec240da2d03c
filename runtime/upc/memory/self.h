/* self.h: computes the values of bn_self (banyan/access.h), in one place for all networks. */
#ifndef BN_UPC_MEMORY_SELF_H
#define BN_UPC_MEMORY_SELF_H

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
        .threads_shift = (thread_count & (thread_count - 1)) == 0 ? __builtin_ctz((unsigned)thread_count) : -1,
    };
}

/*
 * Which of the parts of bn_thread_starts belongs to a thread.  With d = THREADS, m = floor((2^64 - 1) / d), and n = q*d
 * + t, the lower half of m * (n + 1) lies below (t + 1)/d * 2^64: by less than 1/d of a part as long as q * d^2 < 2^54,
 * or, with d a power of two, by n + 1, which is less than a part.  Its upper bits are ceil((t + 1)/d * parts) - 1.
 * Other threads have other parts, since there are not more threads than parts.  q stays below 2^34 for elements of 4
 * bytes and more: segments are 2^36 apart.
 */
static inline int bn_segment_part(int thread, int thread_count)
{
    return (((thread + 1) << BN_PART_BITS) + thread_count - 1) / thread_count - 1;
}

/* Sets bn_thread_starts, once bn_self is set. */
void bn_segments_set(void);

#endif
