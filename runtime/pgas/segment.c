#include "pgas/segment.h"

#include "base/log.h"
#include "base/options.h"
#include "base/parse.h"
#include "platform/atomic_word.h"
#include "platform/memory.h"
#include "sync/spinlock.h"

#include <stdlib.h>

enum {
    GROWTH_SHARE = 8,               /* a file grows by an eighth of its size, */
    GROWTH_MIN_BYTES = 1024 * 1024, /* but at least by this */
};

/* Grows only: the files are sealed against shrinking. */
struct file_extent {
    uint64_t file_bytes; /* size of the file */
    uint64_t heap_bytes; /* end of the heap in it; read without the lock, too */
};

/*
 * Changed only under the lock.  Changes are rare (a heap grows in steps), and the limit applies to the global and local
 * heaps together, so one lock is enough.
 */
struct bn_segments_shared {
    struct bn_spinlock lock;
    struct file_extent global;
    uint64_t largest_local_bytes; /* size of the largest local heap since all were last examined */
    struct file_extent locals[];
};

static uint64_t shared_bytes(int thread_count)
{
    return sizeof(struct bn_segments_shared) + (uint64_t)thread_count * sizeof(struct file_extent);
}

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* ---- Creation ---- */

/* The tables of all heaps are in one file (heaps.c), and take a small part of their size; so they fit if all heaps
 * together do. */
static uint64_t default_limit(const struct bn_segments *segments, uint64_t room_bytes)
{
    uint64_t thread_count = (uint64_t)segments->thread_count;
    uint64_t of_files = bn_memory_file_most_bytes() / (thread_count + 1);
    uint64_t of_memory = room_bytes / thread_count;
    return of_memory < of_files ? of_memory : of_files;
}

static bn_status_t choose_limit(struct bn_segments *segments, struct bn_static_room statics, uint64_t limit_bytes)
{
    uint64_t available = bn_memory_available_bytes("");
    uint64_t of_each = statics.size_bytes - statics.first_only_bytes;
    uint64_t static_bytes = of_each * (uint64_t)segments->thread_count + statics.first_only_bytes;
    if (static_bytes > available) {
        char size[32], room[32];
        bn_format_bytes(static_bytes, size, sizeof size);
        bn_format_bytes(available >> 20 << 20, room, sizeof room);
        bn_log_error("the static shared data of %d threads takes %s, and %s of memory are available; run fewer "
                     "threads, or make the shared arrays smaller",
                     segments->thread_count, size, room);
        return BN_ERR_MEMORY;
    }
    if (limit_bytes == 0)
        limit_bytes = default_limit(segments, available - static_bytes);
    uint64_t most = BN_SEGMENT_HALF_BYTES - segments->global_begin;
    if (limit_bytes > most)
        limit_bytes = most;
    segments->limit_bytes = limit_bytes / bn_memory_page_bytes() * bn_memory_page_bytes();
    return BN_OK;
}

static bn_status_t create_files(int *files, int count, int min_file)
{
    for (int i = 0; i < count; i++) {
        bn_status_t status = bn_memory_file_create("banyan", min_file, &files[i]);
        if (status != BN_OK) {
            while (--i >= 0)
                bn_memory_file_close(files[i]);
            return status;
        }
    }
    return BN_OK;
}

static void close_files(const int *files, int count)
{
    for (int i = 0; i < count; i++)
        bn_memory_file_close(files[i]);
}

static bn_status_t map_files(const struct bn_segments *segments)
{
    for (int thread = 0; thread < segments->thread_count; thread++) {
        uint64_t lower = bn_segment_address(segments, thread, 0);
        bn_status_t status = bn_memory_file_map(segments->lower_files[thread], lower, BN_SEGMENT_HALF_BYTES);
        if (status == BN_OK)
            status = bn_memory_file_map(segments->upper_files[thread], lower + BN_SEGMENT_HALF_BYTES,
                                        bn_stride(1) - BN_SEGMENT_HALF_BYTES);
        if (status == BN_OK)
            status = bn_memory_file_hold(segments->lower_files[thread], segments->static_bytes, "static shared data");
        if (status != BN_OK)
            return status;
    }
    return BN_OK;
}

static bn_status_t open_and_map(struct bn_segments *segments)
{
    int file_count = 2 * segments->thread_count;
    int min_file;
    uint64_t old_limit;
    bn_status_t status = bn_memory_files_begin(file_count, &min_file, &old_limit);
    if (status != BN_OK)
        return status;
    status = create_files(segments->lower_files, file_count, min_file);
    bn_memory_files_done(old_limit);
    if (status != BN_OK)
        return status;
    status = map_files(segments);
    if (status != BN_OK)
        close_files(segments->lower_files, file_count);
    return status;
}

/* Any free place must do if the system has no such addresses.  0: any place will do. */
static bn_status_t reserve_window(struct bn_segments *segments, uint64_t base)
{
    uint64_t size_bytes = bn_stride((uint64_t)segments->thread_count);
    if (base != 0 && !bn_memory_has_address(base + size_bytes - 1))
        base = 0;
    return bn_memory_reserve(base, size_bytes, UINT64_C(1) << BN_STRIDE_SHIFT, segments->thread_count, &segments->base);
}

bn_status_t bn_segments_create(struct bn_segments *segments, uint64_t base, int thread_count,
                               struct bn_static_room statics, uint64_t limit_bytes)
{
    const uint64_t static_bytes = statics.size_bytes;
    if (thread_count > BN_SEGMENT_MAX_THREADS) {
        bn_log_error("%d threads are more than the %d that fit on a node; run fewer threads", thread_count,
                     BN_SEGMENT_MAX_THREADS);
        return BN_ERR_LIMIT;
    }
    uint64_t pad_bytes = static_bytes > 0 && static_bytes < BN_SEGMENT_HALF_BYTES ? bn_memory_page_bytes() : 0;
    *segments = (struct bn_segments){
        .thread_count = thread_count, .static_bytes = static_bytes, .global_begin = static_bytes + pad_bytes};
    bn_status_t status = choose_limit(segments, statics, limit_bytes);
    if (status != BN_OK)
        return status;
    status = reserve_window(segments, base);
    if (status != BN_OK)
        return status;
    void *shared;
    status = bn_memory_share(shared_bytes(thread_count), &shared);
    if (status != BN_OK)
        goto release_window;
    segments->shared = shared;
    segments->shared->global.file_bytes = static_bytes;
    segments->lower_files = calloc(2 * (size_t)thread_count, sizeof(int));
    if (!segments->lower_files) {
        bn_log_error("out of memory at start; run fewer threads");
        status = BN_ERR_MEMORY;
        goto unshare;
    }
    segments->upper_files = segments->lower_files + thread_count;
    status = open_and_map(segments);
    if (status != BN_OK)
        goto free_files;
    return BN_OK;

free_files:
    free(segments->lower_files);
unshare:
    bn_memory_unshare(shared, shared_bytes(thread_count));
release_window:
    bn_memory_release(segments->base, bn_stride((uint64_t)thread_count));
    return status;
}

void bn_segments_destroy(struct bn_segments *segments)
{
    bn_memory_release(segments->base, bn_stride((uint64_t)segments->thread_count));
    close_files(segments->lower_files, 2 * segments->thread_count);
    free(segments->lower_files);
    bn_memory_unshare(segments->shared, shared_bytes(segments->thread_count));
}

/* ---- Growth ---- */

/* The size to which a file should grow to hold needed_bytes: with some reserve, but at most most_bytes */
static uint64_t next_file_bytes(uint64_t file_bytes, uint64_t needed_bytes, uint64_t most_bytes)
{
    uint64_t step = file_bytes / GROWTH_SHARE;
    if (step < GROWTH_MIN_BYTES)
        step = GROWTH_MIN_BYTES;
    uint64_t next = file_bytes + step;
    if (next < needed_bytes)
        next = needed_bytes;
    return round_up(next < most_bytes ? next : most_bytes, bn_memory_page_bytes());
}

static bool grow_file(int file, struct file_extent *extent, uint64_t needed_bytes, uint64_t most_bytes)
{
    if (needed_bytes <= extent->file_bytes)
        return true;
    uint64_t next = next_file_bytes(extent->file_bytes, needed_bytes, most_bytes);
    if (!bn_memory_file_grow(file, next))
        return false;
    extent->file_bytes = next;
    return true;
}

bool bn_segment_set_local_end(const struct bn_segments *segments, int thread, uint64_t end_bytes)
{
    struct bn_segments_shared *shared = segments->shared;
    struct file_extent *local = &shared->locals[thread];
    bn_spinlock_acquire(&shared->lock);
    bool is_done = end_bytes <= local->heap_bytes ||
                   (end_bytes <= segments->limit_bytes - shared->global.heap_bytes &&
                    grow_file(segments->upper_files[thread], local, end_bytes, segments->limit_bytes));
    if (is_done)
        bn_word64_set(&local->heap_bytes, end_bytes);
    if (is_done && end_bytes > shared->largest_local_bytes)
        shared->largest_local_bytes = end_bytes;
    bn_spinlock_release(&shared->lock);
    return is_done;
}

/* Size of the largest local heap.  The cached value may be too large, because heaps also shrink; all heaps are examined
 * only if that matters. */
static uint64_t largest_local(const struct bn_segments *segments, uint64_t room_bytes)
{
    struct bn_segments_shared *shared = segments->shared;
    if (shared->largest_local_bytes <= room_bytes)
        return shared->largest_local_bytes;
    uint64_t largest = 0;
    for (int thread = 0; thread < segments->thread_count; thread++)
        if (shared->locals[thread].heap_bytes > largest)
            largest = shared->locals[thread].heap_bytes;
    shared->largest_local_bytes = largest;
    return largest;
}

static bool grow_all_files(const struct bn_segments *segments, uint64_t end_bytes)
{
    struct file_extent *global = &segments->shared->global;
    uint64_t needed = segments->global_begin + end_bytes;
    if (needed <= global->file_bytes)
        return true;
    uint64_t next = next_file_bytes(global->file_bytes, needed, segments->global_begin + segments->limit_bytes);
    for (int thread = 0; thread < segments->thread_count; thread++)
        if (!bn_memory_file_grow(segments->lower_files[thread], next))
            return false;
    global->file_bytes = next;
    return true;
}

bool bn_segment_set_global_end(const struct bn_segments *segments, uint64_t end_bytes)
{
    struct bn_segments_shared *shared = segments->shared;
    bn_spinlock_acquire(&shared->lock);
    bool is_done = end_bytes <= shared->global.heap_bytes;
    if (!is_done && end_bytes <= segments->limit_bytes) {
        uint64_t room_bytes = segments->limit_bytes - end_bytes;
        is_done = largest_local(segments, room_bytes) <= room_bytes && grow_all_files(segments, end_bytes);
    }
    if (is_done)
        bn_word64_set(&shared->global.heap_bytes, end_bytes);
    bn_spinlock_release(&shared->lock);
    return is_done;
}

void bn_segment_discard(const struct bn_segments *segments, int thread, uint64_t offset, uint64_t size_bytes)
{
    bn_memory_discard(bn_segment_address(segments, thread, offset), size_bytes);
}

/* The heaps may grow meanwhile; what the calling thread knows to be allocated lies before these ends. */
static uint64_t global_end(const struct bn_segments *segments)
{
    return bn_word64_get(&segments->shared->global.heap_bytes);
}

static uint64_t local_end(const struct bn_segments *segments, int thread)
{
    return bn_word64_get(&segments->shared->locals[thread].heap_bytes);
}

enum bn_segment_place bn_segment_classify(const struct bn_segments *segments, uint64_t address, int *thread_p,
                                          uint64_t *offset_p)
{
    uint64_t window_offset = address - segments->base;
    if (address < segments->base || window_offset >= bn_stride((uint64_t)segments->thread_count))
        return BN_PLACE_OUTSIDE;
    int thread = (int)(window_offset / bn_stride(1));
    uint64_t offset = window_offset % bn_stride(1);
    *thread_p = thread;
    *offset_p = offset;
    if (offset < segments->static_bytes)
        return BN_PLACE_STATIC;
    if (offset < BN_SEGMENT_HALF_BYTES && offset >= segments->global_begin &&
        offset - segments->global_begin < global_end(segments))
        return BN_PLACE_GLOBAL_HEAP;
    if (offset >= BN_SEGMENT_HALF_BYTES && offset - BN_SEGMENT_HALF_BYTES < local_end(segments, thread))
        return BN_PLACE_LOCAL_HEAP;
    return BN_PLACE_UNALLOCATED;
}

uint64_t bn_segment_bytes_behind(const struct bn_segments *segments, int thread, uint64_t offset)
{
    if (offset >= BN_SEGMENT_HALF_BYTES)
        return offset - BN_SEGMENT_HALF_BYTES - local_end(segments, thread);
    if (bn_segment_is_behind_statics(segments, offset))
        return offset - segments->static_bytes;
    return offset - segments->global_begin - global_end(segments);
}

bool bn_segment_is_behind_statics(const struct bn_segments *segments, uint64_t offset)
{
    return segments->static_bytes > 0 && offset < BN_SEGMENT_HALF_BYTES &&
           (offset < segments->global_begin || global_end(segments) == 0);
}
