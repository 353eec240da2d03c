/*
 * team.h: a team (coll/team.h) of processes of a world: a communicator as the engine sees it.
 *
 * One member makes the control memory and tells the others where it lies; all join, and the last one that leaves gives
 * it back.  Buffers are private memory of their owners.
 */
#ifndef BN_NODE_TEAM_H
#define BN_NODE_TEAM_H

#include "coll/plan.h"
#include "coll/run.h"
#include "node/world.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bn_node_team_memory;

struct bn_node_team {
    struct bn_team team; /* for bn_operation_run */
    struct bn_plans plans;
    struct bn_world *world;
    struct bn_node_team_memory *memory;
    void *owner; /* for who made it; null at first */
    void *extra; /* extra_bytes of shared memory for who made the team, zeroed, aligned to BN_LINE_BYTES */
    struct bn_hierarchy *hierarchy; /* when somebody has asked */
    int *processes;                 /* by rank: the number on this machine (world.h) */
};

/** Control memory for size members; 0: there is no room.  Called by one member.  For one alone nothing needs to be
 *  shared, and world may be null, here as below. */
uint64_t bn_node_team_memory_make(struct bn_world *world, int size, size_t extra_bytes);
/** In place of a member that cannot join: the memory is given back when all others have left. */
void bn_node_team_memory_leave(struct bn_world *world, uint64_t memory);

/**
 * Joins as a rank; processes are those of all ranks, of which the first is that of the lowest rank.  table may be null.
 *
 * @errors Null: no memory, or barriers cannot be as options ask, reported.  Others may join nevertheless, and must
 *         leave.
 */
struct bn_node_team *bn_node_team_join(struct bn_world *world, uint64_t memory, int rank, int size,
                                       const int *processes, const struct bn_table *table);

/** No member may call operations any more; any may still be in its last one. */
void bn_node_team_leave(struct bn_node_team *team);

#ifdef __cplusplus
}
#endif

#endif
