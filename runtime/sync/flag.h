/*
 * flag.h: a monotonically growing number with a payload.
 *
 * Like bn_event (wait.h), but with 64 bits, so that a number written long ago is still smaller than all later ones, and
 * with room for a payload.  Only one thread at a time writes a flag; any number may wait for it.  All zero is a valid
 * initial state.
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
    BN_FLAG_LINE_BYTES = BN_LINE_BYTES - 8,  /* bytes of the payload in the line of the number */
    BN_FLAG_SPILL_BYTES = BN_LINE_BYTES - 8, /* and bytes in the line of the sleepers */
    BN_FLAG_PAYLOAD_BYTES = BN_FLAG_LINE_BYTES + BN_FLAG_SPILL_BYTES,
};

struct bn_flag {
    uint64_t number;
    unsigned char payload[BN_FLAG_LINE_BYTES];
    uint32_t sleepers __attribute__((aligned(BN_LINE_BYTES))); /* threads that sleep, or are about to */
    uint32_t turn;                                             /* changes when sleepers must check the number again */
    unsigned char spill[BN_FLAG_SPILL_BYTES] __attribute__((aligned(8)));
} __attribute__((aligned(BN_LINE_BYTES)));

/** Sets the flag to number, which must be larger, and wakes sleepers.  All earlier accesses, including those to the
 * payload, happen before the return of the waits that see the number.  @cost One atomic operation; a system call only
 * if a thread sleeps. */
void bn_flag_raise(struct bn_flag *flag, uint64_t number);

/** The same for a flag of this node that concerns only memory of this node: this thread's writes to other nodes may
 * still be in flight. */
void bn_flag_raise_for_node(struct bn_flag *flag, uint64_t number);

/** Copies data from this node to memory of the thread that owns the flag, and raises the flag; if that thread is on
 * another node and the library below supports it, both are one message. */
void bn_flag_raise_behind(struct bn_flag *flag, uint64_t number, void *dst, const void *src, size_t size_bytes);

/** The same for a flag and data that the owner waits for before it enters the next barrier, so that fences and other
 * transfers of this thread need not wait for their arrival. */
void bn_flag_hand_over(struct bn_flag *flag, uint64_t number, void *dst, const void *src, size_t size_bytes);

/** Hands over a piece that is not the last one: the next bn_flag_hand_over to the same thread announces this piece as
 * well. */
void bn_flag_hand_over_part(void *dst, const void *src, size_t size_bytes);

/** Whether the flag has reached number; if so, everything that its writer did before is visible. */
static inline bool bn_flag_has_reached(const struct bn_flag *flag, uint64_t number)
{
    return __atomic_load_n(&flag->number, __ATOMIC_ACQUIRE) >= number;
}

/** Returns once the flag has reached number; everything that its writer did before is then visible. */
void bn_flag_await(struct bn_flag *flag, uint64_t number, const struct bn_wait_policy *policy);

/** The same, but gives up and returns false after it has slept for about timeout_ns nanoseconds in vain; across nodes,
 * where waiters never sleep, after it has polled for that long. */
bool bn_flag_await_for(struct bn_flag *flag, uint64_t number, const struct bn_wait_policy *policy, int64_t timeout_ns);

/** Writes size_bytes of the payload starting at offset, within BN_FLAG_PAYLOAD_BYTES.  Called by the writer before it
 * raises the flag. */
void bn_flag_put(struct bn_flag *flag, size_t offset, const void *payload, size_t size_bytes);

/** bn_flag_put, then bn_flag_raise. */
void bn_flag_send(struct bn_flag *flag, size_t offset, const void *payload, size_t size_bytes, uint64_t number);

/** Reads the payload; after bn_flag_await, while the writer does not change it. */
void bn_flag_get(const struct bn_flag *flag, size_t offset, void *payload, size_t size_bytes);

#ifdef __cplusplus
}
#endif

#endif
