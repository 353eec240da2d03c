/*
 * team.h: a team (coll/team.h) of processes of this machine: a communicator as the engine sees it.
 *
 * One member makes the control memory and tells the others where it lies; all join, and the last one that leaves gives
 * it back.  Buffers are private memory of their owners.
 */
#ifndef BN_MPI_HOST_TEAM_H
#define BN_MPI_HOST_TEAM_H

#include "coll/plan.h"
#include "coll/run.h"
#include "host/sizes.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bn_node_team_memory;

struct bn_node_team {
    struct bn_team team; /* for bn_operation_run */
    struct bn_plans plans;
    struct bn_node_team_memory *memory;
    struct bn_sizes sizes;
    struct bn_hierarchy *hierarchy; /* when somebody has asked */
    int *processes;                 /* by rank: the number on this machine (node.h) */
};

/** Control memory for size members; 0: there is no room.  Called by one member.  For one alone nothing needs to be
 *  shared, and bn_node_join may have failed or not been called. */
uint64_t bn_node_team_memory_make(int size);
/** In place of a member that cannot join: the memory is given back when all others have left. */
void bn_node_team_memory_leave(uint64_t memory);

/**
 * Joins as a rank; processes are those of all ranks, of which the first is that of the lowest rank.  table may be null.
 *
 * @errors Null: no memory, or barriers cannot be as options ask, reported.  Others may join nevertheless, and must
 *         leave.
 */
struct bn_node_team *bn_node_team_join(uint64_t memory, int rank, int size, const int *processes,
                                       const struct bn_table *table);

/** No member may call operations any more; any may still be in its last one. */
void bn_node_team_leave(struct bn_node_team *team);

#ifdef __cplusplus
}
#endif

#endif
