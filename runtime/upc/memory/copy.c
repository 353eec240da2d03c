/* copy.c: copies of blocks.  A block lies in one thread's segment, which is mapped, so a copy is a copy. */
#include "upc/check/check.h"
#include "upc/upc_c.h"

#include <string.h>

void upc_memcpy(bn_pts_t dst, bn_pts_t src, size_t n)
{
    bn_check_block("upc_memcpy", "dst", dst, n);
    bn_check_block("upc_memcpy", "src", src, n);
    memcpy(bn_local(dst), bn_local(src), n);
}

void upc_memget(void *dst, bn_pts_t src, size_t n)
{
    bn_check_block("upc_memget", "src", src, n);
    memcpy(dst, bn_local(src), n);
}

void upc_memput(bn_pts_t dst, const void *src, size_t n)
{
    bn_check_block("upc_memput", "dst", dst, n);
    memcpy(bn_local(dst), src, n);
}

void upc_memset(bn_pts_t dst, int c, size_t n)
{
    bn_check_block("upc_memset", "dst", dst, n);
    memset(bn_local(dst), c, n);
}

BN_OWN_DEFINE(upc_memcpy);
BN_OWN_DEFINE(upc_memget);
BN_OWN_DEFINE(upc_memput);
BN_OWN_DEFINE(upc_memset);
