/*
 * atomic_typed_define.h: defines the functions of <bupc_atomic.h>, in the file that includes it.  That file must
 * provide, for KIND in u32 and u64, functions that change words of shared memory as those of sync/atomic.h change words
 * of this process:
 *
 *     change_shared_KIND(op, fetch, p, a, b)      bn_atomic_apply_KIND
 *     swap_shared_bits_KIND(p, mask, value)       bn_atomic_masked_swap_KIND
 *
 * None of the operations depends on the sign, so all types of one width share a kind.
 */
#ifndef BN_UPC_SYNC_ATOMIC_TYPED_DEFINE_H
#define BN_UPC_SYNC_ATOMIC_TYPED_DEFINE_H

#include "sync/atomic.h"
#include "upc/own.h"
#include "upc/sync/atomic_typed.h"

_Static_assert(sizeof(int) == sizeof(uint32_t) && sizeof(long) == sizeof(uint64_t), "widths of kinds");

/* What makes an operation strict */
#define FENCE_BEFORE_strict(op) bn_atomic_fence_before(op)
#define FENCE_AFTER_strict(op) bn_atomic_fence_after(op)
#define FENCE_BEFORE_relaxed(op)
#define FENCE_AFTER_relaxed(op)
#define FENCE_BEFORE_private(op)
#define FENCE_AFTER_private(op)

/* The functions that change the target, by kind of pointer */
#define CHANGE_strict(KIND) change_shared_##KIND
#define CHANGE_relaxed(KIND) change_shared_##KIND
#define CHANGE_private(KIND) bn_atomic_apply_##KIND
#define SWAP_BITS_strict(KIND) swap_shared_bits_##KIND
#define SWAP_BITS_relaxed(KIND) swap_shared_bits_##KIND
#define SWAP_BITS_private(KIND) bn_atomic_masked_swap_##KIND

#define APPLY(RS, KIND, U, OP, A, B)                                                                                   \
    U a = (U)(A), b = (U)(B), old;                                                                                     \
    FENCE_BEFORE_##RS(OP);                                                                                             \
    CHANGE_##RS(KIND)(OP, &old, p, &a, &b);                                                                            \
    FENCE_AFTER_##RS(OP);

#define DEFINE_FETCH(NAME, X, T, KIND, U, RS, POINTER, OP)                                                             \
    T bupc_atomic##X##_##NAME##_##RS(POINTER p, T v)                                                                   \
    {                                                                                                                  \
        APPLY(RS, KIND, U, OP, v, 0)                                                                                   \
        return (T)old;                                                                                                 \
    }

#define DEFINE(X, T, KIND, U, RS, POINTER)                                                                             \
    T bupc_atomic##X##_read_##RS(POINTER p)                                                                            \
    {                                                                                                                  \
        APPLY(RS, KIND, U, BN_ATOMIC_GET, 0, 0)                                                                        \
        return (T)old;                                                                                                 \
    }                                                                                                                  \
    void bupc_atomic##X##_set_##RS(POINTER p, T v)                                                                     \
    {                                                                                                                  \
        U a = (U)v;                                                                                                    \
        FENCE_BEFORE_##RS(BN_ATOMIC_SET);                                                                              \
        CHANGE_##RS(KIND)(BN_ATOMIC_SET, NULL, p, &a, NULL);                                                           \
        FENCE_AFTER_##RS(BN_ATOMIC_SET);                                                                               \
    }                                                                                                                  \
    T bupc_atomic##X##_mswap_##RS(POINTER p, T mask, T v)                                                              \
    {                                                                                                                  \
        FENCE_BEFORE_##RS(BN_ATOMIC_XOR);                                                                              \
        U old = SWAP_BITS_##RS(KIND)(p, (U)mask, (U)v);                                                                \
        FENCE_AFTER_##RS(BN_ATOMIC_XOR);                                                                               \
        return (T)old;                                                                                                 \
    }                                                                                                                  \
    T bupc_atomic##X##_cswap_##RS(POINTER p, T oldv, T newv)                                                           \
    {                                                                                                                  \
        APPLY(RS, KIND, U, BN_ATOMIC_CSWAP, oldv, newv)                                                                \
        return (T)old;                                                                                                 \
    }                                                                                                                  \
    T bupc_atomic##X##_fetchnot_##RS(POINTER p)                                                                        \
    {                                                                                                                  \
        APPLY(RS, KIND, U, BN_ATOMIC_XOR, -1, 0)                                                                       \
        return (T)old;                                                                                                 \
    }                                                                                                                  \
    DEFINE_FETCH(swap, X, T, KIND, U, RS, POINTER, BN_ATOMIC_SET)                                                      \
    DEFINE_FETCH(fetchadd, X, T, KIND, U, RS, POINTER, BN_ATOMIC_ADD)                                                  \
    DEFINE_FETCH(fetchand, X, T, KIND, U, RS, POINTER, BN_ATOMIC_AND)                                                  \
    DEFINE_FETCH(fetchor, X, T, KIND, U, RS, POINTER, BN_ATOMIC_OR)                                                    \
    DEFINE_FETCH(fetchxor, X, T, KIND, U, RS, POINTER, BN_ATOMIC_XOR)

/* For emitted C (include/banyan/atomic.h), which implements all of them inline except mswap */
#define OWN(X, NAME, RS) BN_ALSO(bn_own_bupc_atomic##X##_##NAME##_##RS, bupc_atomic##X##_##NAME##_##RS);
#define OWN_ALL(X, RS)                                                                                                 \
    OWN(X, read, RS)                                                                                                   \
    OWN(X, set, RS)                                                                                                    \
    OWN(X, swap, RS)                                                                                                   \
    OWN(X, cswap, RS)                                                                                                  \
    OWN(X, fetchadd, RS)                                                                                               \
    OWN(X, fetchand, RS)                                                                                               \
    OWN(X, fetchor, RS)                                                                                                \
    OWN(X, fetchxor, RS)                                                                                               \
    OWN(X, fetchnot, RS)

#define DEFINE_ALL(X, T, KIND, U)                                                                                      \
    DEFINE(X, T, KIND, U, strict, bn_pts_t)                                                                            \
    DEFINE(X, T, KIND, U, relaxed, bn_pts_t)                                                                           \
    DEFINE(X, T, KIND, U, private, void *)                                                                             \
    OWN_ALL(X, strict)                                                                                                 \
    OWN_ALL(X, relaxed)

BN_TYPED_ATOMICS(DEFINE_ALL)

#endif
