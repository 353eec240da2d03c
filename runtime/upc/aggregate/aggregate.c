/*
 * aggregate.c: <banyan_aggregate.h>.
 *
 * A thread that waits for room in a mailbox takes what has arrived in the meantime: in the program itself from all
 * aggregates, in a take function from those that were made after its own.  So there is no deadlock: among the pushes in
 * which threads wait, consider one into the aggregate that was made last.  Its receiver, if it waits, waits in a push
 * into this aggregate or an earlier one, and runs, if any, a take function of a still earlier one; so it takes from the
 * aggregate that was made last.
 */
#pragma GCC visibility push(default)
#include <upc/banyan_aggregate.h>
#pragma GCC visibility pop

#include "profile/span.h"
#include "upc/aggregate/mailbox.h"
#include "upc/collective/collective.h"
#include "upc/fatal.h"
#include "upc/upc_c.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 8 << 10 };

/* What this thread has collected for another one, in the mailbox's format */
struct outgoing {
    struct bn_mail_head *block;
    uint64_t sent; /* blocks so far */
};

struct incoming {
    uint64_t taken; /* blocks so far */
    bool has_ended; /* the sender's phase has ended; later blocks belong to the next phase */
};

struct banyan_aggregate {
    struct banyan_aggregate *earlier; /* the previously made one */
    uint64_t number;                  /* numbers follow the order in which they are made */
    size_t item_bytes;
    uint64_t items_per_block;
    banyan_aggregate_take_t *take;
    void *context;
    struct bn_mailboxes boxes;
    bn_pts_t memory;
    struct outgoing *outgoing;
    struct incoming *incoming;
    int ended_count; /* other threads that have ended this phase */
};

static BN_PER_THREAD struct banyan_aggregate *latest;
static BN_PER_THREAD uint64_t made_count;
static BN_PER_THREAD uint64_t taking_number; /* of the aggregate whose take function runs, 0 if none does */

static void *items_of(struct bn_mail_head *block)
{
    return (char *)block + BN_MAILBOX_HEAD_BYTES;
}

static void take_block(struct banyan_aggregate *aggregate, int from, struct bn_mail_head *block)
{
    if (block->item_count == 0)
        return;
    uint64_t outer = taking_number;
    struct bn_span_pause pause = {NULL, 0, 0};
    if (__builtin_expect(bn_profile_is_on, 0))
        pause = bn_span_pause();
    taking_number = aggregate->number;
    aggregate->take(aggregate->context, from, items_of(block), block->item_count);
    taking_number = outer;
    bn_span_resume(&pause);
}

/* Hands the number over with a dummy payload, because this thread need not wait for the arrival of a message that is
 * handed over. */
static void tell_emptied(const struct banyan_aggregate *aggregate, int from, uint64_t number)
{
    struct bn_flag *emptied = &bn_mailbox_flags(&aggregate->boxes, from, bn_context.thread)->emptied;
    bn_flag_hand_over(emptied, number, emptied->payload, &number, sizeof number);
}

/* Takes what has arrived from a thread, up to the end of its phase; true if there was anything. */
static bool take_from(struct banyan_aggregate *aggregate, int from)
{
    struct incoming *incoming = &aggregate->incoming[from];
    struct bn_flag *arrived = &bn_mailbox_flags(&aggregate->boxes, bn_context.thread, from)->arrived;
    bool has_taken = false;
    while (!incoming->has_ended && bn_flag_has_reached(arrived, incoming->taken + 1)) {
        uint64_t number = ++incoming->taken;
        struct bn_mail_head *block = bn_mailbox_place(&aggregate->boxes, bn_context.thread, from, number);
        if (block->is_last) {
            incoming->has_ended = true;
            aggregate->ended_count++;
        }
        take_block(aggregate, from, block);
        tell_emptied(aggregate, from, number);
        has_taken = true;
    }
    return has_taken;
}

/* Takes what has arrived from all threads in the aggregates that may be taken from here. */
static bool take_all(void)
{
    bool has_taken = false;
    struct banyan_aggregate *aggregate = latest;
    for (; aggregate && aggregate->number > taking_number; aggregate = aggregate->earlier)
        for (int i = 1; i < bn_context.thread_count; i++)
            has_taken |= take_from(aggregate, (bn_context.thread + i) % bn_context.thread_count);
    return has_taken;
}

static void take_or_poll(void)
{
    if (!take_all())
        BN_OWN(upc_poll)();
}

static bool has_room(const struct banyan_aggregate *aggregate, int thread, uint64_t block_number)
{
    const struct bn_flag *emptied = &bn_mailbox_flags(&aggregate->boxes, bn_context.thread, thread)->emptied;
    return block_number <= BN_MAILBOX_PLACES || bn_flag_has_reached(emptied, block_number - BN_MAILBOX_PLACES);
}

static bool is_full(const struct banyan_aggregate *aggregate, int thread)
{
    return aggregate->outgoing[thread].block->item_count == aggregate->items_per_block;
}

/* Sends what has been collected for a thread, if the block is full or the last one.  While this waits for room, take
 * functions may push more items into a block that is not full, and may send it. */
static void send(struct banyan_aggregate *aggregate, int thread, bool is_last)
{
    struct outgoing *outgoing = &aggregate->outgoing[thread];
    struct bn_mail_head *block = outgoing->block;
    int me = bn_context.thread;
    if (thread == me) {
        take_block(aggregate, me, block);
        block->item_count = 0;
        return;
    }
    while (!has_room(aggregate, thread, outgoing->sent + 1))
        take_or_poll();
    if (!is_last && !is_full(aggregate, thread))
        return;
    uint64_t number = ++outgoing->sent;
    block->is_last = is_last;
    bn_flag_hand_over(&bn_mailbox_flags(&aggregate->boxes, thread, me)->arrived, number,
                      bn_mailbox_place(&aggregate->boxes, thread, me, number), block,
                      BN_MAILBOX_HEAD_BYTES + block->item_count * aggregate->item_bytes);
    block->item_count = 0;
}

/* Ends the program if this is called from a take function, where it is not allowed. */
static void check_not_taking(const char *function, const char *what)
{
    if (taking_number != 0)
        bn_upc_fatal(function, "called by a function that takes items; %s", what);
}

void banyan_aggregate_push(banyan_aggregate_t *aggregate, int thread, const void *item)
{
    if (thread < 0 || thread >= bn_context.thread_count)
        bn_upc_fatal("banyan_aggregate_push", "there is no thread %d; threads are numbered from 0 to %d", thread,
                     bn_context.thread_count - 1);
    if (taking_number >= aggregate->number)
        check_not_taking("banyan_aggregate_push", "it may push only into aggregates made after the one it takes from");
    struct bn_mail_head *block = aggregate->outgoing[thread].block;
    while (is_full(aggregate, thread)) /* full because a push further up the stack waits for room */
        send(aggregate, thread, false);
    memcpy((char *)items_of(block) + block->item_count * aggregate->item_bytes, item, aggregate->item_bytes);
    if (++block->item_count < aggregate->items_per_block)
        return;
    BN_SPAN(BN_PROFILE_ITEMS, block->item_count * aggregate->item_bytes, BN_NOBODY, thread);
    send(aggregate, thread, false);
    (void)take_all();
}

void banyan_aggregate_poll(banyan_aggregate_t *aggregate)
{
    check_not_taking("banyan_aggregate_poll", "what has arrived is taken when that function has returned");
    (void)aggregate;
    take_or_poll();
}

/* For a profile: notes what the end of a phase sends in blocks that are not full. */
static void note_rest(const struct banyan_aggregate *aggregate)
{
    for (int t = 0; t < bn_context.thread_count; t++) {
        uint64_t rest_bytes = aggregate->outgoing[t].block->item_count * aggregate->item_bytes;
        bn_span_flow(t, 0, rest_bytes);
        bn_span_bytes(rest_bytes);
    }
}

void banyan_aggregate_end(banyan_aggregate_t *aggregate)
{
    check_not_taking("banyan_aggregate_end", "end the phase where items are pushed first");
    BN_SPAN(BN_PROFILE_ITEMS_END, 0, BN_NOBODY, BN_NOBODY);
    if (bn_span)
        note_rest(aggregate);
    int others = bn_context.thread_count - 1;
    for (int i = 0; i <= others; i++)
        send(aggregate, (bn_context.thread + i) % bn_context.thread_count, true);
    while (aggregate->ended_count < others)
        take_or_poll();
    aggregate->ended_count = 0;
    for (int t = 0; t <= others; t++)
        aggregate->incoming[t].has_ended = false;
}

static void *take_memory(size_t count, size_t size_bytes)
{
    void *memory = calloc(count, size_bytes);
    if (!memory)
        bn_upc_fatal("banyan_aggregate_all_make", "there is no memory for %zu blocks of %zu bytes; choose smaller ones",
                     count, size_bytes);
    return memory;
}

/* Makes the mailboxes in shared memory, with all flags clear. */
static void make_boxes(struct banyan_aggregate *aggregate)
{
    struct bn_mailboxes *boxes = &aggregate->boxes;
    uint64_t size_bytes = bn_mailboxes_bytes(boxes);
    aggregate->memory = BN_OWN(upc_all_alloc)((size_t)boxes->thread_count, size_bytes);
    if (aggregate->memory.addr == 0)
        bn_upc_fatal("banyan_aggregate_all_make",
                     "there is no shared memory left for %llu bytes on each thread; choose smaller blocks, or raise "
                     "the limit of the shared heap",
                     (unsigned long long)size_bytes);
    boxes->first = bn_local(aggregate->memory);
    memset(bn_mailboxes_of(boxes, bn_context.thread), 0, (size_t)boxes->thread_count * sizeof(struct bn_mailbox_flags));
    bn_collective_barrier();
}

banyan_aggregate_t *banyan_aggregate_all_make(size_t item_bytes, size_t block_bytes, banyan_aggregate_take_t *take,
                                              void *context)
{
    bn_context_check_collective("banyan_aggregate_all_make");
    check_not_taking("banyan_aggregate_all_make", "make all aggregates before the first item is pushed");
    if (item_bytes == 0 || item_bytes > BN_SEGMENT_HALF_BYTES || block_bytes > BN_SEGMENT_HALF_BYTES)
        bn_upc_fatal("banyan_aggregate_all_make", "items of %zu bytes in blocks of %zu; an item has 1 byte or more",
                     item_bytes, block_bytes);
    if (!take)
        bn_upc_fatal("banyan_aggregate_all_make", "the function that takes items is null");
    size_t room = block_bytes != 0 ? block_bytes : BLOCK_BYTES;
    uint64_t count = room < item_bytes ? 1 : room / item_bytes;
    uint64_t lines = (BN_MAILBOX_HEAD_BYTES + count * item_bytes + BN_LINE_BYTES - 1) / BN_LINE_BYTES;
    struct banyan_aggregate *aggregate = take_memory(1, sizeof *aggregate);
    size_t threads = (size_t)bn_context.thread_count;
    *aggregate = (struct banyan_aggregate){
        .earlier = latest,
        .number = ++made_count,
        .item_bytes = item_bytes,
        .items_per_block = count,
        .take = take,
        .context = context,
        .boxes = {.place_bytes = lines * BN_LINE_BYTES, .thread_count = bn_context.thread_count},
        .outgoing = take_memory(threads, sizeof(struct outgoing)),
        .incoming = take_memory(threads, sizeof(struct incoming)),
    };
    for (size_t t = 0; t < threads; t++)
        aggregate->outgoing[t].block = take_memory(lines, BN_LINE_BYTES);
    make_boxes(aggregate);
    latest = aggregate;
    return aggregate;
}

static void check_all_ended(const struct banyan_aggregate *aggregate)
{
    for (int t = 0; t < bn_context.thread_count; t++)
        if (aggregate->outgoing[t].block->item_count != 0)
            bn_upc_fatal("banyan_aggregate_all_free",
                         "%llu items for thread %d have not been sent; call banyan_aggregate_end first",
                         (unsigned long long)aggregate->outgoing[t].block->item_count, t);
}

void banyan_aggregate_all_free(banyan_aggregate_t *aggregate)
{
    bn_context_check_collective("banyan_aggregate_all_free");
    check_not_taking("banyan_aggregate_all_free", "free it where it was made");
    if (!aggregate)
        return;
    check_all_ended(aggregate);
    for (int t = 0; t < bn_context.thread_count; t++)
        while (!has_room(aggregate, t, aggregate->outgoing[t].sent + BN_MAILBOX_PLACES))
            BN_OWN(upc_poll)();
    BN_OWN(upc_all_free)(aggregate->memory);
    struct banyan_aggregate **link = &latest;
    while (*link != aggregate)
        link = &(*link)->earlier;
    *link = aggregate->earlier;
    for (int t = 0; t < bn_context.thread_count; t++)
        free(aggregate->outgoing[t].block);
    free(aggregate->outgoing);
    free(aggregate->incoming);
    free(aggregate);
}
