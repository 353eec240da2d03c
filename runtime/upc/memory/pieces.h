/* pieces.h: the second part of <bupc_copy.h> as C sees it: copies of non-contiguous data. */
#ifndef BN_UPC_MEMORY_PIECES_H
#define BN_UPC_MEMORY_PIECES_H

#include "upc/memory/nb.h"

/* bupc_smemvec_t and bupc_pmemvec_t */
struct bn_shared_piece {
    bn_pts_t addr;
    size_t len;
};
struct bn_private_piece {
    void *addr;
    size_t len;
};

/*
 * X(name, pointer to the destination, piece of it, pointer to the source, piece of it), for copies between shared
 * memory, puts and gets
 */
#define BN_PIECES_DIRECTIONS(X)                                                                                        \
    X(cpy, bn_pts_t, struct bn_shared_piece, bn_pts_t, struct bn_shared_piece)                                         \
    X(put, bn_pts_t, struct bn_shared_piece, const void *, struct bn_private_piece)                                    \
    X(get, void *, struct bn_private_piece, bn_pts_t, struct bn_shared_piece)

#define BN_PIECES_DECLARE_ONE(RESULT, NAME, SUFFIX, DST, DST_PIECE, SRC, SRC_PIECE)                                    \
    RESULT bupc_mem##NAME##_vlist##SUFFIX(size_t dstcount, const DST_PIECE dstlist[], size_t srccount,                 \
                                          const SRC_PIECE srclist[]);                                                  \
    RESULT bupc_mem##NAME##_ilist##SUFFIX(size_t dstcount, DST const dstlist[], size_t dstlen, size_t srccount,        \
                                          SRC const srclist[], size_t srclen);                                         \
    RESULT bupc_mem##NAME##_fstrided##SUFFIX(DST dst, size_t dstlen, size_t dststride, size_t dstcount, SRC src,       \
                                             size_t srclen, size_t srcstride, size_t srccount);                        \
    RESULT bupc_mem##NAME##_strided##SUFFIX(DST dst, const size_t dststrides[], SRC src, const size_t srcstrides[],    \
                                            const size_t count[], size_t stridelevels);
#define BN_PIECES_DECLARE(NAME, DST, DST_PIECE, SRC, SRC_PIECE)                                                        \
    BN_PIECES_DECLARE_ONE(void, NAME, , DST, DST_PIECE, SRC, SRC_PIECE)                                                \
    BN_PIECES_DECLARE_ONE(upc_handle_t, NAME, _async, DST, DST_PIECE, SRC, SRC_PIECE)

#pragma GCC visibility push(default)
BN_PIECES_DIRECTIONS(BN_PIECES_DECLARE)
#pragma GCC visibility pop

#undef BN_PIECES_DECLARE
#undef BN_PIECES_DECLARE_ONE

#endif
