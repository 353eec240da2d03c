/* sem.h: <bupc_sem.h> as C sees it. */
#ifndef BN_UPC_SYNC_SEM_H
#define BN_UPC_SYNC_SEM_H

#include "banyan/access.h"

#include <stddef.h>

#pragma GCC visibility push(default)

bn_pts_t bupc_sem_alloc(int flags);
void bupc_sem_free(bn_pts_t ptr);
void bupc_sem_post(bn_pts_t ptr);
void bupc_sem_postN(bn_pts_t ptr, size_t n);
void bupc_sem_wait(bn_pts_t ptr);
void bupc_sem_waitN(bn_pts_t ptr, size_t n);
int bupc_sem_try(bn_pts_t ptr);
int bupc_sem_tryN(bn_pts_t ptr, size_t n);
void bupc_memput_signal(bn_pts_t dst, const void *src, size_t nbytes, bn_pts_t ptr, size_t n);
void bupc_memput_signal_async(bn_pts_t dst, const void *src, size_t nbytes, bn_pts_t ptr, size_t n);

#pragma GCC visibility pop

#endif
