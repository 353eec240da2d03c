/* atomic.h: <upc_atomic.h> as C sees it. */
#ifndef BN_UPC_SYNC_ATOMIC_H
#define BN_UPC_SYNC_ATOMIC_H

#include "banyan/access.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of upc_type_t, as in <upc_types.h> */
enum bn_upc_type {
    BN_UPC_INT = 5,
    BN_UPC_UINT = 6,
    BN_UPC_LONG = 7,
    BN_UPC_ULONG = 8,
    BN_UPC_INT32 = 15,
    BN_UPC_UINT32 = 16,
    BN_UPC_INT64 = 17,
    BN_UPC_UINT64 = 18,
    BN_UPC_FLOAT = 19,
    BN_UPC_DOUBLE = 20,
    BN_UPC_PTS = 22,
};

#pragma GCC visibility push(default)

bn_pts_t upc_all_atomicdomain_alloc(int type, unsigned long ops, int hints);
void upc_all_atomicdomain_free(bn_pts_t ptr);
void upc_atomic_strict(bn_pts_t domain, void *fetch_ptr, unsigned long op, bn_pts_t target, const void *operand1,
                       const void *operand2);
void upc_atomic_relaxed(bn_pts_t domain, void *fetch_ptr, unsigned long op, bn_pts_t target, const void *operand1,
                        const void *operand2);
int upc_atomic_isfast(int type, unsigned long ops, bn_pts_t addr);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
