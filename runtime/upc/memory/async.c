/* async.c: the transfers of <upc_nb.h> under their older names, and synchronisation of many handles together. */
#include "upc/memory/async.h"

#define COMPLETE ((upc_handle_t)0)

upc_handle_t bupc_memcpy_async(bn_pts_t dst, bn_pts_t src, size_t nbytes)
{
    return BN_OWN(upc_memcpy_nb)(dst, src, nbytes);
}

upc_handle_t bupc_memget_async(void *dst, bn_pts_t src, size_t nbytes)
{
    return BN_OWN(upc_memget_nb)(dst, src, nbytes);
}

upc_handle_t bupc_memput_async(bn_pts_t dst, const void *src, size_t nbytes)
{
    return BN_OWN(upc_memput_nb)(dst, src, nbytes);
}

upc_handle_t bupc_memset_async(bn_pts_t dst, int c, size_t nbytes)
{
    return BN_OWN(upc_memset_nb)(dst, c, nbytes);
}

void bupc_memcpy_asynci(bn_pts_t dst, bn_pts_t src, size_t nbytes)
{
    BN_OWN(upc_memcpy_nbi)(dst, src, nbytes);
}

void bupc_memget_asynci(void *dst, bn_pts_t src, size_t nbytes)
{
    BN_OWN(upc_memget_nbi)(dst, src, nbytes);
}

void bupc_memput_asynci(bn_pts_t dst, const void *src, size_t nbytes)
{
    BN_OWN(upc_memput_nbi)(dst, src, nbytes);
}

void bupc_memset_asynci(bn_pts_t dst, int c, size_t nbytes)
{
    BN_OWN(upc_memset_nbi)(dst, c, nbytes);
}

void bupc_waitsync(upc_handle_t handle)
{
    BN_OWN(upc_sync)(handle);
}

int bupc_trysync(upc_handle_t handle)
{
    return BN_OWN(upc_sync_attempt)(handle);
}

void bupc_waitsync_all(upc_handle_t *handles, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        BN_OWN(upc_sync)(handles[i]);
        handles[i] = COMPLETE;
    }
}

int bupc_trysync_all(upc_handle_t *handles, size_t n)
{
    int all = 1;
    for (size_t i = 0; i < n; i++) {
        if (BN_OWN(upc_sync_attempt)(handles[i]))
            handles[i] = COMPLETE;
        else
            all = 0;
    }
    return all;
}

static int try_some(upc_handle_t *handles, size_t n)
{
    int some = n == 0;
    for (size_t i = 0; i < n; i++) {
        if (BN_OWN(upc_sync_attempt)(handles[i])) {
            handles[i] = COMPLETE;
            some = 1;
        }
    }
    return some;
}

int bupc_trysync_some(upc_handle_t *handles, size_t n)
{
    return try_some(handles, n);
}

void bupc_waitsync_some(upc_handle_t *handles, size_t n)
{
    if (try_some(handles, n))
        return;
    BN_OWN(upc_sync)(handles[0]);
    handles[0] = COMPLETE;
}

void bupc_waitsynci(void)
{
    BN_OWN(upc_synci)();
}

int bupc_trysynci(void)
{
    return BN_OWN(upc_synci_attempt)();
}

void bupc_begin_accessregion(void)
{
}

upc_handle_t bupc_end_accessregion(void)
{
    BN_OWN(upc_synci)();
    return COMPLETE;
}
