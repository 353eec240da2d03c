/*
 * segment.h: the threads' segments in the window (docs/design/001-representation.md).
 *
 * Thread t's segment lies at base + bn_stride(t) in every process (banyan/access.h).  Its lower half holds the static
 * shared data, then the global heap, both at the same offsets on all threads; its upper half is the thread's local
 * heap.  Each half is a sealed memory file that grows on demand, so that an access to memory that nobody has allocated
 * is a SIGBUS.
 *
 * Life: bn_segments_create in the process that will fork the threads, then fork; there is nothing to attach and nothing
 * to clean up, since the files have no names and vanish with the last process.
 */
#ifndef BN_PGAS_SEGMENT_H
#define BN_PGAS_SEGMENT_H

#include "base/options.h"
#include "base/status.h"
#include "platform/memory.h"

#include <banyan/access.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_SEGMENT_MAX_THREADS = BN_MEMORY_IS_NARROW ? 20 : (int)BN_THREAD_MAX };
#define BN_SEGMENT_BYTES (UINT64_C(60) << 30)
#define BN_SEGMENT_HALF_BYTES (BN_SEGMENT_BYTES / 2)
#define BN_WINDOW_BASE (BN_MEMORY_IS_NARROW ? UINT64_C(0) : UINT64_C(0x110000000000))

struct bn_segments_shared;

/* Room for static shared data in a segment; first_only_bytes of it are used only by thread 0, for objects that only it
 * has */
struct bn_static_room {
    uint64_t size_bytes;
    uint64_t first_only_bytes;
};

/* The segments of a job; every process holds the same copy, inherited over fork. */
struct bn_segments {
    uint64_t base; /* address of thread 0's segment */
    int thread_count;
    uint64_t static_bytes;    /* static shared data per thread; a multiple of the page size */
    uint64_t global_begin;    /* offset of the global heap; one unused page separates it from the static data, so that a
                                 small overrun harms nobody */
    uint64_t limit_bytes;     /* room for both heaps of one thread together */
    bool asks_for_huge_pages; /* by bn_segment_use_huge_pages */
    int *lower_files;         /* file descriptors, one per thread */
    int *upper_files;
    struct bn_segments_shared *shared; /* how far the files and heaps have grown */
};

/**
 * Reserves the window and makes the files.
 *
 * @param base          BN_WINDOW_BASE, or 0 for any free place; where the system has no such addresses, it is any, too.
 * @param statics       Static data, as bn_statics_layout says.
 * @param limit_bytes   Heap per thread; 0 means the available memory divided by the number of threads, less
 *                      where the limit on the size of files (ulimit -f) is lower.
 * @errors              Reported with a remedy: address range taken, too little address space or memory, too many
 *                      threads or open files.  Nothing is left mapped or open then.
 * @cost                About 5 us per thread.
 */
bn_status_t bn_segments_create(struct bn_segments *segments, uint64_t base, int thread_count,
                               struct bn_static_room statics, uint64_t limit_bytes);

/** Unmaps and closes everything; for tests, and for a parent that continues without the segments. */
void bn_segments_destroy(struct bn_segments *segments);

/** Address of an offset in a thread's segment. */
static inline uint64_t bn_segment_address(const struct bn_segments *segments, int thread, uint64_t offset)
{
    return segments->base + bn_stride((uint64_t)thread) + offset;
}

/** The thread in whose segment a window address lies, and the offset there; false if it lies in none. */
static inline bool bn_segment_find(const struct bn_segments *segments, uint64_t address, int *thread_p,
                                   uint64_t *offset_p)
{
    uint64_t window_offset = address - segments->base;
    if (address < segments->base || window_offset >= bn_stride((uint64_t)segments->thread_count))
        return false;
    uint64_t thread = window_offset >> BN_STRIDE_SHIFT;
    uint64_t offset = window_offset - bn_stride(thread); /* wraps in the gap below a segment */
    if (offset >= BN_SEGMENT_BYTES)
        return false;
    *thread_p = (int)thread;
    *offset_p = offset;
    return true;
}

/**
 * Moves the end of the local heap of thread (bytes from the start of its upper half) or of the global heap (bytes from
 * the end of the static data, on all threads).  False if the limit or the memory is exhausted; nothing has changed
 * then.
 *
 * @threads  Local: the thread itself.  Global: one thread at a time.
 */
bool bn_segment_set_local_end(const struct bn_segments *segments, int thread, uint64_t end_bytes);
bool bn_segment_set_global_end(const struct bn_segments *segments, uint64_t end_bytes);

/** Gives the memory of a range back to the system, as bn_memory_discard does.  Any thread. */
void bn_segment_discard(const struct bn_segments *segments, int thread, uint64_t offset, uint64_t size_bytes);

/**
 * Backs a large new block with huge pages, as far as whole ones fit, unless a part of them has been touched or the
 * block exceeds the thread's share of half of the available memory.  Called by the thread itself, because the memory is
 * placed near the caller; others may use the block meanwhile.  Does nothing unless segments->asks_for_huge_pages.
 *
 * @cost 0.05 ms per MiB, compared with 0.6 ms per MiB for first touches otherwise; up to 1.2 ms in a virtual machine
 * whose host must still find the memory.
 */
void bn_segment_use_huge_pages(struct bn_segments *segments, int thread, uint64_t offset, uint64_t size_bytes);

/* What lies at an address */
enum bn_segment_place {
    BN_PLACE_OUTSIDE,     /* not in the window */
    BN_PLACE_STATIC,      /* static shared data */
    BN_PLACE_GLOBAL_HEAP, /* below the end of the global heap */
    BN_PLACE_LOCAL_HEAP,  /* below the end of the local heap */
    BN_PLACE_UNALLOCATED, /* in a segment or between two segments, but in none of the above */
};

/**
 * Finds the thread in whose segment an address lies, and the offset in the segment.  Safe in a signal handler.  Outside
 * the window, thread_p and offset_p are not written.
 */
enum bn_segment_place bn_segment_classify(const struct bn_segments *segments, uint64_t address, int *thread_p,
                                          uint64_t *offset_p);

/** How far an offset in BN_PLACE_UNALLOCATED lies beyond the end of the area before it: the local heap, the global
 * heap, or the static data if the global heap is empty.  Safe in a signal handler. */
uint64_t bn_segment_bytes_behind(const struct bn_segments *segments, int thread, uint64_t offset);

/** Whether an offset in BN_PLACE_UNALLOCATED lies after the static data with no part of the global heap in between.
 * Safe in a signal handler. */
bool bn_segment_is_behind_statics(const struct bn_segments *segments, uint64_t offset);

#ifdef __cplusplus
}
#endif

#endif
