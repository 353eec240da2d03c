/*
 * copy.c: copies of blocks.  A block lies in one thread's segment, which is mapped, so a copy is a plain memcpy.
 *
 * Each function has only one test, of bn_upc_is_watched, because the speed of some programs depends on copies of a few
 * bytes.
 */
#include "profile/span.h"
#include "upc/check/check.h"
#include "upc/upc_c.h"
#include "upc/watched.h"

#include <string.h>

#define WATCHED __attribute__((cold, noinline)) static

WATCHED void copy_watched(bn_pts_t dst, bn_pts_t src, size_t n, const void *caller)
{
    bn_check_block("upc_memcpy", "dst", dst, n);
    bn_check_block("upc_memcpy", "src", src, n);
    BN_SPAN_FROM(caller, BN_PROFILE_COPY, n, (int)src.thread, (int)dst.thread);
    memcpy(bn_local(dst), bn_local(src), n);
}

void upc_memcpy(bn_pts_t dst, bn_pts_t src, size_t n)
{
    if (__builtin_expect(bn_upc_is_watched, 0))
        copy_watched(dst, src, n, __builtin_return_address(0));
    else
        memcpy(bn_local(dst), bn_local(src), n);
}

WATCHED void get_watched(void *dst, bn_pts_t src, size_t n, const void *caller)
{
    bn_check_block("upc_memget", "src", src, n);
    BN_SPAN_FROM(caller, BN_PROFILE_GET, n, (int)src.thread, BN_NOBODY);
    memcpy(dst, bn_local(src), n);
}

void upc_memget(void *dst, bn_pts_t src, size_t n)
{
    if (__builtin_expect(bn_upc_is_watched, 0))
        get_watched(dst, src, n, __builtin_return_address(0));
    else
        memcpy(dst, bn_local(src), n);
}

WATCHED void put_watched(bn_pts_t dst, const void *src, size_t n, const void *caller)
{
    bn_check_block("upc_memput", "dst", dst, n);
    BN_SPAN_FROM(caller, BN_PROFILE_PUT, n, BN_NOBODY, (int)dst.thread);
    memcpy(bn_local(dst), src, n);
}

void upc_memput(bn_pts_t dst, const void *src, size_t n)
{
    if (__builtin_expect(bn_upc_is_watched, 0))
        put_watched(dst, src, n, __builtin_return_address(0));
    else
        memcpy(bn_local(dst), src, n);
}

WATCHED void set_watched(bn_pts_t dst, int c, size_t n, const void *caller)
{
    bn_check_block("upc_memset", "dst", dst, n);
    BN_SPAN_FROM(caller, BN_PROFILE_SET, n, BN_NOBODY, (int)dst.thread);
    memset(bn_local(dst), c, n);
}

void upc_memset(bn_pts_t dst, int c, size_t n)
{
    if (__builtin_expect(bn_upc_is_watched, 0))
        set_watched(dst, c, n, __builtin_return_address(0));
    else
        memset(bn_local(dst), c, n);
}

BN_OWN_DEFINE(upc_memcpy);
BN_OWN_DEFINE(upc_memget);
BN_OWN_DEFINE(upc_memput);
BN_OWN_DEFINE(upc_memset);
