/* atomic_typed.h: <bupc_atomic.h> as C sees it. */
#ifndef BN_UPC_SYNC_ATOMIC_TYPED_H
#define BN_UPC_SYNC_ATOMIC_TYPED_H

#include "banyan/access.h"

#include <stdint.h>

/* X(SUFFIX, type, kind in sync/atomic.h, type of the kind); a long is 8 bytes wide */
#define BN_TYPED_ATOMICS(X)                                                                                            \
    X(I, int, u32, uint32_t)                                                                                           \
    X(UI, unsigned, u32, uint32_t)                                                                                     \
    X(L, long, u64, uint64_t)                                                                                          \
    X(UL, unsigned long, u64, uint64_t)                                                                                \
    X(I64, int64_t, u64, uint64_t)                                                                                     \
    X(U64, uint64_t, u64, uint64_t)                                                                                    \
    X(I32, int32_t, u32, uint32_t)                                                                                     \
    X(U32, uint32_t, u32, uint32_t)

#define BN_TYPED_ATOMIC_DECLARE(X, T, RS, POINTER)                                                                     \
    T bupc_atomic##X##_read_##RS(POINTER p);                                                                           \
    void bupc_atomic##X##_set_##RS(POINTER p, T v);                                                                    \
    T bupc_atomic##X##_swap_##RS(POINTER p, T v);                                                                      \
    T bupc_atomic##X##_mswap_##RS(POINTER p, T mask, T v);                                                             \
    T bupc_atomic##X##_cswap_##RS(POINTER p, T oldv, T newv);                                                          \
    T bupc_atomic##X##_fetchadd_##RS(POINTER p, T v);                                                                  \
    T bupc_atomic##X##_fetchand_##RS(POINTER p, T v);                                                                  \
    T bupc_atomic##X##_fetchor_##RS(POINTER p, T v);                                                                   \
    T bupc_atomic##X##_fetchxor_##RS(POINTER p, T v);                                                                  \
    T bupc_atomic##X##_fetchnot_##RS(POINTER p);

#define BN_TYPED_ATOMIC_DECLARE_ALL(X, T, KIND, U)                                                                     \
    BN_TYPED_ATOMIC_DECLARE(X, T, strict, bn_pts_t)                                                                    \
    BN_TYPED_ATOMIC_DECLARE(X, T, relaxed, bn_pts_t)                                                                   \
    BN_TYPED_ATOMIC_DECLARE(X, T, private, void *)

#pragma GCC visibility push(default)
BN_TYPED_ATOMICS(BN_TYPED_ATOMIC_DECLARE_ALL)
#pragma GCC visibility pop

#undef BN_TYPED_ATOMIC_DECLARE
#undef BN_TYPED_ATOMIC_DECLARE_ALL

#endif
