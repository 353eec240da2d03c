/*
 * check_place.c: memory for the records of -fcheck over several nodes.  A thread's records lie in its segment, so all
 * of them have window addresses:
 *
 *     static data, area | parts: board, line of freed blocks | marks of the lower half | marks of the upper half | heap
 *
 * bn_check_map.shadow is address space that reads as zeros, "nothing is live here".  Marks of near threads are mapped
 * there a second time, so that the emitted checks read them in place.  Accesses to far memory fail those checks, and
 * its marks are then fetched (bn_check_bad_address and others).  Static data are live on all threads alike, so this
 * thread's own marks are used for those of a far thread.
 */
#include "upc/check/place.h"

#include "banyan/check.h"
#include "base/log.h"
#include "pgas/remote/remote.h"
#include "platform/memory.h"
#include "upc/check/check.h"
#include "upc/context.h"
#include "upc/remote/check_place.h"

/* Offsets and sizes in a segment, the same for all threads */
static struct {
    uint64_t static_bytes; /* the program's static data */
    uint64_t next_part, parts_end;
    uint64_t marks;
    uint64_t lower_bytes, upper_bytes; /* sizes of the marks of each half */
} layout;

static signed char *shadow;

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

uint64_t bn_check_place_layout(uint64_t static_bytes, uint64_t begin_bytes, uint64_t heap_bytes)
{
    uint64_t page = bn_memory_page_bytes();
    layout.static_bytes = static_bytes;
    layout.next_part = round_up(begin_bytes, BN_LINE_BYTES);
    layout.parts_end = layout.next_part + bn_check_board_bytes() + bn_check_heap_bytes();
    layout.marks = round_up(layout.parts_end, page);
    layout.upper_bytes = round_up(round_up(heap_bytes, page) / BN_CHECK_GRANULE, page);
    /* The marks of the lower half also cover themselves: a fifteenth of everything else is a sixteenth of the total. */
    uint64_t others_bytes = layout.marks + layout.upper_bytes + round_up(heap_bytes, page);
    layout.lower_bytes = round_up(others_bytes / (BN_CHECK_GRANULE - 1), page) + page;
    return layout.marks + layout.lower_bytes + layout.upper_bytes;
}

bn_status_t bn_check_parts_create(uint64_t bytes_each, struct bn_check_parts *parts)
{
    if (bytes_each > layout.parts_end - layout.next_part) {
        bn_log_error("there is no room left for the records of -fcheck; run without it");
        return BN_ERR_MEMORY;
    }
    *parts = (struct bn_check_parts){(unsigned char *)bn_context.segments.base + layout.next_part, bn_stride(1)};
    layout.next_part += bytes_each;
    return BN_OK;
}

void bn_check_makes(int *first_p, int *end_p)
{
    *first_p = bn_remote.first_thread;
    *end_p = bn_remote.end_thread;
}

/* The window address of the marks of a thread's segment; those of the upper half follow those of the lower. */
static uint64_t marks_of_thread(int thread)
{
    return bn_segment_address(&bn_context.segments, thread, layout.marks);
}

static bool mirror_marks(int thread)
{
    uint64_t marks = marks_of_thread(thread);
    uint64_t place = (uint64_t)shadow + (bn_stride((uint64_t)thread) >> BN_CHECK_GRANULE_SHIFT);
    return bn_memory_mirror((const void *)marks, layout.lower_bytes, place) &&
           bn_memory_mirror((const void *)(marks + layout.lower_bytes), layout.upper_bytes,
                            place + (BN_SEGMENT_HALF_BYTES >> BN_CHECK_GRANULE_SHIFT));
}

bn_status_t bn_check_marks_create(uint64_t window_bytes, signed char **shadow_p)
{
    void *memory;
    bn_status_t status = bn_memory_zeros((window_bytes >> BN_CHECK_GRANULE_SHIFT) + BN_CHECK_NEAR, &memory);
    if (status != BN_OK)
        return status;
    *shadow_p = shadow = memory;
    for (int thread = 0; thread < bn_context.thread_count; thread++) {
        if (bn_is_near((const void *)marks_of_thread(thread)) && !mirror_marks(thread)) {
            bn_log_error(
                "the marks that -fcheck keeps of memory cannot be mapped; run fewer threads, or without -fcheck");
            return BN_ERR_MEMORY;
        }
    }
    return BN_OK;
}

signed char *bn_check_marks_of(uint64_t address, uint64_t *bytes_p)
{
    int thread;
    uint64_t offset;
    uint64_t first = 0, size_bytes = layout.lower_bytes; /* of the marks of its half */
    if (!bn_segment_find(&bn_context.segments, address, &thread, &offset))
        return NULL;
    bool is_static = offset < layout.static_bytes;
    if (offset >= BN_SEGMENT_HALF_BYTES) {
        offset -= BN_SEGMENT_HALF_BYTES;
        first = layout.lower_bytes;
        size_bytes = layout.upper_bytes;
    }
    uint64_t end = is_static ? round_up(layout.static_bytes, BN_CHECK_GRANULE) : size_bytes * BN_CHECK_GRANULE;
    if (offset >= end)
        return NULL;
    *bytes_p = end - offset;
    bool is_of_process = thread >= bn_remote.first_thread && thread < bn_remote.end_thread;
    return (signed char *)marks_of_thread(is_static && !is_of_process ? bn_context.thread : thread) + first +
           (offset >> BN_CHECK_GRANULE_SHIFT);
}

void bn_check_read_marks(signed char *dst, const signed char *marks, uint64_t count)
{
    bn_get_ahead(dst, marks, count); /* sequential elements take only an occasional message */
}

bool bn_check_change(uint64_t address, uint64_t expected, uint64_t value)
{
    int thread;
    uint64_t offset;
    return bn_remote_find(address, &thread, &offset) &&
           bn_remote.transport->change(thread, offset, expected, value) == expected;
}
