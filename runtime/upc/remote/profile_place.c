/* profile_place.c: books over several nodes: a thread's book lies in its segment, where thread 0 can read it. */
#include "upc/remote/profile_place.h"

#include "pgas/remote/remote.h"
#include "upc/context.h"
#include "upc/profile/place.h"

static uint64_t book_offset;

uint64_t bn_profile_place_layout(uint64_t begin_bytes)
{
    book_offset = (begin_bytes + BN_LINE_BYTES - 1) & ~(uint64_t)(BN_LINE_BYTES - 1);
    uint64_t book_bytes = bn_profile_book_bytes(BN_REMOTE_THREADS);
    return book_bytes > 0 ? book_offset + book_bytes : begin_bytes;
}

bn_status_t bn_profile_books_create(int thread_count, uint64_t book_bytes)
{
    (void)thread_count;
    (void)book_bytes;
    return BN_OK; /* the segments exist already, and are zeroed */
}

struct bn_book *bn_profile_book(int thread)
{
    return (struct bn_book *)(bn_context.segments.base + bn_stride((uint64_t)thread) + book_offset);
}
