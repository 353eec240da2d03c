/* memory.c: which shared memory is live, and the messages about accesses to memory that is not. */
#include "upc/check/memory.h"

#include "pgas/statics.h"
#include "platform/copy.h"
#include "upc/check/check.h"
#include "upc/check/place.h"
#include "upc/context.h"
#include "upc/fatal.h"

#include <stdio.h>
#include <string.h>

/* Programs see bn_check_map as constant; only this file has a name by which it can be written. */
static struct bn_check_map map;
extern const struct bn_check_map bn_check_map __attribute__((alias("map")));

/* ---- Marks ---- */

/* Most marks that are fetched from another node at a time, when more than one object is checked */
enum { MOST_MARKS = 64 << 10 };

static bool is_in_window(uint64_t address)
{
    return address - map.window_base < map.window_bytes;
}

static uint64_t count_of(uint64_t size_bytes)
{
    return (size_bytes + BN_CHECK_GRANULE - 1) >> BN_CHECK_GRANULE_SHIFT;
}

signed char bn_check_mark_at(uint64_t address)
{
    uint64_t bytes;
    const signed char *place = bn_check_marks_of(address, &bytes);
    signed char mark = BN_CHECK_NOBODY;
    if (place)
        bn_check_read_marks(&mark, place, sizeof mark);
    return mark;
}

static void fill(signed char *marks, signed char mark, uint64_t count)
{
    signed char pattern[4096];
    if (bn_is_mapped(marks)) {
        memset(marks, mark, count);
        return;
    }
    memset(pattern, mark, count < sizeof pattern ? count : sizeof pattern);
    for (uint64_t done = 0, piece; done < count; done += piece) {
        piece = count - done < sizeof pattern ? count - done : sizeof pattern;
        bn_copy(marks + done, pattern, piece);
    }
}

void bn_check_set(uint64_t address, uint64_t size_bytes, signed char mark)
{
    uint64_t bytes;
    if (size_bytes > 0)
        fill(bn_check_marks_of(address, &bytes), mark, count_of(size_bytes));
}

void bn_check_set_live(uint64_t address, uint64_t size_bytes)
{
    uint64_t rest_bytes = size_bytes % BN_CHECK_GRANULE;
    bn_check_set(address, size_bytes - rest_bytes, BN_CHECK_GRANULE);
    bn_check_set(address + size_bytes - rest_bytes, rest_bytes, (signed char)rest_bytes);
}

/* The marks of up to size_bytes from address on, valid until the next call; *bytes_p becomes the number of bytes that
 * they cover.  Null if there are no marks. */
static const signed char *bring_marks(uint64_t address, uint64_t size_bytes, uint64_t *bytes_p)
{
    static BN_PER_THREAD signed char brought[MOST_MARKS];
    uint64_t bytes;
    const signed char *place = bn_check_marks_of(address, &bytes);
    if (!place)
        return NULL;
    bytes = bytes < size_bytes ? bytes : size_bytes;
    if (count_of(bytes) > MOST_MARKS)
        bytes = (uint64_t)MOST_MARKS << BN_CHECK_GRANULE_SHIFT;
    *bytes_p = bytes;
    if (bn_is_mapped(place))
        return place;
    bn_check_read_marks(brought, place, count_of(bytes));
    return brought;
}

bool bn_check_find_back(uint64_t *address_p, uint64_t least, signed char mark)
{
    enum { PIECE_BYTES = MOST_MARKS / 2 * BN_CHECK_GRANULE };
    uint64_t end = *address_p + BN_CHECK_GRANULE;
    while (end > least) {
        uint64_t bytes = end - least < PIECE_BYTES ? end - least : PIECE_BYTES;
        uint64_t begin = end - bytes, found_bytes = 0;
        const signed char *marks = bring_marks(begin, bytes, &found_bytes);
        for (uint64_t i = marks ? count_of(found_bytes) : 0; i-- > 0;) {
            if (marks[i] == mark) {
                *address_p = begin + (i << BN_CHECK_GRANULE_SHIFT);
                return true;
            }
        }
        end = begin;
    }
    return false;
}

static void set_statics_live(const struct bn_unit *units)
{
    int first, end;
    bn_check_makes(&first, &end);
    struct bn_static_walk walk = {.unit = units};
    for (const struct bn_static *record; (record = bn_static_next(&walk));) {
        if (!record->handle)
            continue; /* a private object */
        uint64_t address = (uint64_t)*record->handle;
        for (int thread = first; thread < end; thread++) {
            uint64_t part = address + bn_stride((uint64_t)thread);
            /* Of tentative definitions of one object, the largest counts. */
            if (bn_check_mark_at(part) != BN_CHECK_NOBODY && record->local_bytes > 0 &&
                bn_check_mark_at(part + record->local_bytes - 1) != BN_CHECK_NOBODY)
                continue;
            bn_check_set_live(part, record->local_bytes);
        }
    }
}

bn_status_t bn_check_memory_create(void)
{
    const struct bn_segments *segments = &bn_context.segments;
    uint64_t window_bytes = bn_stride((uint64_t)segments->thread_count - 1) + BN_SEGMENT_BYTES;
    signed char *shadow;
    bn_status_t status = bn_check_marks_create(window_bytes, &shadow);
    if (status != BN_OK)
        return status;
    map = (struct bn_check_map){segments->base, window_bytes, shadow};
    set_statics_live(bn_context.units);
    return BN_OK;
}

/* How many granules, from the first on, are live as a whole */
static uint64_t whole_granules(const signed char *marks, uint64_t count)
{
    static const uint64_t eight_whole = 0x1010101010101010;
    uint64_t whole = 0, eight;
    for (; whole + sizeof eight <= count; whole += sizeof eight) {
        memcpy(&eight, marks + whole, sizeof eight);
        if (eight != eight_whole)
            break;
    }
    while (whole < count && marks[whole] == BN_CHECK_GRANULE)
        whole++;
    return whole;
}

/* First byte of a range that is not live; the end of the range if all are */
static uint64_t first_dead(uint64_t address, uint64_t size_bytes)
{
    uint64_t end = address + size_bytes;
    uint64_t start = address & ~(uint64_t)(BN_CHECK_GRANULE - 1);
    while (start < end) {
        uint64_t bytes = 0;
        const signed char *marks = is_in_window(start) ? bring_marks(start, end - start, &bytes) : NULL;
        uint64_t count = marks ? count_of(bytes) : 0;
        uint64_t whole = whole_granules(marks, count);
        start += whole << BN_CHECK_GRANULE_SHIFT;
        if (whole > 0 && whole == count)
            continue;
        uint64_t dead = start + (count > 0 && marks[whole] > 0 ? (uint64_t)marks[whole] : 0);
        return dead < address ? address : dead < end ? dead : end;
    }
    return end;
}

/* ---- Messages ---- */

/* Describes how far an offset lies beyond the end of the nearest static object before it. */
static void describe_static(uint64_t offset, char *text, size_t text_bytes)
{
    const struct bn_static *nearest = NULL;
    uint64_t nearest_start = 0;
    struct bn_static_walk walk = {.unit = bn_context.units};
    for (const struct bn_static *record; (record = bn_static_next(&walk));) {
        uint64_t start = record->handle ? (uint64_t)*record->handle - map.window_base : UINT64_MAX;
        if (start <= offset && (!nearest || start > nearest_start ||
                                (start == nearest_start && record->local_bytes > nearest->local_bytes))) {
            nearest = record;
            nearest_start = start;
        }
    }
    text[0] = '\0';
    if (nearest && offset >= nearest_start + nearest->local_bytes)
        snprintf(text, text_bytes, "%llu bytes beyond the end of static object '%s'",
                 (unsigned long long)(offset - nearest_start - nearest->local_bytes), nearest->name);
}

/* Ends the program for a byte in the window that belongs to no live object. */
__attribute__((noreturn)) static void refuse_dead(const char *what, uint64_t address)
{
    char text[512] = "";
    int thread = 0;
    uint64_t offset = 0;
    enum bn_segment_place place = bn_segment_classify(&bn_context.segments, address, &thread, &offset);
    bool is_freed = bn_check_mark_at(address) == BN_CHECK_FREED;
    if (place == BN_PLACE_STATIC)
        describe_static(offset, text, sizeof text);
    else
        bn_check_describe_block(address, text, sizeof text);
    if (is_freed)
        bn_upc_fatal(NULL, "%s points to memory on thread %d that was freed: %s; do not use memory after it is freed",
                     what, thread, text[0] ? text : "at an unknown place");
    bn_upc_fatal(NULL, "%s points to no object: 0x%llx on thread %d%s%s; stay within what was declared or allocated",
                 what, (unsigned long long)address, thread, text[0] ? " is " : "", text);
}

/* Ends the program if bytes of [address, address + size_bytes) are not live. */
static void refuse_unless_live(const char *what, uint64_t address, uint64_t size_bytes)
{
    if (!is_in_window(address)) {
        uint64_t thread = (address - map.window_base) >> BN_STRIDE_SHIFT;
        if (address >= map.window_base && thread < BN_SEGMENT_MAX_THREADS)
            bn_upc_fatal(NULL, "%s points to thread %llu, but there are only %d threads; let it point to an object",
                         what, (unsigned long long)thread, bn_context.thread_count);
        bn_upc_fatal(NULL, "%s points outside of shared memory, to 0x%llx; initialise it with the address of an object",
                     what, (unsigned long long)address);
    }
    uint64_t dead = first_dead(address, size_bytes);
    if (dead != address + size_bytes)
        refuse_dead(what, dead);
}

static void set_here(const char *file, int line)
{
    bn_check_here = (struct bn_check_place){file, line};
}

/* The full check, after an inline check that may have failed only because it does not cover the case; if the access is
 * valid, bn_check_here is restored. */
static void look_longer(const char *what, uint64_t address, uint64_t size_bytes, const char *file, int line)
{
    struct bn_check_place outer = bn_check_here;
    set_here(file, line);
    refuse_unless_live(what, address, size_bytes);
    bn_check_here = outer;
}

void bn_check_null(const char *file, int line)
{
    set_here(file, line);
    bn_upc_fatal(NULL, "a null pointer-to-shared is used to reach an object; let it point to one first");
}

void bn_check_bad_address(bn_u64 addr, bn_u64 bytes, const char *file, int line)
{
    look_longer("this access", addr, bytes, file, line);
}

void bn_check_bad_pointer(bn_pts_t p, bn_u64 bytes, const char *file, int line)
{
    if (p.addr == 0)
        bn_check_null(file, line);
    look_longer("the pointer-to-shared", p.addr, bytes, file, line);
    if (p.thread == bn_thread_of_address(p.addr))
        return;
    set_here(file, line);
    bn_upc_fatal(NULL,
                 "the pointer-to-shared names thread %u, but its address lies on thread %u; initialise it by an "
                 "assignment",
                 p.thread, bn_thread_of_address(p.addr));
}

void bn_check_bad_local(bn_pts_t p, const char *file, int line)
{
    set_here(file, line);
    if (!is_in_window(p.addr))
        refuse_unless_live("the pointer-to-shared that is cast", p.addr, 1);
    if (p.thread != (bn_u32)bn_context.thread)
        bn_upc_fatal(
            NULL,
            "a pointer to an object on thread %u is cast to a pointer-to-local; only thread %u may do so: use a "
            "pointer-to-shared, or upc_cast",
            p.thread, p.thread);
    refuse_dead("the pointer-to-shared that is cast", p.addr);
}

void bn_check_bad_index(bn_i64 index, bn_u64 count, const char *array, const char *file, int line)
{
    set_here(file, line);
    bn_upc_fatal(NULL, "index %lld is outside of '%s', which has %llu elements; keep it between 0 and %lld",
                 (long long)index, array, (unsigned long long)count, (long long)count - 1);
}

void bn_check_bad_phase(bn_pts_t p, bn_u64 block, const char *file, int line)
{
    set_here(file, line);
    bn_upc_fatal(
        NULL,
        "a shared void * with phase %u becomes a pointer with block size %llu; convert it to the type that it came "
        "from, or call upc_resetphase first",
        p.phase, (unsigned long long)block);
}

void bn_check_bad_difference(bn_pts_t p, bn_pts_t q, const char *file, int line)
{
    set_here(file, line);
    bn_upc_fatal(
        NULL,
        "pointers that do not lie in one array are subtracted or compared (0x%llx on thread %u, 0x%llx on thread %u); "
        "do so within one array only",
        (unsigned long long)p.addr, p.thread, (unsigned long long)q.addr, q.thread);
}

void bn_check_block_slow(const char *function, const char *what, bn_pts_t p, size_t nbytes)
{
    char text[96];
    uint64_t last = p.addr + nbytes - 1;
    if (nbytes == 0)
        return;
    if (p.addr == 0)
        bn_upc_fatal(function, "%s is a null pointer-to-shared; let it point to %zu bytes first", what, nbytes);
    snprintf(text, sizeof text, "%s: %s", function, what);
    if (is_in_window(p.addr) && (last < p.addr || bn_thread_of_address(last) != bn_thread_of_address(p.addr)))
        bn_upc_fatal(function, "%zu bytes from %s on do not lie on one thread; copy block by block", nbytes, what);
    refuse_unless_live(text, p.addr, nbytes);
}

void bn_check_part_slow(const char *function, const char *what, bn_pts_t p, size_t nbytes)
{
    if (nbytes == 0)
        bn_upc_fatal(function, "nbytes is 0; leave the call out if there is nothing to do");
    if (p.addr != 0 && p.thread != 0)
        bn_upc_fatal(function, "%s begins on thread %u; let it begin on thread 0", what, p.thread);
    if (p.addr != 0)
        p = (bn_pts_t){p.addr + bn_stride((bn_u64)bn_context.thread), (bn_u32)bn_context.thread, 0};
    bn_check_block_slow(function, what, p, nbytes);
}

void bn_check_made(const char *function, const char *what, bn_pts_t p)
{
    int thread;
    uint64_t offset;
    if (bn_segment_classify(&bn_context.segments, p.addr, &thread, &offset) != BN_PLACE_LOCAL_HEAP)
        bn_upc_fatal(function, "there is no %s at 0x%llx; pass what the function that allocates one has returned", what,
                     (unsigned long long)p.addr);
}
