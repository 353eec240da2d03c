#include "upc/start/describe.h"

#include "pgas/statics.h"

#include <stdio.h>

enum { NEAR_BYTES = 1 << 20 };

/* Such an address results from a negative index, or from a pointer-to-shared to a thread that does not exist. */
static void describe_outside(const struct bn_segments *segments, uint64_t address, char *text, size_t text_bytes)
{
    if (address < segments->base) {
        uint64_t before = segments->base - address;
        if (before <= NEAR_BYTES)
            snprintf(text, text_bytes,
                     "memory that belongs to no thread, %llu bytes before the static shared data of thread 0",
                     (unsigned long long)before);
        return;
    }
    uint64_t thread = (address - segments->base) / bn_stride(1);
    if (thread >= (uint64_t)segments->thread_count && thread < BN_SEGMENT_MAX_THREADS)
        snprintf(text, text_bytes, "where the shared memory of thread %llu would be, but there %s %d thread%s",
                 (unsigned long long)thread, segments->thread_count == 1 ? "is" : "are", segments->thread_count,
                 segments->thread_count == 1 ? "" : "s");
}

static void describe_static(const struct bn_segments *segments, const struct bn_unit *units, int thread,
                            uint64_t offset, char *text, size_t room)
{
    uint64_t behind;
    const struct bn_static *object = bn_statics_find(units, segments->base, offset);
    if (object) {
        snprintf(text, room, "static shared object '%s' of thread %d", object->name, thread);
        return;
    }
    object = bn_statics_find_before(units, segments->base, offset, &behind);
    if (object)
        snprintf(text, room, "the static shared data of thread %d, %llu bytes behind the end of '%s'", thread,
                 (unsigned long long)behind, object->name);
    else
        snprintf(text, room, "the static shared data of thread %d, before its first object", thread);
}

static void describe_unallocated(const struct bn_segments *segments, const struct bn_unit *units, int thread,
                                 uint64_t offset, char *text, size_t room)
{
    uint64_t behind;
    const struct bn_static *object = NULL;
    if (bn_segment_is_behind_statics(segments, offset))
        object = bn_statics_find_before(units, segments->base, offset, &behind);
    if (object)
        snprintf(text, room,
                 "shared memory of thread %d that is not allocated, %llu bytes behind the end of '%s', its last static "
                 "shared object",
                 thread, (unsigned long long)behind, object->name);
    else if (bn_stride(1) - offset <= NEAR_BYTES && thread + 1 < segments->thread_count)
        snprintf(text, room, "memory that belongs to no thread, %llu bytes before the static shared data of thread %d",
                 (unsigned long long)(bn_stride(1) - offset), thread + 1);
    else
        snprintf(text, room, "shared memory of thread %d that is not allocated, %llu bytes behind the end of %s",
                 thread, (unsigned long long)bn_segment_bytes_behind(segments, thread, offset),
                 offset >= BN_SEGMENT_HALF_BYTES ? "its local heap (upc_alloc)"
                                                 : "its static shared data and its part of the global heap");
}

void bn_describe_address(const struct bn_segments *segments, const struct bn_unit *units, uint64_t address, char *text,
                         size_t room)
{
    int thread;
    uint64_t offset;
    text[0] = '\0';
    if (segments->thread_count == 0)
        return;
    switch (bn_segment_classify(segments, address, &thread, &offset)) {
    case BN_PLACE_OUTSIDE: describe_outside(segments, address, text, room); break;
    case BN_PLACE_STATIC: describe_static(segments, units, thread, offset, text, room); break;
    case BN_PLACE_GLOBAL_HEAP:
        snprintf(text, room, "the global heap (upc_all_alloc, upc_global_alloc), part of thread %d", thread);
        break;
    case BN_PLACE_LOCAL_HEAP: snprintf(text, room, "the local heap (upc_alloc) of thread %d", thread); break;
    case BN_PLACE_UNALLOCATED: describe_unallocated(segments, units, thread, offset, text, room); break;
    }
}
