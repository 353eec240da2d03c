/* collective.h: what collective functions have in common: synchronisation at entry and exit, and where data lies. */
#ifndef BN_UPC_COLLECTIVE_H
#define BN_UPC_COLLECTIVE_H

#include "upc/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of upc_flag_t, as in <upc_types.h> */
enum bn_collective_flag {
    BN_IN_ALLSYNC = 1,
    BN_IN_MYSYNC = 2,
    BN_IN_NOSYNC = 4,
    BN_OUT_ALLSYNC = 8,
    BN_OUT_MYSYNC = 16,
    BN_OUT_NOSYNC = 32,
};

/*
 * A barrier at entry and one at exit give what ALLSYNC and MYSYNC ask for.  A missing flag means ALLSYNC; of several,
 * the stricter counts.
 */
static inline bool bn_syncs_at_entry(int flags)
{
    return !(flags & BN_IN_NOSYNC) || (flags & (BN_IN_ALLSYNC | BN_IN_MYSYNC));
}

static inline bool bn_syncs_at_exit(int flags)
{
    return !(flags & BN_OUT_NOSYNC) || (flags & (BN_OUT_ALLSYNC | BN_OUT_MYSYNC));
}

static inline void bn_collective_barrier(void)
{
    bn_barrier_pass(bn_context.collective_barrier, &bn_context.collective_member);
}

static inline void bn_collective_enter(const char *function, int flags)
{
    bn_context_check_collective(function);
    if (bn_syncs_at_entry(flags))
        bn_collective_barrier();
}

static inline void bn_collective_leave(int flags)
{
    if (bn_syncs_at_exit(flags))
        bn_collective_barrier();
}

/* The part of thread of an array that begins at ptr, at the same offset on each thread */
static inline unsigned char *bn_part(bn_pts_t ptr, int thread)
{
    return (unsigned char *)(ptr.addr + bn_stride((bn_u64)((bn_i64)thread - (bn_i64)ptr.thread)));
}

#ifdef __cplusplus
}
#endif

#endif
