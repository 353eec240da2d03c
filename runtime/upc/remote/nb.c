/*
 * nb.c: <upc_nb.h> over several nodes.  Transfers between this thread's node and a far thread are asynchronous; all
 * others complete when they are started.  A handle is the number of a transfer (pgas/remote/copy.h).
 */
#include "upc/memory/nb.h"

#include "pgas/remote/copy.h"
#include "profile/span.h"
#include "upc/check/check.h"
#include "upc/fatal.h"
#include "upc/upc_c.h"

static BN_PER_THREAD uint64_t last_without_handle;

static upc_handle_t handle_of(const char *function, uint64_t transfer)
{
    return bn_check_is_on ? bn_check_handle_begin(function, transfer) : (upc_handle_t)(uintptr_t)transfer;
}

/* ---- Transfers; -fcheck checks them like copies ---- */

static uint64_t begin_copy(bn_pts_t dst, bn_pts_t src, size_t n)
{
    bn_check_block("upc_memcpy", "dst", dst, n);
    bn_check_block("upc_memcpy", "src", src, n);
    return bn_transfer_copy(bn_local(dst), bn_local(src), n);
}

static uint64_t begin_get(void *dst, bn_pts_t src, size_t n)
{
    bn_check_block("upc_memget", "src", src, n);
    return bn_transfer_get(dst, bn_local(src), n);
}

static uint64_t begin_put(bn_pts_t dst, const void *src, size_t n)
{
    bn_check_block("upc_memput", "dst", dst, n);
    return bn_transfer_put(bn_local(dst), src, n);
}

static void note(uint64_t transfer)
{
    if (transfer != 0)
        last_without_handle = transfer;
}

upc_handle_t upc_memcpy_nb(bn_pts_t dst, bn_pts_t src, size_t n)
{
    BN_SPAN(BN_PROFILE_COPY_NB, n, (int)src.thread, (int)dst.thread);
    return handle_of("upc_memcpy_nb", begin_copy(dst, src, n));
}

upc_handle_t upc_memget_nb(void *dst, bn_pts_t src, size_t n)
{
    BN_SPAN(BN_PROFILE_GET_NB, n, (int)src.thread, BN_NOBODY);
    return handle_of("upc_memget_nb", begin_get(dst, src, n));
}

upc_handle_t upc_memput_nb(bn_pts_t dst, const void *src, size_t n)
{
    BN_SPAN(BN_PROFILE_PUT_NB, n, BN_NOBODY, (int)dst.thread);
    return handle_of("upc_memput_nb", begin_put(dst, src, n));
}

upc_handle_t upc_memset_nb(bn_pts_t dst, int c, size_t n)
{
    BN_SPAN(BN_PROFILE_SET_NB, n, BN_NOBODY, (int)dst.thread);
    BN_OWN(upc_memset)(dst, c, n);
    return handle_of("upc_memset_nb", 0);
}

void upc_memcpy_nbi(bn_pts_t dst, bn_pts_t src, size_t n)
{
    BN_SPAN(BN_PROFILE_COPY_NB, n, (int)src.thread, (int)dst.thread);
    note(begin_copy(dst, src, n));
}

void upc_memget_nbi(void *dst, bn_pts_t src, size_t n)
{
    BN_SPAN(BN_PROFILE_GET_NB, n, (int)src.thread, BN_NOBODY);
    note(begin_get(dst, src, n));
}

void upc_memput_nbi(bn_pts_t dst, const void *src, size_t n)
{
    BN_SPAN(BN_PROFILE_PUT_NB, n, BN_NOBODY, (int)dst.thread);
    note(begin_put(dst, src, n));
}

void upc_memset_nbi(bn_pts_t dst, int c, size_t n)
{
    BN_SPAN(BN_PROFILE_SET_NB, n, BN_NOBODY, (int)dst.thread);
    BN_OWN(upc_memset)(dst, c, n);
}

static void end(const char *function, upc_handle_t handle)
{
    uint64_t transfer = (uint64_t)(uintptr_t)handle;
    if (bn_check_is_on && handle)
        transfer = bn_check_handle_end(function, handle);
    if (!bn_transfer_end(transfer))
        bn_upc_fatal(function, BN_NO_HANDLE, (void *)handle);
}

void upc_sync(upc_handle_t handle)
{
    BN_SPAN(BN_PROFILE_SYNC_NB, 0, BN_NOBODY, BN_NOBODY);
    end("upc_sync", handle);
}

/* Waits, because OpenSHMEM cannot test whether a transfer is done: an attempt that never succeeds would be worse than
 * one that waits. */
int upc_sync_attempt(upc_handle_t handle)
{
    BN_SPAN(BN_PROFILE_SYNC_NB, 0, BN_NOBODY, BN_NOBODY);
    end("upc_sync_attempt", handle);
    return 1;
}

void upc_synci(void)
{
    BN_SPAN(BN_PROFILE_SYNC_NB, 0, BN_NOBODY, BN_NOBODY);
    bn_transfer_end(last_without_handle);
}

int upc_synci_attempt(void)
{
    BN_OWN(upc_synci)();
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
