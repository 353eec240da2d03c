/*
 * The handles themselves serve as the table that finds the records of an object, so that no table is needed before
 * main:
 *
 *     0          not seen yet
 *     even       address of the record that counts so far (records are aligned to 8)
 *     odd        offset in the segment, plus 1
 *     even       address in the window, once placed
 */
#include "pgas/statics.h"

#include "base/log.h"
#include "base/options.h"
#include "base/parse.h"
#include "pgas/segment.h"
#include "platform/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum {
    MIN_ALIGN = 16,
    LINE_ALIGN = 64,   /* alignment of objects of at least a cache line */
    FIRST_OFFSET = 64, /* no object lies at the very start of a segment */
};

struct layout {
    uint64_t end_bytes;
    uint64_t gap_bytes;
    uint64_t first_only_bytes;
    const struct bn_static *largest;
};

/* The thread that sets initial values */
struct own {
    int mythread;
    int threads;
};

typedef bn_status_t visit_fn(const struct bn_static *record, struct layout *layout);

const struct bn_static *bn_static_next(struct bn_static_walk *walk)
{
    while (walk->unit) {
        const struct bn_unit *unit = walk->unit;
        if (!walk->next)
            walk->next = unit->statics;
        if (walk->next < unit->statics_end)
            return *walk->next++;
        while (walk->unit && walk->unit->statics == unit->statics)
            walk->unit = walk->unit->next;
        walk->next = NULL;
    }
    return NULL;
}

static bool is_shared(const struct bn_static *record)
{
    return record->handle;
}

static const struct bn_static *next_shared(struct bn_static_walk *walk)
{
    const struct bn_static *record = bn_static_next(walk);
    while (record && !is_shared(record))
        record = bn_static_next(walk);
    return record;
}

static bn_status_t visit_shared(const struct bn_unit *units, visit_fn *visit, struct layout *layout)
{
    struct bn_static_walk walk = {.unit = units};
    for (const struct bn_static *record; (record = next_shared(&walk));) {
        bn_status_t status = visit(record, layout);
        if (status != BN_OK)
            return status;
    }
    return BN_OK;
}

static bool is_offset(bn_shared_t handle)
{
    return (uint64_t)handle & 1;
}

/* Pass 1: the handle of each object holds its largest record. */
static bn_status_t merge(const struct bn_static *record, struct layout *layout)
{
    (void)layout;
    const struct bn_static *known = (const struct bn_static *)*record->handle;
    if (!known) {
        *record->handle = (bn_shared_t)(uintptr_t)record;
        return BN_OK;
    }
    if (known->elem_bytes != record->elem_bytes) {
        bn_log_error("shared object '%s' is defined with elements of %llu and of %llu bytes; give all its declarations "
                     "one type",
                     record->name, (unsigned long long)known->elem_bytes, (unsigned long long)record->elem_bytes);
        return BN_ERR_MISMATCH;
    }
    if (known->block_elems != record->block_elems) {
        bn_log_error("shared object '%s' is defined with block size %llu and with block size %llu; give all its "
                     "declarations one layout",
                     record->name, (unsigned long long)known->block_elems, (unsigned long long)record->block_elems);
        return BN_ERR_MISMATCH;
    }
    if (record->local_bytes > known->local_bytes)
        *record->handle = (bn_shared_t)(uintptr_t)record;
    return BN_OK;
}

/* Pass 2: the handle of each object holds its offset. */
static bn_status_t assign(const struct bn_static *record, struct layout *layout)
{
    if (is_offset(*record->handle))
        return BN_OK;
    const struct bn_static *object = (const struct bn_static *)*record->handle;
    uint64_t align = object->local_bytes >= LINE_ALIGN ? LINE_ALIGN : MIN_ALIGN;
    if (record->align > align)
        align = record->align;
    if (object->align > align)
        align = object->align;
    uint64_t start = (layout->end_bytes + align - 1) & ~(align - 1);
    if (!layout->largest || object->local_bytes > layout->largest->local_bytes)
        layout->largest = object;
    if (start > BN_SEGMENT_HALF_BYTES || object->local_bytes > BN_SEGMENT_HALF_BYTES - start) {
        char size[32];
        bn_format_bytes(layout->largest->local_bytes, size, sizeof size);
        bn_log_error("the static shared data does not fit into the %llu GiB that a thread has for it; the largest "
                     "object, '%s', takes %s on each thread: make it smaller, or run more threads",
                     (unsigned long long)(BN_SEGMENT_HALF_BYTES >> 30), layout->largest->name, size);
        return BN_ERR_LIMIT;
    }
    *record->handle = (bn_shared_t)(start | 1);
    layout->end_bytes = start + object->local_bytes + layout->gap_bytes;
    if (object->block_elems == 0)
        layout->first_only_bytes += object->local_bytes;
    return BN_OK;
}

bn_status_t bn_statics_layout(const struct bn_unit *units, uint64_t gap_bytes, struct bn_static_room *room_p)
{
    struct layout layout = {.end_bytes = FIRST_OFFSET, .gap_bytes = gap_bytes};
    bn_status_t status = visit_shared(units, merge, &layout);
    if (status == BN_OK)
        status = visit_shared(units, assign, &layout);
    if (status != BN_OK)
        return status;
    uint64_t page_bytes = bn_memory_page_bytes();
    *room_p = (struct bn_static_room){
        .size_bytes = layout.largest ? (layout.end_bytes + page_bytes - 1) / page_bytes * page_bytes : 0,
        .first_only_bytes = layout.first_only_bytes};
    return BN_OK;
}

/* FNV-1a */
static uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t bn_statics_fingerprint(const struct bn_unit *units)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const struct bn_unit *unit = units; unit; unit = unit->next)
        hash = mix(hash, &unit->static_threads, sizeof unit->static_threads);
    struct bn_static_walk walk = {.unit = units};
    for (const struct bn_static *object; (object = next_shared(&walk));) {
        const bn_u64 layout[] = {object->local_bytes, object->align, object->elem_bytes, object->block_elems};
        hash = mix(hash, object->name, strlen(object->name) + 1);
        hash = mix(hash, layout, sizeof layout);
    }
    return hash;
}

void bn_statics_place(const struct bn_unit *units, uint64_t window_base)
{
    struct bn_static_walk walk = {.unit = units};
    for (const struct bn_static *record; (record = next_shared(&walk));) {
        if (is_offset(*record->handle))
            *record->handle = (bn_shared_t)(window_base + ((uint64_t)*record->handle & ~UINT64_C(1)));
    }
}

const struct bn_static *bn_statics_find(const struct bn_unit *units, uint64_t window_base, uint64_t offset)
{
    const struct bn_static *found = NULL;
    struct bn_static_walk walk = {.unit = units};
    for (const struct bn_static *record; (record = next_shared(&walk));) {
        uint64_t start = (uint64_t)*record->handle - window_base;
        if (offset >= start && offset - start < record->local_bytes)
            found = record;
    }
    return found;
}

const struct bn_static *bn_statics_find_before(const struct bn_unit *units, uint64_t window_base, uint64_t offset,
                                               uint64_t *bytes_behind_p)
{
    const struct bn_static *found = NULL;
    uint64_t last_end = 0;
    struct bn_static_walk walk = {.unit = units};
    for (const struct bn_static *record; (record = next_shared(&walk));) {
        uint64_t end = (uint64_t)*record->handle - window_base + record->local_bytes;
        if (end > offset || end <= last_end)
            continue;
        found = record;
        last_end = end;
    }
    *bytes_behind_p = offset - last_end;
    return found;
}

/* Copies the values that belong to this thread, run by run: the elements of a block are contiguous. */
static void copy_image(const struct bn_static *record, const struct bn_image *image, const struct own *own)
{
    uint64_t threads = (uint64_t)own->threads;
    uint64_t factor = image->times_threads ? threads : 1;
    uint64_t elem = record->elem_bytes;
    uint64_t room = image->room * factor;
    uint64_t given = image->bytes / elem;
    uint64_t count = given < room ? given : room;
    if (given > room && own->mythread == 0)
        bn_log_warning(
            "shared array '%s' has %llu initial values, but room for %llu with %d threads; the rest is ignored",
            record->name, (unsigned long long)given, (unsigned long long)room, own->threads);
    uint64_t block = record->block_elems ? record->block_elems : UINT64_MAX; /* all on thread 0 */
    uint64_t first = image->first * factor;
    char *local = (char *)*record->handle + bn_stride((uint64_t)own->mythread);
    for (uint64_t done = 0; done < count;) {
        uint64_t nth = (first + done) / block;
        uint64_t phase = (first + done) % block;
        uint64_t run = block - phase < count - done ? block - phase : count - done;
        if (nth % threads == (uint64_t)own->mythread)
            memcpy(local + (nth / threads * block + phase) * elem, (const char *)image->data + done * elem, run * elem);
        done += run;
    }
}

void bn_statics_initialise(const struct bn_unit *units, int mythread, int threads)
{
    struct own self = {mythread, threads};
    struct bn_static_walk walk = {.unit = units};
    for (const struct bn_static *record; (record = bn_static_next(&walk));) {
        if (record->compute)
            record->compute(record->places);
        for (uint64_t i = 0; i < record->image_count; i++)
            copy_image(record, &record->images[i], &self);
    }
}
