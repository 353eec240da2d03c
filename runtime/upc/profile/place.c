/* place.c: books on one machine: shared memory, made before the threads are forked. */
#include "upc/profile/place.h"

#include "platform/memory.h"

static unsigned char *books;
static uint64_t stride_bytes;

bn_status_t bn_profile_books_create(int thread_count, uint64_t book_bytes)
{
    void *memory;
    bn_status_t status = bn_memory_share((uint64_t)thread_count * book_bytes, &memory);
    if (status != BN_OK)
        return status;
    books = memory;
    stride_bytes = book_bytes;
    return BN_OK;
}

struct bn_book *bn_profile_book(int thread)
{
    return (struct bn_book *)(books + (uint64_t)thread * stride_bytes);
}
