#include "pgas/remote/remote.h"

#include "base/log.h"
#include "pgas/remote/copy.h"
#include "pgas/remote/rounds.h"
#include "platform/atomic_word.h"
#include "platform/memory.h"
#include "platform/process.h"

#include <unistd.h>

BN_PER_THREAD struct bn_remote bn_remote;

/* Programs see these as constant; they are written once, before the program starts. */
static struct bn_near near;
extern const struct bn_near bn_near __attribute__((alias("near")));
BN_PER_THREAD int bn_far_pending;
BN_PER_THREAD unsigned bn_strict_reads;

/* How far the local heap of this thread has grown; the extent of the global heap is not known to all threads. */
struct bn_segments_shared {
    uint64_t local_end;
};
static BN_PER_THREAD struct bn_segments_shared extents;

_Static_assert(1 << BN_START_ROUNDS >= (int)BN_REMOTE_THREADS, "a word for each round");

static uint64_t whole_pages(uint64_t bytes)
{
    uint64_t page = bn_memory_page_bytes();
    return (bytes + page - 1) / page * page;
}

uint64_t bn_remote_bytes(uint64_t static_bytes, uint64_t limit_bytes)
{
    return whole_pages(sizeof(struct bn_control)) + whole_pages(static_bytes) + 2 * whole_pages(limit_bytes);
}

/* Maps the halves of a thread's segment at its place in the window; false if they cannot be mapped. */
static bool map_at_window(const struct bn_segments *segments, int thread, unsigned char *allocation)
{
    uint64_t address = bn_segment_address(segments, thread, 0);
    return bn_memory_mirror(allocation + bn_remote.control_bytes, bn_remote.lower_bytes, address) &&
           bn_memory_mirror(allocation + bn_remote.control_bytes + bn_remote.lower_bytes, bn_remote.upper_bytes,
                            address + BN_SEGMENT_HALF_BYTES);
}

static void map_near_threads(const struct bn_segments *segments)
{
    for (int thread = 0; thread < bn_remote.thread_count; thread++) {
        unsigned char *allocation = bn_remote.transport->map(thread);
        if (!allocation || !map_at_window(segments, thread, allocation)) {
            bn_remote.has_far_threads = true;
            continue;
        }
        bn_remote.controls[thread] = (struct bn_control *)allocation;
        near.bits[thread / 64] |= UINT64_C(1) << thread % 64;
    }
    near.is_all = !bn_remote.has_far_threads;
}

/* One round, for each thread of this process */
static void exchange_in_round(int round)
{
    for (int thread = bn_remote.first_thread; thread < bn_remote.end_thread; thread++) {
        struct bn_round part = bn_round_of(thread, bn_remote.thread_count, round);
        const uint32_t *known = bn_remote.controls[thread]->start.leaders;
        uint64_t place = BN_CONTROL_OFFSET(start.leaders[0]) + (uint64_t)part.place * sizeof *known;
        uint64_t word = BN_CONTROL_OFFSET(start.is_there[0]) + (uint64_t)round * sizeof(uint64_t);
        bn_remote.transport->put_signal(part.to, place, known, (uint64_t)part.count * sizeof *known, word, 1);
    }
    for (int thread = bn_remote.first_thread; thread < bn_remote.end_thread; thread++) {
        uint32_t step = 0;
        while (!bn_word64_see(&bn_remote.controls[thread]->start.is_there[round]))
            bn_remote_step(&step);
    }
}

/* Finds the leader of each thread, its lowest near thread.  A thread whose leader is not its own leader becomes its
 * own. */
static void exchange_leaders(void)
{
    int leader = 0;
    while (!bn_remote.controls[leader])
        leader++;
    for (int thread = bn_remote.first_thread; thread < bn_remote.end_thread; thread++)
        bn_remote.controls[thread]->start.leaders[0] = (uint32_t)leader;
    bn_remote.transport->barrier(); /* no thread clears its memory after this point */
    for (int round = 0; round < bn_round_count(bn_remote.thread_count); round++)
        exchange_in_round(round);
    const uint32_t *known = bn_remote.controls[bn_remote.first_thread]->start.leaders;
    for (int i = 0; i < bn_remote.thread_count; i++)
        bn_remote.leaders[(bn_remote.first_thread + i) % bn_remote.thread_count] = (int)known[i];
    for (int thread = 0; thread < bn_remote.thread_count; thread++) {
        if (bn_remote.leaders[bn_remote.leaders[thread]] != bn_remote.leaders[thread])
            bn_remote.leaders[thread] = thread;
        bn_remote.node_count += bn_remote.leaders[thread] == thread;
    }
}

static bn_status_t allocate(uint64_t static_bytes)
{
    uint64_t bytes = bn_remote.control_bytes + bn_remote.lower_bytes + bn_remote.upper_bytes;
    unsigned char *allocation = bn_remote.transport->allocate(bytes);
    if (!allocation) {
        bn_log_error("OpenSHMEM has no %llu MiB of symmetric memory for a thread; make BANYAN_SHARED_HEAP smaller",
                     (unsigned long long)(bytes >> 20));
        return BN_ERR_MEMORY;
    }
    bn_remote.control = (struct bn_control *)allocation;
    for (int thread = bn_remote.first_thread; thread < bn_remote.end_thread; thread++)
        bn_memory_clear(bn_remote.transport->map(thread), bn_remote.control_bytes + static_bytes);
    return BN_OK;
}

bn_status_t bn_remote_create(struct bn_segments *segments, const struct bn_transport *transport, int first_thread,
                             int end_thread, int thread_count, uint64_t static_bytes, uint64_t limit_bytes,
                             struct bn_wait_policy policy)
{
    *segments = (struct bn_segments){
        .thread_count = thread_count,
        .static_bytes = whole_pages(static_bytes),
        .global_begin = whole_pages(static_bytes),
        .limit_bytes = whole_pages(limit_bytes),
        .shared = &extents,
    };
    bn_remote = (struct bn_remote){
        .transport = transport,
        .thread = first_thread,
        .first_thread = first_thread,
        .end_thread = end_thread,
        .thread_count = thread_count,
        .policy = policy,
        .control_bytes = whole_pages(sizeof(struct bn_control)),
        .lower_bytes = segments->static_bytes + segments->limit_bytes,
        .upper_bytes = segments->limit_bytes,
        .window_base = BN_WINDOW_BASE,
    };
    bn_status_t status = bn_memory_reserve(BN_WINDOW_BASE, bn_stride((uint64_t)thread_count),
                                           UINT64_C(1) << BN_STRIDE_SHIFT, thread_count, &segments->base);
    if (status == BN_OK)
        status = allocate(segments->static_bytes);
    if (status != BN_OK)
        return status;
    map_near_threads(segments);
    bn_remote_move_window();
    if (!bn_remote.controls[first_thread]) {
        bn_log_error("the symmetric memory of this OpenSHMEM is not shared memory, which Banyan needs; with Open MPI "
                     "set OMPI_MCA_sshmem=sysv or mmap, and leave shared memory in UCX_TLS");
        return BN_ERR_SYSTEM;
    }
    exchange_leaders();
    return BN_OK;
}

void bn_remote_attach(struct bn_segments *segments, int thread)
{
    bn_remote.thread = thread;
    bn_remote.control = bn_remote.controls[thread];
    segments->shared = &extents;
}

bool bn_remote_find(uint64_t address, int *thread_p, uint64_t *offset_p)
{
    uint64_t window_offset = address - bn_remote.window_base;
    uint64_t thread = window_offset >> BN_STRIDE_SHIFT;
    if (thread >= (uint64_t)bn_remote.thread_count)
        return false;
    uint64_t offset = window_offset - bn_stride(thread);
    bool is_upper = offset >= BN_SEGMENT_HALF_BYTES;
    if (is_upper)
        offset -= BN_SEGMENT_HALF_BYTES;
    if (offset >= (is_upper ? bn_remote.upper_bytes : bn_remote.lower_bytes))
        return false;
    *thread_p = (int)thread;
    *offset_p = bn_remote.control_bytes + (is_upper ? bn_remote.lower_bytes : 0) + offset;
    return true;
}

void bn_remote_part(uint64_t offset, uint64_t *first_p, uint64_t *end_p)
{
    uint64_t middle = bn_remote.control_bytes + bn_remote.lower_bytes;
    bool is_upper = offset >= middle;
    *first_p = is_upper ? middle : bn_remote.control_bytes;
    *end_p = is_upper ? middle + bn_remote.upper_bytes : middle;
}

/* Flag in bn_control.ended_by: the network must not be used any more. */
#define IS_LEAVING (UINT64_C(1) << 63)

/* Threads of other nodes learn of the end when they make progress on the network; a thread that does not do so within
 * this time is killed without a message. */
static const int64_t telling_ns = 20 * 1000 * 1000;

static void tell_end(uint64_t word)
{
    for (int thread = 0; thread < bn_remote.thread_count; thread++) {
        if (thread == bn_remote.thread)
            continue;
        if (bn_remote.controls[thread])
            bn_word64_show(&bn_remote.controls[thread]->ended_by, word);
        else
            bn_remote.transport->store(thread, BN_CONTROL_OFFSET(ended_by), word);
    }
}

/* Whether another thread, with a number less than below, ends the job, too */
static bool is_ended_by_other(uint64_t below)
{
    uint64_t other = bn_word64_see(&bn_remote.control->ended_by);
    return other != 0 && (other & ~IS_LEAVING) <= below;
}

/* The thread that ends the job may still read what others wait for, to report why; so they serve the network. */
__attribute__((noreturn)) static void serve_until_end(void)
{
    for (;;) {
        bn_remote_check_end();
        bn_remote.transport->poll();
    }
}

void bn_remote_claim_end(void)
{
    uint64_t unclaimed = 0;
    struct bn_control *leader = bn_remote.controls[bn_remote.leaders[bn_remote.thread]];
    if (is_ended_by_other(UINT64_MAX) || !bn_word64_change(&leader->is_claimed, &unclaimed, 1))
        serve_until_end();
    tell_end((uint64_t)bn_remote.thread + 1);
    int64_t end = bn_process_now_ns() + telling_ns;
    while (bn_remote.has_far_threads && bn_process_now_ns() < end) {
        bn_remote.transport->poll();
        if (is_ended_by_other((uint64_t)bn_remote.thread))
            serve_until_end();
    }
}

void bn_remote_end(int status)
{
    tell_end(((uint64_t)bn_remote.thread + 1) | IS_LEAVING);
    int64_t end = bn_process_now_ns() + telling_ns;
    while (bn_remote.has_far_threads && bn_process_now_ns() < end)
        bn_remote.transport->poll();
    bn_remote.transport->abort(status);
}

void bn_remote_check_end(void)
{
    while (__builtin_expect((bn_word64_see(&bn_remote.control->ended_by) & IS_LEAVING) != 0, 0))
        pause();
}

/* ---- pgas/segment.h, as far as it is used here ---- */

bool bn_segment_set_local_end(const struct bn_segments *segments, int thread, uint64_t end_bytes)
{
    (void)thread;
    if (end_bytes > segments->limit_bytes)
        return false;
    segments->shared->local_end = end_bytes;
    return true;
}

void bn_segment_discard(const struct bn_segments *segments, int thread, uint64_t offset, uint64_t size_bytes)
{
    /* The memory belongs to OpenSHMEM, which may have registered it. */
    (void)segments;
    (void)thread;
    (void)offset;
    (void)size_bytes;
}

/* Where the local heap ends in the upper half; for other threads only the limit is known. */
static uint64_t local_end(const struct bn_segments *segments, int thread)
{
    return thread == bn_remote.thread ? segments->shared->local_end : segments->limit_bytes;
}

enum bn_segment_place bn_segment_classify(const struct bn_segments *segments, uint64_t address, int *thread_p,
                                          uint64_t *offset_p)
{
    if (!bn_segment_find(segments, address, thread_p, offset_p))
        return BN_PLACE_OUTSIDE;
    if (*offset_p < segments->static_bytes)
        return BN_PLACE_STATIC;
    if (*offset_p < BN_SEGMENT_HALF_BYTES)
        return *offset_p < bn_remote.lower_bytes ? BN_PLACE_GLOBAL_HEAP : BN_PLACE_UNALLOCATED;
    uint64_t end = local_end(segments, *thread_p);
    return *offset_p - BN_SEGMENT_HALF_BYTES < end ? BN_PLACE_LOCAL_HEAP : BN_PLACE_UNALLOCATED;
}

uint64_t bn_segment_bytes_behind(const struct bn_segments *segments, int thread, uint64_t offset)
{
    if (offset >= BN_SEGMENT_HALF_BYTES)
        return offset - BN_SEGMENT_HALF_BYTES - local_end(segments, thread);
    return offset - (bn_segment_is_behind_statics(segments, offset) ? segments->static_bytes : bn_remote.lower_bytes);
}

bool bn_segment_is_behind_statics(const struct bn_segments *segments, uint64_t offset)
{
    return segments->static_bytes > 0 && segments->static_bytes == bn_remote.lower_bytes &&
           offset < BN_SEGMENT_HALF_BYTES;
}
