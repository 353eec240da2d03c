/*
 * spread.h: threads placed on fictitious machines: clusters of equal nodes, with threads in one of several orders.
 *
 * For tests, simulation, and banyan-info --shape.
 */
#ifndef BN_TOPOLOGY_SPREAD_H
#define BN_TOPOLOGY_SPREAD_H

#include "topology/hierarchy.h"
#include "topology/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

enum bn_spread_order {
    BN_SPREAD_BLOCK,  /* neighbours on neighbouring cores: one node is filled before the next */
    BN_SPREAD_CYCLIC, /* neighbours far apart: on the next node, and within a node in the next socket, memory region,
                       * cache */
    BN_SPREAD_RANDOM, /* a permutation of the first order, determined by the seed */
};

struct bn_spread {
    int node_count;       /* at least 1 */
    int nodes_per_switch; /* 0: no switches are known */
    enum bn_spread_order order;
    uint64_t seed; /* for BN_SPREAD_RANDOM */
};

/**
 * Places member_count threads evenly on the nodes, with one more on the first nodes if they do not divide evenly.  Each
 * is bound to a pu; if a node has more threads than pus, pus are reused.
 *
 * @param places Result, one per member.
 * @errors BN_ERR_MEMORY, reported.
 */
bn_status_t bn_spread_places(const struct bn_machine *machine, const struct bn_spread *spread, int member_count,
                             struct bn_place *places);

/** The hierarchy of these places; free() releases it. */
bn_status_t bn_spread_hierarchy(const struct bn_machine *machine, const struct bn_spread *spread, int member_count,
                                struct bn_hierarchy **hierarchy_p);

#ifdef __cplusplus
}
#endif

#endif
