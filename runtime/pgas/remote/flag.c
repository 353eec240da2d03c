/*
 * flag.c: the flags of sync/flag.h over several nodes.  A flag lies in the segment of a thread, and is identified by
 * its window address.
 *
 * Waiting threads do not sleep; they serve the network.  A thread that raises a flag first completes its writes to
 * other nodes, so that a thread that sees the flag can rely on all of them, wherever they went.  If all writes went to
 * the thread that has the flag, it is enough to order the flag after them, and nobody waits.
 */
#include "sync/flag.h"

#include "pgas/remote/remote.h"
#include "platform/atomic_word.h"
#include "platform/clock.h"
#include "platform/copy.h"
#include "platform/futex.h"

#include <stddef.h>

enum { LOOKS_PER_CLOCK = 1024 };

static uint64_t number_of(const struct bn_flag *flag, bool is_near)
{
    int thread;
    uint64_t offset;
    if (is_near)
        return bn_word64_see(&flag->number);
    bn_remote_find((uint64_t)flag, &thread, &offset);
    return bn_remote.transport->load(thread, offset + offsetof(struct bn_flag, number));
}

/* Orders this thread's writes before a flag in that thread's memory. */
static void order_before_flag_of(int thread)
{
    if (bn_remote.has_writes && bn_remote.written == thread) {
        bn_remote_let_go();
        bn_remote.transport->order();
    } else {
        bn_complete_far();
    }
}

void bn_flag_raise(struct bn_flag *flag, uint64_t number)
{
    int thread;
    uint64_t offset;
    if (bn_is_near(flag)) {
        bn_complete_far();
        bn_word64_show(&flag->number, number);
        return;
    }
    bn_remote_find((uint64_t)flag, &thread, &offset);
    order_before_flag_of(thread);
    bn_remote.transport->store(thread, offset + offsetof(struct bn_flag, number), number);
    bn_remote_note_write(thread);
}

/* bn_flag_hand_over_part has sent parts since the last flag. */
static BN_PER_THREAD bool has_parts;

/* Copies data and raises a flag, in one message if both go to the same far thread. is_awaited: that thread waits for
 * them, so this one need not. */
static void bring(struct bn_flag *flag, uint64_t number, void *dst, const void *src, size_t size_bytes, bool is_awaited)
{
    int thread;
    uint64_t offset, dst_offset;
    if (size_bytes == 0 || bn_is_near(flag) || !bn_remote_find((uint64_t)dst, &thread, &dst_offset)) {
        bn_copy(dst, src, size_bytes);
        bn_flag_raise(flag, number);
        return;
    }
    bn_remote_find((uint64_t)flag, &thread, &offset);
    order_before_flag_of(thread);
    if (has_parts)
        bn_remote.transport->order();
    has_parts = false;
    if (is_awaited)
        bn_remote_before_hand_over((uint64_t)dst, src, size_bytes);
    else
        bn_remote_before_put(thread, (uint64_t)dst, src, size_bytes);
    bn_remote.transport->put_signal(thread, dst_offset, src, size_bytes, offset + offsetof(struct bn_flag, number),
                                    number);
}

void bn_flag_raise_behind(struct bn_flag *flag, uint64_t number, void *dst, const void *src, size_t size_bytes)
{
    bring(flag, number, dst, src, size_bytes, false);
}

void bn_flag_hand_over(struct bn_flag *flag, uint64_t number, void *dst, const void *src, size_t size_bytes)
{
    bring(flag, number, dst, src, size_bytes, true);
}

void bn_flag_hand_over_part(void *dst, const void *src, size_t size_bytes)
{
    int thread;
    uint64_t offset;
    if (bn_is_near(dst) || !bn_remote_find((uint64_t)dst, &thread, &offset)) {
        bn_copy(dst, src, size_bytes);
        return;
    }
    bn_remote_before_hand_over((uint64_t)dst, src, size_bytes);
    bn_remote.transport->put(thread, offset, src, size_bytes);
    has_parts = true;
}

void bn_flag_raise_for_node(struct bn_flag *flag, uint64_t number)
{
    bn_word64_show(&flag->number, number);
}

bool bn_flag_await_for(struct bn_flag *flag, uint64_t number, const struct bn_wait_policy *policy, int64_t timeout_ns)
{
    uint32_t step = 0;
    uint64_t end_ns = 0; /* not known before the clock is first read */
    int thread;
    uint64_t offset;
    bool is_near = bn_is_near(flag);
    /* Writes of far threads to another near thread are delivered by that thread's core. */
    bool is_brought_by_others =
        is_near && bn_remote_find((uint64_t)flag, &thread, &offset) && thread != bn_remote.thread;
    (void)policy; /* bn_remote's policy applies */
    for (uint32_t looks = 1; number_of(flag, is_near) < number; looks++) {
        if (is_brought_by_others)
            bn_remote_step_for_near(&step);
        else
            bn_remote_step(&step);
        if (looks % LOOKS_PER_CLOCK != 0 || timeout_ns == BN_FUTEX_FOREVER)
            continue;
        uint64_t now_ns = bn_clock_ns();
        if (end_ns == 0)
            end_ns = now_ns + (uint64_t)timeout_ns;
        if (now_ns >= end_ns)
            return false;
    }
    bn_remote_let_go(); /* what others wrote before they raised the flag may be newer than what was read ahead */
    return true;
}

void bn_flag_await(struct bn_flag *flag, uint64_t number, const struct bn_wait_policy *policy)
{
    bn_flag_await_for(flag, number, policy, BN_FUTEX_FOREVER);
}
