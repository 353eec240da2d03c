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
 *     T    bupc_atomicX_cswap_strict(shared void *p, T oldv, T newv)        stores newv if the old value is oldv
 *     T    bupc_atomicX_fetchadd_strict(shared void *p, T v)                also fetchand, fetchor, fetchxor
 *     T    bupc_atomicX_fetchnot_strict(shared void *p)                     inverts all bits
 *
 * All but set return the old value. p points to an object of type T; operations of one type on it are atomic with
 * respect to each other.  Deprecated: ..._private, the same as relaxed for objects that a private void *p points to.
 */
#pragma upc upc_code
#ifndef BUPC_ATOMIC_H
#define BUPC_ATOMIC_H

/* The name is assembled first, so that none of its letters is expanded as a macro, such as I of <complex.h>. */
#define BN_BUPC_ATOMIC_DECLARE(NAME, T, RS, POINTER)                                                                   \
    T NAME##_read_##RS(POINTER __p);                                                                                   \
    void NAME##_set_##RS(POINTER __p, T __v);                                                                          \
    T NAME##_swap_##RS(POINTER __p, T __v);                                                                            \
    T NAME##_mswap_##RS(POINTER __p, T __mask, T __v);                                                                 \
    T NAME##_cswap_##RS(POINTER __p, T __oldv, T __newv);                                                              \
    T NAME##_fetchadd_##RS(POINTER __p, T __v);                                                                        \
    T NAME##_fetchand_##RS(POINTER __p, T __v);                                                                        \
    T NAME##_fetchor_##RS(POINTER __p, T __v);                                                                         \
    T NAME##_fetchxor_##RS(POINTER __p, T __v);                                                                        \
    T NAME##_fetchnot_##RS(POINTER __p);

#define BN_BUPC_ATOMIC_TYPE(X, T)                                                                                      \
    BN_BUPC_ATOMIC_DECLARE(bupc_atomic##X, T, strict, shared void *)                                                   \
    BN_BUPC_ATOMIC_DECLARE(bupc_atomic##X, T, relaxed, shared void *)                                                  \
    BN_BUPC_ATOMIC_DECLARE(bupc_atomic##X, T, private, void *)

#pragma banyan offer
BN_BUPC_ATOMIC_TYPE(I, int)
BN_BUPC_ATOMIC_TYPE(UI, unsigned int)
BN_BUPC_ATOMIC_TYPE(L, long)
BN_BUPC_ATOMIC_TYPE(UL, unsigned long)
BN_BUPC_ATOMIC_TYPE(I64, __INT64_TYPE__)
BN_BUPC_ATOMIC_TYPE(U64, __UINT64_TYPE__)
BN_BUPC_ATOMIC_TYPE(I32, __INT32_TYPE__)
BN_BUPC_ATOMIC_TYPE(U32, __UINT32_TYPE__)
#pragma banyan end

#undef BN_BUPC_ATOMIC_DECLARE
#undef BN_BUPC_ATOMIC_TYPE

#endif
