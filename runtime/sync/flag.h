/*
 * flag.h: a number that grows, with a payload.
 *
 * Like bn_event (wait.h), but with 64 bits, so that a number that has not been written for a long time is still
 * smaller than those to come, and with room for a payload.  Only one thread at a time writes a flag; any number may
 * wait for it.  All zero is a valid initial state.
 *
 * The payload begins in the cache line of the number, which waiters fetch anyway, and continues in the line of the
 * sleepers.
 */
#ifndef BN_SYNC_FLAG_H
#define BN_SYNC_FLAG_H

#include "sync/wait.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BN_FLAG_LINE_BYTES = BN_LINE_BYTES - 8,  /* of the payload, in the line of the number */
    BN_FLAG_SPILL_BYTES = BN_LINE_BYTES - 8, /* and in the line of the sleepers */
    BN_FLAG_PAYLOAD_BYTES = BN_FLAG_LINE_BYTES + BN_FLAG_SPILL_BYTES,
};

struct bn_flag {
    uint64_t number;
    unsigned char payload[BN_FLAG_LINE_BYTES];
    uint32_t sleepers __attribute__((aligned(BN_LINE_BYTES))); /* threads that sleep, or are about to */
    uint32_t turn;                                             /* changes when sleepers are to look again */
    unsigned char spill[BN_FLAG_SPILL_BYTES] __attribute__((aligned(8)));
} __attribute__((aligned(BN_LINE_BYTES)));

/** Sets the flag to number, which must be larger, and wakes sleepers.  All accesses before it, to the payload too,
 *  happen before the return of the waits that see it.  @cost One atomic operation; a system call only if somebody
 *  sleeps. */
void bn_flag_raise(struct bn_flag *flag, uint64_t number);

/** The same for a flag of this node, about memory of this node alone: writes of this thread to other nodes may still be
 * on their way then. */
void bn_flag_raise_for_node(struct bn_flag *flag, uint64_t number);

/** Copies data of this node to memory of the thread that owns the flag, and raises the flag: in one message, if that
 * thread is on another node and the library below can do that. */
void bn_flag_raise_behind(struct bn_flag *flag, uint64_t number, void *dst, const void *src, size_t size_bytes);

/** The same for a flag, and with it data, that its owner waits for before it comes to the next barrier: fences and
 * other transfers of this thread need not wait until they have arrived. */
void bn_flag_hand_over(struct bn_flag *flag, uint64_t number, void *dst, const void *src, size_t size_bytes);

/** Hands over a piece that is not the last one: the next bn_flag_hand_over to the same thread announces this piece as
 * well. */
void bn_flag_hand_over_part(void *dst, const void *src, size_t size_bytes);

/** Whether the flag has reached number; if so, what its writer did before is visible. */
static inline bool bn_flag_has_reached(const struct bn_flag *flag, uint64_t number)
{
    return __atomic_load_n(&flag->number, __ATOMIC_ACQUIRE) >= number;
}

/** Returns once the flag has reached number; what its writer did before is visible then. */
void bn_flag_await(struct bn_flag *flag, uint64_t number, const struct bn_wait_policy *policy);

/** The same, but gives up and returns false after it has slept for about timeout_ns nanoseconds in vain; over several
 * nodes, where nobody sleeps, after it has polled for that long. */
bool bn_flag_await_for(struct bn_flag *flag, uint64_t number, const struct bn_wait_policy *policy, int64_t timeout_ns);

/** Writes size_bytes of the payload, from offset on, up to BN_FLAG_PAYLOAD_BYTES in all; by the writer, before it
 * raises the flag. */
void bn_flag_put(struct bn_flag *flag, size_t offset, const void *payload, size_t size_bytes);

/** bn_flag_put, then bn_flag_raise. */
void bn_flag_send(struct bn_flag *flag, size_t offset, const void *payload, size_t size_bytes, uint64_t number);

/** Reads what was put there; after bn_flag_await, while the writer leaves it alone. */
void bn_flag_get(const struct bn_flag *flag, size_t offset, void *payload, size_t size_bytes);

#ifdef __cplusplus
}
#endif

#endif
