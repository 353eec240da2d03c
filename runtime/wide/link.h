/*
 * link.h: what the network between nodes costs, measured by members of them.
 */
#ifndef BN_WIDE_LINK_H
#define BN_WIDE_LINK_H

#include "wide/wide.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Nanoseconds: until a short message is there, of one more message of those that follow each other, and of a byte; and
 * of a step that all members of a node take */
struct bn_link {
    double latency_ns, message_ns, byte_ns, step_ns;
};

enum { BN_LINK_ROOM_BYTES = 128 << 10, BN_LINK_ROUNDS = 5, BN_LINK_SHORT_ROUNDS = 8 };

/* How long rounds took: of a byte, and of a room in few and in many messages, in alternation */
struct bn_link_rounds {
    double short_ns[BN_LINK_SHORT_ROUNDS], few_ns[BN_LINK_ROUNDS], many_ns[BN_LINK_ROUNDS];
};

/** What follows from them. */
struct bn_link bn_link_of(const struct bn_link_rounds *rounds);

/**
 * Measures the way between two members, of whom this is one; all zero for the one that is not the first.  Nobody else
 * sends to either meanwhile.
 *
 * @param room Memory of BN_LINK_ROOM_BYTES.
 * @cost  46 latencies, and the time for 10 rooms: 20 ms at 1 Gbit/s with 200 us.
 */
struct bn_link bn_link_measure(const struct bn_network *network, int other, bool is_first, unsigned char *room);

/** What follows from a link for those that choose by it. */
void bn_link_apply(const struct bn_link *link, struct bn_network *network);

/** Measures what a composition needs to know: all of its members call this, each with BN_LINK_ROOM_BYTES in its first
 *  room (bn_wide_room), so that nobody fails here.  Members may find different values. */
struct bn_link bn_wide_measure(struct bn_wide *wide);

#ifdef __cplusplus
}
#endif

#endif
