/*
 * upc_c.h: the library functions of <upc.h> and its relatives as C sees them: pointers-to-shared are bn_pts_t.
 *
 * Their meaning is that of the UPC language specification, sections 7.2 and following; additions are documented at the
 * definitions.  They are called by emitted C, which declares them as it finds them in include/upc.  The names are
 * visible to shared libraries that a program loads.
 */
#ifndef BN_UPC_UPC_C_H
#define BN_UPC_UPC_C_H

#include "banyan/access.h"
#include "upc/own.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* ---- alloc.c ---- */
bn_pts_t upc_alloc(size_t nbytes);
bn_pts_t upc_local_alloc(size_t nblocks, size_t nbytes);
bn_pts_t upc_global_alloc(size_t nblocks, size_t nbytes);
bn_pts_t upc_all_alloc(size_t nblocks, size_t nbytes);
void upc_free(bn_pts_t ptr);
void upc_all_free(bn_pts_t ptr);
void bupc_all_free(bn_pts_t ptr);
BN_OWN_DECLARE(upc_alloc);
BN_OWN_DECLARE(upc_global_alloc);
BN_OWN_DECLARE(upc_all_alloc);
BN_OWN_DECLARE(upc_free);
BN_OWN_DECLARE(upc_all_free);

/* ---- query.c ---- */
size_t upc_threadof(bn_pts_t ptr);
size_t upc_phaseof(bn_pts_t ptr);
bn_pts_t upc_resetphase(bn_pts_t ptr);
size_t upc_addrfield(bn_pts_t ptr);
size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);
void upc_poll(void);
void bupc_poll(void);
BN_OWN_DECLARE(upc_poll);
BN_OWN_DECLARE(upc_addrfield);
BN_OWN_DECLARE(upc_affinitysize);

/* ---- lock.c ---- */
bn_pts_t upc_global_lock_alloc(void);
bn_pts_t upc_all_lock_alloc(void);
void upc_lock_free(bn_pts_t ptr);
void upc_all_lock_free(bn_pts_t ptr);
void bupc_all_lock_free(bn_pts_t ptr);
void upc_lock(bn_pts_t ptr);
int upc_lock_attempt(bn_pts_t ptr);
void upc_unlock(bn_pts_t ptr);

/* ---- copy.c ---- */
void upc_memcpy(bn_pts_t dst, bn_pts_t src, size_t n);
void upc_memget(void *dst, bn_pts_t src, size_t n);
void upc_memput(bn_pts_t dst, const void *src, size_t n);
void upc_memset(bn_pts_t dst, int c, size_t n);
BN_OWN_DECLARE(upc_memcpy);
BN_OWN_DECLARE(upc_memget);
BN_OWN_DECLARE(upc_memput);
BN_OWN_DECLARE(upc_memset);

/* ---- tick.c: <upc_tick.h> ---- */
uint64_t upc_ticks_now(void);
uint64_t upc_ticks_to_ns(uint64_t ticks);

/* ---- castable.c: <upc_castable.h> ---- */
typedef struct upc_thread_info {
    int guaranteedCastable;
    int probablyCastable;
} upc_thread_info_t;
void *upc_cast(bn_pts_t ptr);
upc_thread_info_t upc_thread_info(size_t threadId);
BN_OWN_DECLARE(upc_cast);
BN_OWN_DECLARE(upc_thread_info);

/* ---- collective.c: <upc_collective.h> ---- */
void upc_all_broadcast(bn_pts_t dst, bn_pts_t src, size_t nbytes, int flags);
void upc_all_scatter(bn_pts_t dst, bn_pts_t src, size_t nbytes, int flags);
void upc_all_gather(bn_pts_t dst, bn_pts_t src, size_t nbytes, int flags);
void upc_all_gather_all(bn_pts_t dst, bn_pts_t src, size_t nbytes, int flags);
void upc_all_exchange(bn_pts_t dst, bn_pts_t src, size_t nbytes, int flags);
void upc_all_permute(bn_pts_t dst, bn_pts_t src, bn_pts_t perm, size_t nbytes, int flags);

/* ---- reduce.c: the eleven types of <upc_collective.h> ---- */
#define BN_REDUCE_INTEGER_TYPES(X)                                                                                     \
    X(C, signed char)                                                                                                  \
    X(UC, unsigned char)                                                                                               \
    X(S, short)                                                                                                        \
    X(US, unsigned short)                                                                                              \
    X(I, int)                                                                                                          \
    X(UI, unsigned)                                                                                                    \
    X(L, long)                                                                                                         \
    X(UL, unsigned long)

#define BN_REDUCE_FLOATING_TYPES(X)                                                                                    \
    X(F, float)                                                                                                        \
    X(D, double)                                                                                                       \
    X(LD, long double)

#define BN_REDUCE_DECLARE(suffix, type)                                                                                \
    void upc_all_reduce##suffix(bn_pts_t dst, bn_pts_t src, unsigned long op, size_t nelems, size_t blk_size,          \
                                type (*func)(type, type), int flags);                                                  \
    void upc_all_prefix_reduce##suffix(bn_pts_t dst, bn_pts_t src, unsigned long op, size_t nelems, size_t blk_size,   \
                                       type (*func)(type, type), int flags);                                           \
    void bupc_all_reduce_all##suffix(bn_pts_t dst, bn_pts_t src, unsigned long op, size_t nelems, size_t blk_size,     \
                                     type (*func)(type, type), int flags);
BN_REDUCE_INTEGER_TYPES(BN_REDUCE_DECLARE)
BN_REDUCE_FLOATING_TYPES(BN_REDUCE_DECLARE)
#undef BN_REDUCE_DECLARE

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
