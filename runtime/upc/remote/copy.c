/* copy.c: copies of blocks, near or far.  A far write is complete at the next fence, like any relaxed write. */
#include "pgas/remote/copy.h"
#include "platform/copy.h"
#include "profile/span.h"
#include "upc/check/check.h"
#include "upc/upc_c.h"

void upc_memcpy(bn_pts_t dst, bn_pts_t src, size_t n)
{
    bn_check_block("upc_memcpy", "dst", dst, n);
    bn_check_block("upc_memcpy", "src", src, n);
    BN_SPAN(BN_PROFILE_COPY, n, (int)src.thread, (int)dst.thread);
    bn_copy(bn_local(dst), bn_local(src), n);
}

void upc_memget(void *dst, bn_pts_t src, size_t n)
{
    bn_check_block("upc_memget", "src", src, n);
    BN_SPAN(BN_PROFILE_GET, n, (int)src.thread, BN_NOBODY);
    bn_get(dst, bn_local(src), n);
}

void upc_memput(bn_pts_t dst, const void *src, size_t n)
{
    bn_check_block("upc_memput", "dst", dst, n);
    BN_SPAN(BN_PROFILE_PUT, n, BN_NOBODY, (int)dst.thread);
    bn_put(bn_local(dst), src, n);
}

void upc_memset(bn_pts_t dst, int c, size_t n)
{
    bn_check_block("upc_memset", "dst", dst, n);
    BN_SPAN(BN_PROFILE_SET, n, BN_NOBODY, (int)dst.thread);
    bn_fill_shared(bn_local(dst), c, n);
}

BN_OWN_DEFINE(upc_memcpy);
BN_OWN_DEFINE(upc_memget);
BN_OWN_DEFINE(upc_memput);
BN_OWN_DEFINE(upc_memset);
