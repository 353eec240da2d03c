/*
 * barrier_groups.h: the groups in which a barrier that follows the machine's hierarchy counts arrivals: caches, memory
 * regions, machines, everybody.
 */
#ifndef BN_COLL_BARRIER_GROUPS_H
#define BN_COLL_BARRIER_GROUPS_H

#include "base/status.h"
#include "sync/barrier.h"
#include "topology/hierarchy.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes the groups as one member sees them; those with one input are left out.  A group counts in the lines of the
 * first member of its second part; no other group uses the lines of that member.
 *
 * @errors BN_ERR_MEMORY; reported.
 * @cost   O(groups) time and memory.
 */
bn_status_t bn_barrier_groups_make(const struct bn_hierarchy *hierarchy, int rank, struct bn_barrier_tree *tree_p);

void bn_barrier_groups_destroy(struct bn_barrier_tree *tree);

#ifdef __cplusplus
}
#endif

#endif
