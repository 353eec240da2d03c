/*
 * bupc_atomic.h: atomic operations without domains, as Berkeley UPC has them.  New programs use <upc_atomic.h>.
 *
 * For X = I, UI, L, UL, I64, U64, I32, U32 (int, unsigned, long, unsigned long and the types of 64 and 32 bits), strict
 * and relaxed:
 *
 *     T    bupc_atomicX_read_strict(shared void *p)
 *     void bupc_atomicX_set_strict(shared void *p, T v)
 *     T    bupc_atomicX_swap_strict(shared void *p, T v)
 *     T    bupc_atomicX_mswap_strict(shared void *p, T mask, T v)           replaces the bits that are set in mask
 *     T    bupc_atomicX_cswap_strict(shared void *p, T oldv, T newv)        stores newv if oldv is there
 *     T    bupc_atomicX_fetchadd_strict(shared void *p, T v)                also fetchand, fetchor, fetchxor
 *     T    bupc_atomicX_fetchnot_strict(shared void *p)                     inverts all bits
 *
 * All but set return what was there before.  p points to an object of type T; operations of one type on it are atomic
 * against each other.  Deprecated: ..._private, the same as relaxed, on objects to which void *p points.
 */
#pragma upc upc_code
#ifndef BUPC_ATOMIC_H
#define BUPC_ATOMIC_H

#include <stdint.h>

#define BN_BUPC_ATOMIC_DECLARE(X, T, RS, POINTER)                    \
    T bupc_atomic##X##_read_##RS(POINTER p);                         \
    void bupc_atomic##X##_set_##RS(POINTER p, T v);                  \
    T bupc_atomic##X##_swap_##RS(POINTER p, T v);                    \
    T bupc_atomic##X##_mswap_##RS(POINTER p, T mask, T v);           \
    T bupc_atomic##X##_cswap_##RS(POINTER p, T oldv, T newv);        \
    T bupc_atomic##X##_fetchadd_##RS(POINTER p, T v);                \
    T bupc_atomic##X##_fetchand_##RS(POINTER p, T v);                \
    T bupc_atomic##X##_fetchor_##RS(POINTER p, T v);                 \
    T bupc_atomic##X##_fetchxor_##RS(POINTER p, T v);                \
    T bupc_atomic##X##_fetchnot_##RS(POINTER p);

#define BN_BUPC_ATOMIC_TYPE(X, T)                                    \
    BN_BUPC_ATOMIC_DECLARE(X, T, strict, shared void *)              \
    BN_BUPC_ATOMIC_DECLARE(X, T, relaxed, shared void *)             \
    BN_BUPC_ATOMIC_DECLARE(X, T, private, void *)

BN_BUPC_ATOMIC_TYPE(I, int)
BN_BUPC_ATOMIC_TYPE(UI, unsigned int)
BN_BUPC_ATOMIC_TYPE(L, long)
BN_BUPC_ATOMIC_TYPE(UL, unsigned long)
BN_BUPC_ATOMIC_TYPE(I64, int64_t)
BN_BUPC_ATOMIC_TYPE(U64, uint64_t)
BN_BUPC_ATOMIC_TYPE(I32, int32_t)
BN_BUPC_ATOMIC_TYPE(U32, uint32_t)

#undef BN_BUPC_ATOMIC_DECLARE
#undef BN_BUPC_ATOMIC_TYPE

#endif
