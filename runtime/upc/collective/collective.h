/* collective.h: what collective functions have in common: synchronisation at entry and exit, and where data lie. */
#ifndef BN_UPC_COLLECTIVE_COLLECTIVE_H
#define BN_UPC_COLLECTIVE_COLLECTIVE_H

#include "coll/operation.h"
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

/* A missing flag means ALLSYNC; of several flags, the strictest counts. */
static inline enum bn_sync bn_sync_at_entry(int flags)
{
    static const unsigned char of_bits[8] = {BN_SYNC_ALL, BN_SYNC_ALL, BN_SYNC_MY, BN_SYNC_ALL,
                                             BN_SYNC_NO,  BN_SYNC_ALL, BN_SYNC_MY, BN_SYNC_ALL};
    return (enum bn_sync)of_bits[flags & 7];
}

static inline enum bn_sync bn_sync_at_exit(int flags)
{
    return bn_sync_at_entry(flags >> 3);
}

static inline void bn_collective_barrier(void)
{
    bn_team_barrier(&bn_context.team);
}

/* Called first by each collective function of UPC that has flags; does what bn_context_check_collective does. */
void bn_collective_check(const char *function, int flags);

/* For collectives that touch data of all threads: for them MYSYNC is as strong as ALLSYNC. */
static inline void bn_collective_enter(const char *function, int flags)
{
    bn_collective_check(function, flags);
    if (bn_sync_at_entry(flags) != BN_SYNC_NO)
        bn_collective_barrier();
}

static inline void bn_collective_leave(int flags)
{
    if (bn_sync_at_exit(flags) != BN_SYNC_NO)
        bn_collective_barrier();
}

/* Makes this thread a member of the team of all threads, which it has joined. */
void bn_collective_attach(struct bn_context *context, const struct bn_team *team);

/* Makes barriers of the program use the same kind as those of the team. */
void bn_collective_share_barrier(struct bn_context *context);

/* Carries out a call on behalf of function, whose name appears in messages; ends the program if it cannot be done. */
void bn_collective_run(const char *function, enum bn_operation operation, const struct bn_call *call);

/* A thread's part of an array that begins at the offset of ptr on each thread */
static inline unsigned char *bn_part(bn_pts_t ptr, int thread)
{
    return (unsigned char *)(ptr.addr + bn_stride((bn_u64)((bn_i64)thread - (bn_i64)ptr.thread)));
}

#ifdef __cplusplus
}
#endif

#endif
