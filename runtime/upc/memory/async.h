/* async.h: the first part of <bupc_copy.h> as C sees it: non-blocking transfers under their older names. */
#ifndef BN_UPC_MEMORY_ASYNC_H
#define BN_UPC_MEMORY_ASYNC_H

#include "upc/memory/nb.h"

#pragma GCC visibility push(default)

upc_handle_t bupc_memcpy_async(bn_pts_t dst, bn_pts_t src, size_t nbytes);
upc_handle_t bupc_memget_async(void *dst, bn_pts_t src, size_t nbytes);
upc_handle_t bupc_memput_async(bn_pts_t dst, const void *src, size_t nbytes);
upc_handle_t bupc_memset_async(bn_pts_t dst, int c, size_t nbytes);
void bupc_memcpy_asynci(bn_pts_t dst, bn_pts_t src, size_t nbytes);
void bupc_memget_asynci(void *dst, bn_pts_t src, size_t nbytes);
void bupc_memput_asynci(bn_pts_t dst, const void *src, size_t nbytes);
void bupc_memset_asynci(bn_pts_t dst, int c, size_t nbytes);
void bupc_waitsync(upc_handle_t handle);
int bupc_trysync(upc_handle_t handle);
void bupc_waitsync_all(upc_handle_t *handles, size_t n);
int bupc_trysync_all(upc_handle_t *handles, size_t n);
void bupc_waitsync_some(upc_handle_t *handles, size_t n);
int bupc_trysync_some(upc_handle_t *handles, size_t n);
void bupc_waitsynci(void);
int bupc_trysynci(void);
void bupc_begin_accessregion(void);
upc_handle_t bupc_end_accessregion(void);

#pragma GCC visibility pop

#endif
