/* nb.h: <upc_nb.h> as C sees it. */
#ifndef BN_UPC_MEMORY_NB_H
#define BN_UPC_MEMORY_NB_H

#include "banyan/access.h"
#include "upc/own.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

typedef struct upc_handle *upc_handle_t; /* incomplete type; the only value in use is null */

upc_handle_t upc_memcpy_nb(bn_pts_t dst, bn_pts_t src, size_t n);
upc_handle_t upc_memget_nb(void *dst, bn_pts_t src, size_t n);
upc_handle_t upc_memput_nb(bn_pts_t dst, const void *src, size_t n);
upc_handle_t upc_memset_nb(bn_pts_t dst, int c, size_t n);
void upc_memcpy_nbi(bn_pts_t dst, bn_pts_t src, size_t n);
void upc_memget_nbi(void *dst, bn_pts_t src, size_t n);
void upc_memput_nbi(bn_pts_t dst, const void *src, size_t n);
void upc_memset_nbi(bn_pts_t dst, int c, size_t n);
void upc_sync(upc_handle_t handle);
int upc_sync_attempt(upc_handle_t handle);
void upc_synci(void);
int upc_synci_attempt(void);
BN_OWN_DECLARE(upc_memcpy_nb);
BN_OWN_DECLARE(upc_memget_nb);
BN_OWN_DECLARE(upc_memput_nb);
BN_OWN_DECLARE(upc_memset_nb);
BN_OWN_DECLARE(upc_memcpy_nbi);
BN_OWN_DECLARE(upc_memget_nbi);
BN_OWN_DECLARE(upc_memput_nbi);
BN_OWN_DECLARE(upc_memset_nbi);
BN_OWN_DECLARE(upc_sync);
BN_OWN_DECLARE(upc_sync_attempt);
BN_OWN_DECLARE(upc_synci);
BN_OWN_DECLARE(upc_synci_attempt);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
