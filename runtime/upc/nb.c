/* nb.c: <upc_nb.h>.  All memory is mapped, so transfers are copies by this processor, done when they are started. */
#include "upc/nb.h"

#include "upc/fatal.h"
#include "upc/upc_c.h"

#define COMPLETE ((upc_handle_t)0)

upc_handle_t upc_memcpy_nb(bn_pts_t dst, bn_pts_t src, size_t n)
{
    upc_memcpy(dst, src, n);
    return COMPLETE;
}

upc_handle_t upc_memget_nb(void *dst, bn_pts_t src, size_t n)
{
    upc_memget(dst, src, n);
    return COMPLETE;
}

upc_handle_t upc_memput_nb(bn_pts_t dst, const void *src, size_t n)
{
    upc_memput(dst, src, n);
    return COMPLETE;
}

upc_handle_t upc_memset_nb(bn_pts_t dst, int c, size_t n)
{
    upc_memset(dst, c, n);
    return COMPLETE;
}

void upc_memcpy_nbi(bn_pts_t dst, bn_pts_t src, size_t n)
{
    upc_memcpy(dst, src, n);
}

void upc_memget_nbi(void *dst, bn_pts_t src, size_t n)
{
    upc_memget(dst, src, n);
}

void upc_memput_nbi(bn_pts_t dst, const void *src, size_t n)
{
    upc_memput(dst, src, n);
}

void upc_memset_nbi(bn_pts_t dst, int c, size_t n)
{
    upc_memset(dst, c, n);
}

static void check(const char *function, upc_handle_t handle)
{
    if (handle != COMPLETE)
        bn_upc_fatal(function, "%p is no handle of a transfer; pass what the call that started the transfer returned",
                     (void *)handle);
}

void upc_sync(upc_handle_t handle)
{
    check("upc_sync", handle);
}

int upc_sync_attempt(upc_handle_t handle)
{
    check("upc_sync_attempt", handle);
    return 1;
}

void upc_synci(void)
{
}

int upc_synci_attempt(void)
{
    return 1;
}
