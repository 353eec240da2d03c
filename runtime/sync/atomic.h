/*
 * atomic.h: atomic operations on numbers and on pairs of words, in memory that processes share.
 *
 * One function per kind of operand implements all operations.  The functions for words are inline: if the operation is
 * a constant, a single instruction remains.
 *
 * Order: by themselves the operations order only the accesses to their target.  Between bn_atomic_fence_before and
 * bn_atomic_fence_after they are strict in UPC's sense: all threads see all of them in one order, and no other access
 * of the thread is reordered with them.
 */
#ifndef BN_SYNC_ATOMIC_H
#define BN_SYNC_ATOMIC_H

#include "banyan/races.h"
#include "platform/atomic_pair.h"
#include "sync/spinlock.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Values of upc_op_t, as in <upc_types.h> and <upc_atomic.h> */
enum bn_atomic_op {
    BN_ATOMIC_ADD = 1 << 0,
    BN_ATOMIC_MULT = 1 << 1,
    BN_ATOMIC_AND = 1 << 2,
    BN_ATOMIC_OR = 1 << 3,
    BN_ATOMIC_XOR = 1 << 4,
    BN_ATOMIC_MIN = 1 << 7,
    BN_ATOMIC_MAX = 1 << 8,
    BN_ATOMIC_GET = 1 << 9,
    BN_ATOMIC_SET = 1 << 10,
    BN_ATOMIC_CSWAP = 1 << 11,
    BN_ATOMIC_SUB = 1 << 12,
    BN_ATOMIC_INC = 1 << 13,
    BN_ATOMIC_DEC = 1 << 14,
};

/* Whether the operation acts as a fence: every path is an atomic read-modify-write, and on this machine those are
 * fences */
static inline bool bn_atomic_is_fence(unsigned long op)
{
    return BN_RMW_ORDERS_ALL && !(op & (BN_ATOMIC_GET | BN_ATOMIC_SET | BN_ATOMIC_CSWAP));
}

static inline void bn_atomic_fence_before(unsigned long op)
{
    BN_ORDER_BEFORE();
    if (bn_atomic_is_fence(op))
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    else
        BN_FENCE(__ATOMIC_SEQ_CST);
}

static inline void bn_atomic_fence_after(unsigned long op)
{
    /* Accesses after a read must not precede it; after a write, not even reads may happen before others see the
     * write. */
    if (bn_atomic_is_fence(op))
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    else if (op & BN_ATOMIC_GET)
        BN_FENCE(__ATOMIC_ACQUIRE);
    else
        BN_FENCE(__ATOMIC_SEQ_CST);
    BN_ORDER_AFTER();
}

/* Other threads see what this thread did before the fence before they see what it does afterwards. */
static inline void bn_atomic_fence(void)
{
    BN_ORDER_BEFORE();
    BN_FENCE(__ATOMIC_SEQ_CST);
    BN_ORDER_AFTER();
}

/*
 * void bn_atomic_apply_KIND(op, fetch, target, a, b), for KIND in i32, u32, i64, u64:
 *
 *     GET none    SET *target = *a    CSWAP if (*target == *a) *target = *b    INC, DEC by one
 *     ADD, SUB, MULT, AND, OR, XOR, MIN, MAX *target = *target op *a, modulo 2^width
 *
 * The old value of *target is stored in *fetch unless that is null. op is one of these; operands that it does not use
 * may be null. target is aligned to its size.
 */
#define BN_ATOMIC_DEFINE_INTEGER(KIND, T, U)                                                                           \
    static inline T bn_atomic_next_##KIND(unsigned long op, T old, T a)                                                \
    {                                                                                                                  \
        switch (op) {                                                                                                  \
        case BN_ATOMIC_MIN: return a < old ? a : old;                                                                  \
        case BN_ATOMIC_MAX: return a > old ? a : old;                                                                  \
        default: return (T)((U)old * (U)a);                                                                            \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static inline void bn_atomic_apply_##KIND(unsigned long op, T *fetch, T *target, const T *a, const T *b)           \
    {                                                                                                                  \
        T old;                                                                                                         \
        switch (op) {                                                                                                  \
        case BN_ATOMIC_GET: old = __atomic_load_n(target, __ATOMIC_RELAXED); break;                                    \
        case BN_ATOMIC_SET:                                                                                            \
            if (!fetch) {                                                                                              \
                __atomic_store_n(target, *a, __ATOMIC_RELAXED);                                                        \
                return;                                                                                                \
            }                                                                                                          \
            old = __atomic_exchange_n(target, *a, __ATOMIC_RELAXED);                                                   \
            break;                                                                                                     \
        case BN_ATOMIC_CSWAP:                                                                                          \
            old = *a;                                                                                                  \
            __atomic_compare_exchange_n(target, &old, *b, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                      \
            break;                                                                                                     \
        case BN_ATOMIC_ADD: old = __atomic_fetch_add(target, *a, __ATOMIC_RELAXED); break;                             \
        case BN_ATOMIC_SUB: old = __atomic_fetch_sub(target, *a, __ATOMIC_RELAXED); break;                             \
        case BN_ATOMIC_INC: old = __atomic_fetch_add(target, 1, __ATOMIC_RELAXED); break;                              \
        case BN_ATOMIC_DEC: old = __atomic_fetch_sub(target, 1, __ATOMIC_RELAXED); break;                              \
        case BN_ATOMIC_AND: old = __atomic_fetch_and(target, *a, __ATOMIC_RELAXED); break;                             \
        case BN_ATOMIC_OR: old = __atomic_fetch_or(target, *a, __ATOMIC_RELAXED); break;                               \
        case BN_ATOMIC_XOR: old = __atomic_fetch_xor(target, *a, __ATOMIC_RELAXED); break;                             \
        default: /* MULT, MIN, MAX */                                                                                  \
            old = __atomic_load_n(target, __ATOMIC_RELAXED);                                                           \
            while (!__atomic_compare_exchange_n(target, &old, bn_atomic_next_##KIND(op, old, *a), 1, __ATOMIC_RELAXED, \
                                                __ATOMIC_RELAXED))                                                     \
                ;                                                                                                      \
        }                                                                                                              \
        if (fetch)                                                                                                     \
            *fetch = old;                                                                                              \
    }

BN_ATOMIC_DEFINE_INTEGER(i32, int32_t, uint32_t)
BN_ATOMIC_DEFINE_INTEGER(u32, uint32_t, uint32_t)
BN_ATOMIC_DEFINE_INTEGER(i64, int64_t, uint64_t)
BN_ATOMIC_DEFINE_INTEGER(u64, uint64_t, uint64_t)
#undef BN_ATOMIC_DEFINE_INTEGER

/* *target = (*target & ~mask) | (value & mask); returns the old value. */
uint32_t bn_atomic_masked_swap_u32(uint32_t *target, uint32_t mask, uint32_t value);
uint64_t bn_atomic_masked_swap_u64(uint64_t *target, uint64_t mask, uint64_t value);

/* bn_atomic_apply for floating types, without AND, OR and XOR.  CSWAP compares values: -0.0 equals 0.0. */
void bn_atomic_apply_float(unsigned long op, float *fetch, float *target, const float *a, const float *b);
void bn_atomic_apply_double(unsigned long op, double *fetch, double *target, const double *a, const double *b);

/*
 * Locks for targets that the processor cannot change atomically (bn_pair_is_atomic).  They lie in zeroed memory that
 * all users of the targets share.  The address of a target selects its lock, so all users must map it at the same
 * address.
 */
enum { BN_ATOMIC_LOCKS = 16 };
struct bn_atomic_locks {
    struct bn_spinlock lock[BN_ATOMIC_LOCKS];
};

/* GET, SET and CSWAP of pairs, as above.  CSWAP compares only the low words but stores both. */
void bn_atomic_apply_pair(unsigned long op, struct bn_pair *fetch, struct bn_pair *target, const struct bn_pair *a,
                          const struct bn_pair *b, struct bn_atomic_locks *locks);

#ifdef __cplusplus
}
#endif

#endif
