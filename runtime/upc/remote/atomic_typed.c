/*
 * atomic_typed.c: <bupc_atomic.h> over several nodes.
 *
 * There are no domains, so all operations on types of one width must be atomic with respect to each other: if the
 * network has no compare-and-swap of 4 bytes, all operations that change 4 bytes take the lock of pgas/remote/atomic.h.
 */
#include "pgas/remote/atomic.h"
#include "pgas/remote/remote.h"
#include "profile/span.h"
#include "sync/atomic.h"
#include "upc/check/check.h"
#include "upc/fatal.h"
#include "upc/remote/atomic_word.h"

struct how {
    unsigned long op; /* or SWAP_BITS: replaces the bits that are set in a by those of b */
    uint64_t a, b;
};

enum { SWAP_BITS = 0 };

static uint64_t next_word(uint64_t old, const void *context)
{
    const struct how *how = context;
    switch (how->op) {
    case SWAP_BITS: return (old & ~how->a) | (how->b & how->a);
    case BN_ATOMIC_GET: return old;
    case BN_ATOMIC_CSWAP: return old == how->a ? how->b : old;
    default: bn_atomic_apply_u64(how->op, NULL, &old, &how->a, NULL); return old;
    }
}

static uint64_t change(bn_pts_t p, unsigned bytes, const struct how *how)
{
    struct bn_remote_place place;
    bn_check_block("bupc_atomic", "the target", p, bytes);
    BN_SPAN(BN_PROFILE_ATOMIC, bytes, (int)p.thread, BN_NOBODY);
    if (!bn_remote_find((uint64_t)bn_local(p), &place.thread, &place.offset))
        bn_upc_fatal(NULL, "an atomic operation on 0x%llx, which is not shared memory", (unsigned long long)p.addr);
    bn_complete_far(); /* the operation must come after what this thread has written */
    bn_poll_often();   /* programs use it in waiting loops */
    bool is_whole = bytes == sizeof(uint64_t) || bn_remote.transport->can_change_narrow();
    if (how->op != BN_ATOMIC_GET && !is_whole)
        return bn_remote_change_locked_narrow(place, next_word, how);
    if (how->op == BN_ATOMIC_GET || how->op == BN_ATOMIC_SET || how->op == BN_ATOMIC_CSWAP || how->op == BN_ATOMIC_ADD)
        return bn_atomic_word(how->op, place, bytes, how->a, how->b);
    return bn_remote_change_word(place, bytes, next_word, how);
}

#define DEFINE_SHARED(KIND, U)                                                                                         \
    static void change_shared_##KIND(unsigned long op, U *fetch, bn_pts_t p, const U *a, const U *b)                   \
    {                                                                                                                  \
        U old = (U)change(p, sizeof(U), &(struct how){op, a ? *a : 0, b ? *b : 0});                                    \
        if (fetch)                                                                                                     \
            *fetch = old;                                                                                              \
    }                                                                                                                  \
    static U swap_shared_bits_##KIND(bn_pts_t p, U mask, U value)                                                      \
    {                                                                                                                  \
        return (U)change(p, sizeof(U), &(struct how){SWAP_BITS, mask, value});                                         \
    }

DEFINE_SHARED(u32, uint32_t)
DEFINE_SHARED(u64, uint64_t)

#include "upc/sync/atomic_typed_define.h"
