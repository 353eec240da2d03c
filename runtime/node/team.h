/*
 * team.h: a team (coll/team.h) of processes of a world: a communicator as the engine sees it.
 *
 * One member allocates the control memory and tells the others its address; all join, and the last one to leave frees
 * it. Buffers are private memory of their owners.
 */
#ifndef BN_NODE_TEAM_H
#define BN_NODE_TEAM_H

#include "coll/plan.h"
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
    void *owner;                    /* for the creator of the team; initially null */
    void *extra;                    /* extra_bytes of shared memory for the creator, zeroed, aligned to BN_LINE_BYTES */
    struct bn_hierarchy *hierarchy; /* set once it has been requested */
    int *processes;                 /* by rank: the process number on this machine (world.h) */
};

/** Allocates control memory for size members; returns 0 if there is no room.  Called by one member.  A team of one
 * needs nothing shared; world may then be null, here and below. */
uint64_t bn_node_team_memory_make(struct bn_world *world, int size, size_t extra_bytes);
/** Called instead of bn_node_team_join by a member that cannot join, so that the memory is freed when all others have
 * left. */
void bn_node_team_memory_leave(struct bn_world *world, uint64_t memory);

/**
 * Joins as a rank; processes has the process of each rank.  table may be null.
 *
 * @errors Returns null, reported, if there is no memory or barriers cannot be as the options request.  Others may have
 * joined nevertheless, and must leave.
 */
struct bn_node_team *bn_node_team_join(struct bn_world *world, uint64_t memory, int rank, int size,
                                       const int *processes, const struct bn_table *table);

/** No member may start operations any more; others may still be in their last one. */
void bn_node_team_leave(struct bn_node_team *team);

#ifdef __cplusplus
}
#endif

#endif
