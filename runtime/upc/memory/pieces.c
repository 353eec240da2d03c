/*
 * pieces.c: copies of non-contiguous data.
 *
 * Each side is a stream of pieces; each step copies the shorter of the remainders of both sides' current pieces.  A
 * piece is an address on either side, private or in the window.  Copies to and from other nodes overlap: none is waited
 * for until the last one has begun.
 */
#include "upc/memory/pieces.h"

#include "platform/copy.h"
#include "profile/span.h"
#include "upc/check/check.h"
#include "upc/fatal.h"

#include <stdbool.h>
#include <stdint.h>

struct stream;
typedef void next_piece_fn(struct stream *stream);

struct stream {
    const char *function;   /* for messages */
    unsigned char *address; /* remainder of the current piece */
    size_t left_bytes;
    size_t index; /* of the next piece */
    size_t piece_count;
    next_piece_fn *next;
    const void *list; /* for lists of pieces or of pointers */
    size_t piece_bytes;
    unsigned char *start; /* for pieces at a constant distance */
    size_t stride_bytes;
    bool is_shared;
};

static void next_shared_piece(struct stream *stream)
{
    const struct bn_shared_piece *piece = (const struct bn_shared_piece *)stream->list + stream->index;
    bn_check_block(stream->function, "a piece", piece->addr, piece->len);
    stream->address = bn_local(piece->addr);
    stream->left_bytes = piece->len;
}

static void next_private_piece(struct stream *stream)
{
    const struct bn_private_piece *piece = (const struct bn_private_piece *)stream->list + stream->index;
    stream->address = piece->addr;
    stream->left_bytes = piece->len;
}

static void next_shared_pointer(struct stream *stream)
{
    bn_pts_t piece = ((const bn_pts_t *)stream->list)[stream->index];
    bn_check_block(stream->function, "a piece", piece, stream->piece_bytes);
    stream->address = bn_local(piece);
    stream->left_bytes = stream->piece_bytes;
}

static void next_private_pointer(struct stream *stream)
{
    stream->address = ((unsigned char *const *)stream->list)[stream->index];
    stream->left_bytes = stream->piece_bytes;
}

static void next_at_distance(struct stream *stream)
{
    stream->address = stream->start + stream->index * stream->stride_bytes;
    stream->left_bytes = stream->piece_bytes;
    if (stream->is_shared)
        bn_check_block(stream->function, "a piece", bn_at(stream->address), stream->piece_bytes);
}

/* Moves on to a piece that is not empty; false at the end. */
static bool has_bytes(struct stream *stream)
{
    while (stream->left_bytes == 0) {
        if (stream->index == stream->piece_count)
            return false;
        stream->next(stream);
        stream->index++;
    }
    return true;
}

/* For -fcheck: checks each row of a box. */
__attribute__((cold, noinline)) static void check_box(const char *function, const char *what,
                                                      const unsigned char *start, const size_t *strides,
                                                      const size_t *count, size_t level)
{
    if (level == 0)
        bn_check_block(function, what, bn_at(start), count[0]);
    for (size_t i = 0; level > 0 && i < count[level]; i++)
        check_box(function, what, start + i * strides[level - 1], strides, count, level - 1);
}

/* ---- For profiles ---- */

static int thread_at(const void *address)
{
    bn_u64 thread = ((bn_u64)address - bn_self.window_base) >> BN_STRIDE_SHIFT;
    return thread < (bn_u64)bn_self.threads ? (int)thread : BN_NOBODY;
}

static void note_piece(const void *address, uint64_t size_bytes, bool is_source)
{
    int thread = thread_at(address);
    if (thread != BN_NOBODY)
        bn_span_flow(thread, is_source ? size_bytes : 0, is_source ? 0 : size_bytes);
}

/* Notes the pieces of a side, and returns their size; works on a copy of the stream. */
static uint64_t note_pieces(struct stream stream, bool is_source)
{
    uint64_t size_bytes = 0;
    for (; has_bytes(&stream); stream.left_bytes = 0) {
        size_bytes += stream.left_bytes;
        note_piece(stream.address, stream.left_bytes, is_source);
    }
    return size_bytes;
}

/* Takes the streams by value, so that the caller's stay in registers */
__attribute__((cold, noinline)) static void note_copy(struct stream dst, struct stream src)
{
    note_pieces(dst, false);
    bn_span_bytes(note_pieces(src, true));
}

__attribute__((cold, noinline)) static void note_box(const void *dst, const void *src, const size_t *count,
                                                     size_t level)
{
    uint64_t size_bytes = count[0];
    for (size_t i = 1; i <= level; i++)
        size_bytes *= count[i];
    note_piece(dst, size_bytes, false);
    note_piece(src, size_bytes, true);
    bn_span_bytes(size_bytes);
}

/* ---- Copies ---- */

static void copy(const char *function, struct stream dst, struct stream src)
{
    dst.function = src.function = function;
    if (__builtin_expect(bn_profile_is_on, 0))
        note_copy(dst, src);
    for (;;) {
        bool dst_has_bytes = has_bytes(&dst);
        bool src_has_bytes = has_bytes(&src);
        if (dst_has_bytes != src_has_bytes)
            bn_upc_fatal(function, "the %s has more bytes; both sides must have as many",
                         dst_has_bytes ? "destination" : "source");
        if (!dst_has_bytes)
            break;
        size_t size_bytes = dst.left_bytes < src.left_bytes ? dst.left_bytes : src.left_bytes;
        bn_copy_begin(dst.address, src.address, size_bytes);
        dst.address += size_bytes;
        src.address += size_bytes;
        dst.left_bytes -= size_bytes;
        src.left_bytes -= size_bytes;
    }
    bn_copies_end();
}

/* Copies count rows of row_bytes, all of one thread on each side.  Programs mostly copy columns of numbers: with a
 * constant length a row takes one load and one store. */
static void copy_rows(unsigned char *dst, size_t dst_stride, const unsigned char *src, size_t src_stride,
                      size_t row_bytes, size_t count)
{
    /* clang-format off */
#define COPY_ROWS(copy_row, bytes)     \
    for (size_t i = 0; i < count; i++) \
        copy_row(dst + i * dst_stride, src + i * src_stride, (bytes))
    /* clang-format on */
    if (bn_may_be_far(dst, src)) {
        COPY_ROWS(bn_copy_begin, row_bytes);
        return;
    }
    switch (row_bytes) {
    case sizeof(uint32_t): COPY_ROWS(memcpy, sizeof(uint32_t)); break;
    case sizeof(uint64_t): COPY_ROWS(memcpy, sizeof(uint64_t)); break;
    default: COPY_ROWS(memcpy, row_bytes); break;
    }
#undef COPY_ROWS
}

/* Copies a box; level 0 is a row of bytes. */
static void copy_box(unsigned char *dst, const size_t *dst_strides, const unsigned char *src, const size_t *src_strides,
                     const size_t *count, size_t level)
{
    if (level == 0) {
        bn_copy_begin(dst, src, count[0]);
        return;
    }
    if (level == 1) {
        copy_rows(dst, dst_strides[0], src, src_strides[0], count[0], count[1]);
        return;
    }
    for (size_t i = 0; i < count[level]; i++)
        copy_box(dst + i * dst_strides[level - 1], dst_strides, src + i * src_strides[level - 1], src_strides, count,
                 level - 1);
}

/* Dispatch on the type of an argument: where a pointer points, whether it is shared, and how a list is read */
#define ADDRESS(pointer) _Generic((pointer), bn_pts_t: address_of_shared, default: address_of_private)(pointer)
#define IS_SHARED(pointer) _Generic((pointer), bn_pts_t: true, default: false)
#define NEXT_PIECE(list)                                                                                               \
    _Generic((list), const struct bn_shared_piece *: next_shared_piece, default: next_private_piece)
#define NEXT_POINTER(list) _Generic((list), const bn_pts_t *: next_shared_pointer, default: next_private_pointer)

static unsigned char *address_of_shared(bn_pts_t pointer)
{
    return bn_local(pointer);
}

static unsigned char *address_of_private(const void *pointer)
{
    return (unsigned char *)pointer;
}

#define OPERATION_cpy BN_PROFILE_COPY_PIECES
#define OPERATION_put BN_PROFILE_PUT_PIECES
#define OPERATION_get BN_PROFILE_GET_PIECES

#define DEFINE_ONE(RESULT, VALUE, NAME, SUFFIX, DST, DST_PIECE, SRC, SRC_PIECE)                                        \
    RESULT bupc_mem##NAME##_vlist##SUFFIX(size_t dstcount, const DST_PIECE dstlist[], size_t srccount,                 \
                                          const SRC_PIECE srclist[])                                                   \
    {                                                                                                                  \
        BN_SPAN(OPERATION_##NAME, 0, BN_NOBODY, BN_NOBODY);                                                            \
        copy("bupc_mem" #NAME "_vlist" #SUFFIX,                                                                        \
             (struct stream){.list = dstlist, .next = NEXT_PIECE(dstlist), .piece_count = dstcount},                   \
             (struct stream){.list = srclist, .next = NEXT_PIECE(srclist), .piece_count = srccount});                  \
        return VALUE;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    RESULT bupc_mem##NAME##_ilist##SUFFIX(size_t dstcount, DST const dstlist[], size_t dstlen, size_t srccount,        \
                                          SRC const srclist[], size_t srclen)                                          \
    {                                                                                                                  \
        BN_SPAN(OPERATION_##NAME, 0, BN_NOBODY, BN_NOBODY);                                                            \
        copy("bupc_mem" #NAME "_ilist" #SUFFIX,                                                                        \
             (struct stream){                                                                                          \
                 .list = dstlist, .next = NEXT_POINTER(dstlist), .piece_count = dstcount, .piece_bytes = dstlen},      \
             (struct stream){                                                                                          \
                 .list = srclist, .next = NEXT_POINTER(srclist), .piece_count = srccount, .piece_bytes = srclen});     \
        return VALUE;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    RESULT bupc_mem##NAME##_fstrided##SUFFIX(DST dst, size_t dstlen, size_t dststride, size_t dstcount, SRC src,       \
                                             size_t srclen, size_t srcstride, size_t srccount)                         \
    {                                                                                                                  \
        BN_SPAN(OPERATION_##NAME, 0, BN_NOBODY, BN_NOBODY);                                                            \
        copy("bupc_mem" #NAME "_fstrided" #SUFFIX,                                                                     \
             (struct stream){.start = ADDRESS(dst),                                                                    \
                             .next = next_at_distance,                                                                 \
                             .piece_count = dstcount,                                                                  \
                             .piece_bytes = dstlen,                                                                    \
                             .stride_bytes = dststride,                                                                \
                             .is_shared = IS_SHARED(dst)},                                                             \
             (struct stream){.start = ADDRESS(src),                                                                    \
                             .next = next_at_distance,                                                                 \
                             .piece_count = srccount,                                                                  \
                             .piece_bytes = srclen,                                                                    \
                             .stride_bytes = srcstride,                                                                \
                             .is_shared = IS_SHARED(src)});                                                            \
        return VALUE;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    RESULT bupc_mem##NAME##_strided##SUFFIX(DST dst, const size_t dststrides[], SRC src, const size_t srcstrides[],    \
                                            const size_t count[], size_t stridelevels)                                 \
    {                                                                                                                  \
        BN_SPAN(OPERATION_##NAME, 0, BN_NOBODY, BN_NOBODY);                                                            \
        if (bn_span)                                                                                                   \
            note_box(ADDRESS(dst), ADDRESS(src), count, stridelevels);                                                 \
        if (IS_SHARED(dst) && bn_check_here.file)                                                                      \
            check_box("bupc_mem" #NAME "_strided" #SUFFIX, "dst", ADDRESS(dst), dststrides, count, stridelevels);      \
        if (IS_SHARED(src) && bn_check_here.file)                                                                      \
            check_box("bupc_mem" #NAME "_strided" #SUFFIX, "src", ADDRESS(src), srcstrides, count, stridelevels);      \
        copy_box(ADDRESS(dst), dststrides, ADDRESS(src), srcstrides, count, stridelevels);                             \
        bn_copies_end();                                                                                               \
        return VALUE;                                                                                                  \
    }

#define DEFINE(NAME, DST, DST_PIECE, SRC, SRC_PIECE)                                                                   \
    DEFINE_ONE(void, , NAME, , DST, DST_PIECE, SRC, SRC_PIECE)                                                         \
    DEFINE_ONE(upc_handle_t, (upc_handle_t)0, NAME, _async, DST, DST_PIECE, SRC, SRC_PIECE)

BN_PIECES_DIRECTIONS(DEFINE)
