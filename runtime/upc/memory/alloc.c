/*
 * alloc.c: allocation of shared memory.
 *
 * upc_all_alloc and upc_all_free are collective without being barriers: the first thread to arrive allocates, and all
 * threads can use the memory immediately; the last thread to leave frees.
 */
#include "base/log.h"
#include "platform/huge_pages.h"
#include "profile/span.h"
#include "upc/check/check.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/sync/once_call.h"
#include "upc/upc_c.h"

/* Backs this thread's part of a new block by huge pages, if the part is large. address is where the block begins on
 * some thread. */
static void enlarge_pages(uint64_t address, uint64_t size_bytes)
{
    int thread;
    uint64_t offset;
    if (size_bytes >= 2 * BN_HUGE_PAGE_BYTES && bn_segment_find(&bn_context.segments, address, &thread, &offset))
        bn_segment_use_huge_pages(&bn_context.segments, bn_context.thread, offset, size_bytes);
}

bn_pts_t upc_alloc(size_t nbytes)
{
    if (nbytes == 0)
        return bn_null();
    BN_SPAN(BN_PROFILE_ALLOC, nbytes, BN_NOBODY, BN_NOBODY);
    uint64_t address = bn_check_is_on ? bn_check_alloc_local(nbytes)
                                      : bn_heaps_alloc_local(&bn_context.heaps, bn_context.thread, nbytes);
    enlarge_pages(address, nbytes);
    return bn_pointer_to(address);
}

bn_pts_t upc_local_alloc(size_t nblocks, size_t nbytes)
{
    size_t size;
    return __builtin_mul_overflow(nblocks, nbytes, &size) ? bn_null() : BN_OWN(upc_alloc)(size);
}

/* Bytes that an array of nblocks blocks takes on each thread; 0 if it is empty or its size overflows */
static uint64_t bytes_per_thread(size_t nblocks, size_t nbytes)
{
    size_t total, local;
    if (__builtin_mul_overflow(nblocks, nbytes, &total) || total == 0)
        return 0;
    size_t threads = (size_t)bn_context.thread_count;
    size_t local_blocks = nblocks / threads + (nblocks % threads != 0);
    return __builtin_mul_overflow(local_blocks, nbytes, &local) ? 0 : local;
}

bn_pts_t upc_global_alloc(size_t nblocks, size_t nbytes)
{
    uint64_t size_bytes = bytes_per_thread(nblocks, nbytes);
    if (size_bytes == 0)
        return bn_null();
    BN_SPAN(BN_PROFILE_GLOBAL_ALLOC, size_bytes, BN_NOBODY, BN_NOBODY);
    return bn_pointer_to(bn_check_is_on ? bn_check_alloc_global(nblocks, nbytes)
                                        : bn_heaps_alloc_global(&bn_context.heaps, size_bytes));
}

bn_pts_t upc_all_alloc(size_t nblocks, size_t nbytes)
{
    BN_SPAN(BN_PROFILE_ALL_ALLOC, bytes_per_thread(nblocks, nbytes), BN_NOBODY, BN_NOBODY);
    struct bn_once_call call = {.function = "upc_all_alloc", .arguments = {nblocks, nbytes}};
    bn_check_arguments("nblocks nbytes", nblocks, nbytes);
    if (bn_once_call_begin(&call))
        bn_once_call_publish(&call, BN_OWN(upc_global_alloc)(nblocks, nbytes).addr);
    bn_once_call_end(&call);
    enlarge_pages(call.result, bytes_per_thread(nblocks, nbytes));
    return bn_pointer_to(call.result);
}

static void free_address(const char *function, uint64_t address)
{
    if (bn_check_is_on && bn_check_free(function, address))
        return;
    switch (bn_heaps_free(&bn_context.heaps, bn_context.thread, address)) {
    case BN_HEAPS_FREED: return;
    case BN_HEAPS_ALREADY_FREE:
        bn_upc_fatal(function, "the memory at 0x%llx has been freed before; free it once, by one thread",
                     (unsigned long long)address);
    case BN_HEAPS_STATIC:
        bn_upc_fatal(function, "0x%llx is static shared data; free only what an allocation function returned",
                     (unsigned long long)address);
    case BN_HEAPS_NOT_A_BLOCK:
    case BN_HEAPS_OUTSIDE:
        bn_upc_fatal(function,
                     "0x%llx is not a pointer that an allocation function returned, or it has been freed before",
                     (unsigned long long)address);
    }
}

void upc_free(bn_pts_t ptr)
{
    BN_SPAN(BN_PROFILE_FREE, 0, BN_NOBODY, BN_NOBODY);
    if (ptr.addr != 0)
        free_address("upc_free", ptr.addr);
}

void upc_all_free(bn_pts_t ptr)
{
    BN_SPAN(BN_PROFILE_ALL_FREE, 0, BN_NOBODY, BN_NOBODY);
    if (bn_once_call_is_last("upc_all_free", ptr) && ptr.addr != 0)
        free_address("upc_all_free", ptr.addr);
}

BN_ALSO(bupc_all_free, upc_all_free);

BN_OWN_DEFINE(upc_alloc);
BN_OWN_DEFINE(upc_global_alloc);
BN_OWN_DEFINE(upc_all_alloc);
BN_OWN_DEFINE(upc_free);
BN_OWN_DEFINE(upc_all_free);
