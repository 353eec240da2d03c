/* gather.c: fetches strips of far elements that a loop is about to read (banyan/remote.h) together. */
#include "pgas/remote/copy.h"

#include "pgas/remote/remote.h"
#include "profile/span.h"

/* Elements that are contiguous at both source and destination, and have not been requested yet */
static BN_PER_THREAD struct {
    unsigned char *dst;
    const unsigned char *src;
    uint64_t size_bytes;
} piece;
static BN_PER_THREAD uint64_t transfer;

static void ask(void)
{
    if (piece.size_bytes > 0)
        transfer = bn_transfer_get(piece.dst, piece.src, piece.size_bytes);
    piece.size_bytes = 0;
}

void bn_gather_add(void *dst, const volatile void *src, bn_u64 bytes)
{
    if (bn_is_near(src))
        return;
    BN_SPAN(BN_PROFILE_READ_BY_INDEX, bytes, (int)(((uint64_t)src - bn_self.window_base) >> BN_STRIDE_SHIFT),
            BN_NOBODY);
    if (piece.size_bytes == 0 || (unsigned char *)dst != piece.dst + piece.size_bytes ||
        (const unsigned char *)src != piece.src + piece.size_bytes) {
        ask();
        piece.dst = dst;
        piece.src = (const unsigned char *)src;
    }
    piece.size_bytes += bytes;
}

void bn_gather_end(void)
{
    BN_SPAN(BN_PROFILE_READ_BY_INDEX, 0, BN_NOBODY, BN_NOBODY);
    ask();
    bn_transfer_end(transfer);
}
