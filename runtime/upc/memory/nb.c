/* nb.c: <upc_nb.h>.  All memory is mapped, so transfers are copies by the processor that complete when they are
 * started. */
#include "upc/memory/nb.h"

#include "profile/span.h"
#include "upc/check/check.h"
#include "upc/fatal.h"
#include "upc/upc_c.h"
#include "upc/watched.h"

#include <string.h>

#define COMPLETE ((upc_handle_t)0)

/* The handle of a transfer that is complete, from a function that returns one */
static upc_handle_t complete(const char *function)
{
    return function && bn_check_is_on ? bn_check_handle_begin(function, 0) : COMPLETE;
}

/* Each transfer with and without a handle; as in copy.c, with only one test if nothing is watched.  FROM and TO are the
 * threads that bytes come from and go to. */
#define DEFINE(NAME, OPERATION, DST, SRC, FROM, TO, COPY)                                                              \
    __attribute__((cold, noinline)) static upc_handle_t NAME##_watched(const char *function, DST dst, SRC src,         \
                                                                       size_t n, const void *caller)                   \
    {                                                                                                                  \
        BN_SPAN_FROM(caller, BN_PROFILE_##OPERATION, n, FROM, TO);                                                     \
        BN_OWN(NAME)(dst, src, n);                                                                                     \
        return complete(function);                                                                                     \
    }                                                                                                                  \
                                                                                                                       \
    upc_handle_t NAME##_nb(DST dst, SRC src, size_t n)                                                                 \
    {                                                                                                                  \
        if (__builtin_expect(bn_upc_is_watched, 0))                                                                    \
            return NAME##_watched(#NAME "_nb", dst, src, n, __builtin_return_address(0));                              \
        COPY;                                                                                                          \
        return COMPLETE;                                                                                               \
    }                                                                                                                  \
                                                                                                                       \
    void NAME##_nbi(DST dst, SRC src, size_t n)                                                                        \
    {                                                                                                                  \
        if (__builtin_expect(bn_upc_is_watched, 0))                                                                    \
            NAME##_watched(NULL, dst, src, n, __builtin_return_address(0));                                            \
        else                                                                                                           \
            COPY;                                                                                                      \
    }

DEFINE(upc_memcpy, COPY_NB, bn_pts_t, bn_pts_t, (int)src.thread, (int)dst.thread,
       memcpy(bn_local(dst), bn_local(src), n))
DEFINE(upc_memget, GET_NB, void *, bn_pts_t, (int)src.thread, BN_NOBODY, memcpy(dst, bn_local(src), n))
DEFINE(upc_memput, PUT_NB, bn_pts_t, const void *, BN_NOBODY, (int)dst.thread, memcpy(bn_local(dst), src, n))
DEFINE(upc_memset, SET_NB, bn_pts_t, int, BN_NOBODY, (int)dst.thread, memset(bn_local(dst), src, n))

static void check(const char *function, upc_handle_t handle)
{
    if (handle == COMPLETE)
        return;
    if (bn_check_is_on)
        bn_check_handle_end(function, handle);
    else
        bn_upc_fatal(function, BN_NO_HANDLE, (void *)handle);
}

__attribute__((cold, noinline)) static void sync_watched(const char *function, upc_handle_t handle, const void *caller)
{
    BN_SPAN_FROM(caller, BN_PROFILE_SYNC_NB, 0, BN_NOBODY, BN_NOBODY);
    if (function)
        check(function, handle);
}

void upc_sync(upc_handle_t handle)
{
    if (__builtin_expect(bn_upc_is_watched, 0))
        sync_watched("upc_sync", handle, __builtin_return_address(0));
    else
        check("upc_sync", handle);
}

int upc_sync_attempt(upc_handle_t handle)
{
    if (__builtin_expect(bn_upc_is_watched, 0))
        sync_watched("upc_sync_attempt", handle, __builtin_return_address(0));
    else
        check("upc_sync_attempt", handle);
    return 1;
}

void upc_synci(void)
{
    if (__builtin_expect(bn_upc_is_watched, 0))
        sync_watched(NULL, COMPLETE, __builtin_return_address(0));
}

int upc_synci_attempt(void)
{
    if (__builtin_expect(bn_upc_is_watched, 0))
        sync_watched(NULL, COMPLETE, __builtin_return_address(0));
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
