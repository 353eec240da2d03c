#include "upc/io/transfer.h"

#include "profile/span.h"
#include "upc/check/check.h"
#include "upc/collective/collective.h"
#include "upc/collective/exchange.h"
#include "upc/collective/reduce_layout.h"
#include "upc/io/file.h"
#include "upc/nodes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- This thread's part ---- */

static bool is_too_long(int64_t position, size_t size, size_t nmemb, bn_u64 *bytes_p)
{
    return __builtin_mul_overflow(size, nmemb, bytes_p) || *bytes_p > (bn_u64)(INT64_MAX - position);
}

/* A transfer at the file pointer */
static int plan_at_pointer(const struct bn_io_file *file, const struct bn_io_call *call,
                           struct bn_io_operation *operation)
{
    bn_u64 bytes;
    operation->moves_pointer = true;
    operation->is_common = (file->flags & BN_IO_COMMON_FP) != 0;
    if (operation->is_common && !call->is_shared)
        return EINVAL;
    if (is_too_long(file->position, call->size, call->nmemb, &bytes))
        return EOVERFLOW;
    if (bytes > 0 && call->start.addr == 0)
        return EINVAL;
    /* blocksize * size might overflow in that case, and no blocks are needed */
    size_t block_bytes = call->blocksize >= call->nmemb ? 0 : call->blocksize * call->size;
    struct bn_io_region region = call->is_shared ? bn_io_region_shared(call->start, block_bytes, bytes)
                                                 : bn_io_region_private((void *)call->start.addr, bytes);
    operation->region = region;
    operation->ranges = bn_io_ranges_one(file->position, bytes);
    if (operation->is_common && bytes > 0)
        bn_io_cut(&region, file->position, bn_mythread(), &operation->region, &operation->ranges);
    return 0;
}

/* Makes the regions of a memory list; *bytes_p becomes their total size. */
static int plan_memory(const struct bn_io_call *call, struct bn_io_operation *operation, bn_u64 *bytes_p)
{
    *bytes_p = 0;
    if (call->memory_count > 0 && !call->local && !call->shared)
        return EINVAL;
    operation->regions = calloc(call->memory_count + 1, sizeof *operation->regions);
    if (!operation->regions)
        return ENOMEM;
    operation->region_count = call->memory_count;
    for (size_t i = 0; i < call->memory_count; i++) {
        struct bn_io_region *region = &operation->regions[i];
        if (call->is_shared)
            *region = bn_io_region_shared(call->shared[i].baseaddr, call->shared[i].blocksize, call->shared[i].len);
        else
            *region = bn_io_region_private(call->local[i].baseaddr, call->local[i].len);
        if (region->bytes > 0 && region->address == 0)
            return EINVAL;
        if (__builtin_add_overflow(*bytes_p, region->bytes, bytes_p))
            return EOVERFLOW;
    }
    return 0;
}

static int check_ranges(const struct bn_io_call *call, bn_u64 bytes)
{
    int64_t least = 0; /* the lowest offset that the next range may have */
    bn_u64 range_bytes = 0;
    for (size_t i = 0; i < call->range_count; i++) {
        const struct upc_filevec *range = &call->ranges[i];
        if (range->len == 0)
            continue;
        if (range->offset < least)
            return EINVAL;
        if (range->len > (bn_u64)(INT64_MAX - range->offset))
            return EOVERFLOW;
        least = call->direction == BN_IO_WRITE ? range->offset + (int64_t)range->len : range->offset;
        if (__builtin_add_overflow(range_bytes, range->len, &range_bytes))
            return EOVERFLOW;
    }
    return range_bytes == bytes ? 0 : EINVAL;
}

static int plan_list(const struct bn_io_call *call, struct bn_io_operation *operation)
{
    bn_u64 bytes;
    if (call->range_count > 0 && !call->ranges)
        return EINVAL;
    int error = plan_memory(call, operation, &bytes);
    if (error == 0)
        error = check_ranges(call, bytes);
    if (error != 0)
        return error;
    const struct upc_filevec *ranges = call->ranges;
    if (call->is_async && call->range_count > 0) {
        size_t list_bytes = call->range_count * sizeof *ranges;
        operation->copied_list = malloc(list_bytes);
        if (!operation->copied_list)
            return ENOMEM;
        ranges = memcpy(operation->copied_list, ranges, list_bytes);
    }
    operation->ranges = (struct bn_io_ranges){.list = ranges, .count = call->range_count};
    return 0;
}

/* An error is kept in the operation, because the thread must pass the same barriers as the others. */
static void plan(struct bn_io_file *file, const struct bn_io_call *call)
{
    struct bn_io_operation *operation = &file->operation;
    *operation = (struct bn_io_operation){
        .direction = call->direction,
        .flags = file->flags & BN_IO_STRONG_CA ? BN_IN_ALLSYNC | BN_OUT_ALLSYNC : call->flags,
        .is_shared = call->is_shared,
        .storage = &file->storage,
        .buffer = &file->buffer,
    };
    if (!bn_io_may(file, call->direction))
        operation->error = EBADF;
    else
        operation->error = call->is_list ? plan_list(call, operation) : plan_at_pointer(file, call, operation);
}

/* ---- -fcheck ---- */

static void check_region(const char *function, const char *what, const struct bn_io_region *region)
{
    bn_pts_t start = {region->address, (bn_u32)region->thread, 0};
    if (region->block_bytes == 0) {
        bn_check_block(function, what, start, region->bytes);
        return;
    }
    struct bn_cyclic layout = bn_cyclic_of(start, region->bytes, region->block_bytes, 1);
    for (size_t thread = 0; thread < layout.thread_count; thread++) {
        struct bn_elem_run run = bn_cyclic_held(&layout, thread);
        if (run.elem_count > 0)
            bn_check_block(function, what, bn_at(run.address), run.elem_count);
    }
}

/* Checks the shared memory that this thread's part reads or writes. */
static void check_memory(const struct bn_io_call *call, const struct bn_io_operation *operation)
{
    if (operation->error != 0 || !call->is_shared)
        return;
    if (!call->is_list)
        check_region(call->function, "buffer", &operation->region);
    for (size_t i = 0; i < operation->region_count; i++)
        check_region(call->function, "memvec", &operation->regions[i]);
}

/* ---- The order among the threads ---- */

enum { ALL = BN_IN_ALLSYNC, MY = BN_IN_MYSYNC, NO = BN_IN_NOSYNC };

/* Whether the flags of one side require a barrier: ALLSYNC always does, MYSYNC for data that other threads may hold.
 * The strictest flag counts; none means ALLSYNC. */
static bool asks_for_barrier(int flags, bool is_shared)
{
    return (flags & ALL) || !(flags & (MY | NO)) || ((flags & MY) && is_shared);
}

static bool asks_at_exit(const struct bn_io_operation *operation)
{
    return asks_for_barrier(operation->flags / (BN_OUT_ALLSYNC / BN_IN_ALLSYNC), operation->is_shared);
}

struct span {
    int64_t begin;
    int64_t end;
};

/* The part of the file that contains all ranges.  Only for writes, whose ranges are in order. */
static struct span span_of(const struct bn_io_operation *operation)
{
    const struct bn_io_ranges *ranges = &operation->ranges;
    struct span span = {0, 0};
    if (operation->error != 0)
        return span;
    if (!ranges->list)
        return (struct span){ranges->offset, ranges->offset + (int64_t)ranges->bytes};
    for (size_t i = 0; i < ranges->count; i++) {
        if (ranges->list[i].len == 0)
            continue;
        if (span.end == 0)
            span.begin = ranges->list[i].offset;
        span.end = ranges->list[i].offset + (int64_t)ranges->list[i].len;
    }
    return span;
}

/* Whether another thread is about to write where this one is.  A barrier. */
static bool meets_others(const char *function, const struct bn_io_operation *operation)
{
    struct span own = span_of(operation);
    bool meets = false;
    bn_exchange_show(function, &own, sizeof own);
    for (int thread = 0; thread < bn_context.thread_count; thread++) {
        const struct span *other = bn_exchange_shown(thread, sizeof *other);
        bool is_empty = other->begin >= other->end || own.begin >= own.end;
        if (thread != bn_context.thread && !is_empty && other->begin < own.end && own.begin < other->end)
            meets = true;
    }
    return meets;
}

/* With strong consistency, other nodes see the written data when the call returns. */
static void run_strongly(struct bn_io_operation *operation)
{
    bn_io_operation_run(operation);
    if (operation->error == 0 && operation->direction == BN_IO_WRITE && !bn_nodes_are_one())
        operation->error = bn_storage_sync(operation->storage);
}

/* With strong consistency, concurrent writes of several threads to the same place must have the effect of writing one
 * after the other. */
static void write_one_by_one(const char *function, struct bn_io_file *file)
{
    if (!meets_others(function, &file->operation)) {
        run_strongly(&file->operation);
        return;
    }
    struct bn_lock *lock = bn_io_file_lock(file);
    if (bn_lock_acquire(lock, bn_context.thread, &bn_context.locks) != BN_LOCK_OK) {
        file->operation.error = ENOLCK;
        return;
    }
    run_strongly(&file->operation);
    (void)bn_lock_release(lock, bn_context.thread);
}

static void begin(const struct bn_io_call *call, struct bn_io_file *file)
{
    struct bn_io_operation *operation = &file->operation;
    bool is_strong = (file->flags & BN_IO_STRONG_CA) != 0;
    if (operation->direction == BN_IO_WRITE)
        file->has_written = true;
    if (is_strong && operation->direction == BN_IO_WRITE && !operation->is_common) {
        write_one_by_one(call->function, file);
        return;
    }
    if (asks_for_barrier(operation->flags, operation->is_shared))
        bn_collective_barrier();
    if (is_strong)
        run_strongly(operation);
    else if (call->is_async)
        bn_io_operation_start(operation);
    else
        bn_io_operation_run(operation);
}

/* The outcome for this thread, once its part is done */
static int64_t finish(const char *function, struct bn_io_file *file)
{
    struct bn_io_operation *operation = &file->operation;
    int64_t moved = operation->moved;
    int error = operation->error;
    if (operation->is_common || asks_at_exit(operation)) {
        struct bn_io_agreement all = bn_io_agree(function, moved, error);
        error = all.error;
        moved = operation->is_common ? all.sum : moved;
    }
    if (error == 0 && operation->moves_pointer)
        file->position += moved;
    bn_io_operation_end(operation);
    if (__builtin_expect(bn_profile_is_on, 0) && error == 0)
        bn_span_bytes((uint64_t)moved);
    return bn_io_result(error, moved);
}

int64_t bn_io_transfer(bn_pts_t fd, const struct bn_io_call *call)
{
    struct bn_io_file *file = bn_io_file_at(call->function, fd);
    if (file->has_operation) {
        if (call->is_async) /* the call returns nothing, so the error is reported by the call that completes the first
                               operation */
            file->operation_is_refused = true;
        return bn_io_result(EBUSY, 0);
    }
    plan(file, call);
    if (__builtin_expect(bn_check_here.file != NULL, 0))
        check_memory(call, &file->operation);
    begin(call, file);
    if (!call->is_async)
        return finish(call->function, file);
    file->has_operation = true;
    return 0;
}

/* ---- The ends of asynchronous operations ---- */

static int64_t complete(const char *function, struct bn_io_file *file)
{
    bn_io_operation_wait(&file->operation);
    file->has_operation = false;
    if (file->operation_is_refused && file->operation.error == 0)
        file->operation.error = EBUSY;
    file->operation_is_refused = false;
    return finish(function, file);
}

int64_t upc_all_fwait_async(bn_pts_t fd)
{
    BN_SPAN(BN_PROFILE_FILE_WAIT, 0, BN_NOBODY, BN_NOBODY);
    const char *function = "upc_all_fwait_async";
    struct bn_io_file *file = bn_io_file_at(function, fd);
    return file->has_operation ? complete(function, file) : bn_io_result(EINVAL, 0);
}

int64_t upc_all_ftest_async(bn_pts_t fd, int *flag)
{
    BN_SPAN(BN_PROFILE_FILE_WAIT, 0, BN_NOBODY, BN_NOBODY);
    const char *function = "upc_all_ftest_async";
    struct bn_io_file *file = bn_io_file_at(function, fd);
    if (!flag)
        return bn_io_result(EINVAL, 0);
    *flag = 1; /* so that a loop that waits for the flag ends */
    if (!file->has_operation)
        return bn_io_result(EINVAL, 0);
    *flag = bn_io_agree(function, bn_io_operation_is_done(&file->operation), 0).least == 1;
    return *flag ? complete(function, file) : 0;
}
