/*
 * link.h: the cost of the network between nodes, measured by their members.
 */
#ifndef BN_WIDE_LINK_H
#define BN_WIDE_LINK_H

#include "wide/wide.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Costs in nanoseconds: latency of a short message, cost of each additional message in a sequence, cost of a byte, and
 * cost of a step that all members of a node take */
struct bn_link {
    double latency_ns, message_ns, byte_ns, step_ns;
};

enum { BN_LINK_ROOM_BYTES = 128 << 10, BN_LINK_ROUNDS = 5, BN_LINK_SHORT_ROUNDS = 8 };

/* Duration of rounds: of one byte, and of a room in few and in many messages, alternately */
struct bn_link_rounds {
    double short_ns[BN_LINK_SHORT_ROUNDS], few_ns[BN_LINK_ROUNDS], many_ns[BN_LINK_ROUNDS];
};

/** Derives the costs from the rounds. */
struct bn_link bn_link_of(const struct bn_link_rounds *rounds);

/**
 * Measures the link between two members, of which this is one; returns all zero on the one that is not first.  No other
 * member may send to either meanwhile.
 *
 * @param room Memory of BN_LINK_ROOM_BYTES.
 * @cost  46 latencies, and the time for 10 rooms: 20 ms at 1 Gbit/s with 200 us.
 */
struct bn_link bn_link_measure(const struct bn_network *network, int other, bool is_first, unsigned char *room);

/** Stores a link's costs in the network, for the choice of algorithms. */
void bn_link_apply(const struct bn_link *link, struct bn_network *network);

/** Measures the costs for a composition.  Called by all of its members, each with BN_LINK_ROOM_BYTES in its first room
 * (bn_wide_room), so that none can fail here.  Members may find different values. */
struct bn_link bn_wide_measure(struct bn_wide *wide);

#ifdef __cplusplus
}
#endif

#endif
