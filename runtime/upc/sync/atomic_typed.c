/* atomic_typed.c: <bupc_atomic.h> on one machine. */
#include "profile/span.h"
#include "sync/atomic.h"
#include "upc/check/check.h"

static void *target_at(bn_pts_t p, size_t size_bytes)
{
    bn_check_block("bupc_atomic", "the target", p, size_bytes);
    return bn_local(p);
}

#define DEFINE_SHARED(KIND, U)                                                                                         \
    static inline void change_shared_##KIND(unsigned long op, U *fetch, bn_pts_t p, const U *a, const U *b)            \
    {                                                                                                                  \
        BN_SPAN(BN_PROFILE_ATOMIC, sizeof(U), (int)p.thread, BN_NOBODY);                                               \
        bn_atomic_apply_##KIND(op, fetch, target_at(p, sizeof(U)), a, b);                                              \
    }                                                                                                                  \
    static inline U swap_shared_bits_##KIND(bn_pts_t p, U mask, U value)                                               \
    {                                                                                                                  \
        BN_SPAN(BN_PROFILE_ATOMIC, sizeof(U), (int)p.thread, BN_NOBODY);                                               \
        return bn_atomic_masked_swap_##KIND(target_at(p, sizeof(U)), mask, value);                                     \
    }

DEFINE_SHARED(u32, uint32_t)
DEFINE_SHARED(u64, uint64_t)

#include "upc/sync/atomic_typed_define.h"
