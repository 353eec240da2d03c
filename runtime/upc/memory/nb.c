/* nb.c: <upc_nb.h>.  All memory is mapped, so transfers are copies by this processor, done when they are started. */
#include "upc/memory/nb.h"

#include "profile/span.h"
#include "upc/check/check.h"
#include "upc/fatal.h"
#include "upc/upc_c.h"

#define COMPLETE ((upc_handle_t)0)

/* The handle of a transfer that is complete */
static upc_handle_t complete(const char *function)
{
    return bn_check_is_on ? bn_check_handle_begin(function, 0) : COMPLETE;
}

upc_handle_t upc_memcpy_nb(bn_pts_t dst, bn_pts_t src, size_t n)
{
    BN_SPAN(BN_PROFILE_COPY_NB, n, (int)src.thread, (int)dst.thread);
    BN_OWN(upc_memcpy)(dst, src, n);
    return complete("upc_memcpy_nb");
}

upc_handle_t upc_memget_nb(void *dst, bn_pts_t src, size_t n)
{
    BN_SPAN(BN_PROFILE_GET_NB, n, (int)src.thread, BN_NOBODY);
    BN_OWN(upc_memget)(dst, src, n);
    return complete("upc_memget_nb");
}

upc_handle_t upc_memput_nb(bn_pts_t dst, const void *src, size_t n)
{
    BN_SPAN(BN_PROFILE_PUT_NB, n, BN_NOBODY, (int)dst.thread);
    BN_OWN(upc_memput)(dst, src, n);
    return complete("upc_memput_nb");
}

upc_handle_t upc_memset_nb(bn_pts_t dst, int c, size_t n)
{
    BN_SPAN(BN_PROFILE_SET_NB, n, BN_NOBODY, (int)dst.thread);
    BN_OWN(upc_memset)(dst, c, n);
    return complete("upc_memset_nb");
}

void upc_memcpy_nbi(bn_pts_t dst, bn_pts_t src, size_t n)
{
    BN_SPAN(BN_PROFILE_COPY_NB, n, (int)src.thread, (int)dst.thread);
    BN_OWN(upc_memcpy)(dst, src, n);
}

void upc_memget_nbi(void *dst, bn_pts_t src, size_t n)
{
    BN_SPAN(BN_PROFILE_GET_NB, n, (int)src.thread, BN_NOBODY);
    BN_OWN(upc_memget)(dst, src, n);
}

void upc_memput_nbi(bn_pts_t dst, const void *src, size_t n)
{
    BN_SPAN(BN_PROFILE_PUT_NB, n, BN_NOBODY, (int)dst.thread);
    BN_OWN(upc_memput)(dst, src, n);
}

void upc_memset_nbi(bn_pts_t dst, int c, size_t n)
{
    BN_SPAN(BN_PROFILE_SET_NB, n, BN_NOBODY, (int)dst.thread);
    BN_OWN(upc_memset)(dst, c, n);
}

static void check(const char *function, upc_handle_t handle)
{
    if (handle == COMPLETE)
        return;
    if (bn_check_is_on)
        bn_check_handle_end(function, handle);
    else
        bn_upc_fatal(function, "%p is no handle of a transfer; pass what the call that started the transfer returned",
                     (void *)handle);
}

void upc_sync(upc_handle_t handle)
{
    BN_SPAN(BN_PROFILE_SYNC_NB, 0, BN_NOBODY, BN_NOBODY);
    check("upc_sync", handle);
}

int upc_sync_attempt(upc_handle_t handle)
{
    BN_SPAN(BN_PROFILE_SYNC_NB, 0, BN_NOBODY, BN_NOBODY);
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

BN_OWN_DEFINE(upc_memcpy_nb);
BN_OWN_DEFINE(upc_memget_nb);
BN_OWN_DEFINE(upc_memput_nb);
BN_OWN_DEFINE(upc_memset_nb);
BN_OWN_DEFINE(upc_memcpy_nbi);
BN_OWN_DEFINE(upc_memget_nbi);
BN_OWN_DEFINE(upc_memput_nbi);
BN_OWN_DEFINE(upc_memset_nbi);
BN_OWN_DEFINE(upc_sync);
BN_OWN_DEFINE(upc_sync_attempt);
BN_OWN_DEFINE(upc_synci);
BN_OWN_DEFINE(upc_synci_attempt);
