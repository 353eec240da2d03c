/*
 * members.h: on which machines, and parts of machines (leaders.h), the members of a communicator are, which is the same
 * on all of them; and the teams formed by the members on one machine or part.
 */
#ifndef BN_MPI_FRONT_MEMBERS_H
#define BN_MPI_FRONT_MEMBERS_H

#include "front/leaders.h"
#include "host/operations.h"
#include "node/team.h"

/* What is known about the processes of the job; must live until bn_communicators_end */
struct bn_communicators_world {
    MPI_Group group;
    int rank;                           /* of this process in it */
    const int *process_of_rank;         /* by rank in the group: its number on this machine; -1: on another one */
    const int *node_of_rank;            /* by rank in the group: an id of its machine, the same on all */
    const uint32_t *switch_of_rank;     /* by rank in the group: an id of its switch; all 0: unknown */
    const struct bn_part *part_of_rank; /* by rank in the group; may be written later */
    const struct bn_lessons *lessons;
};

struct bn_members {
    const struct bn_communicators_world *world;
    MPI_Comm comm;
    int rank, size;
    bool are_near;    /* all members are on one machine */
    int *world_ranks; /* by rank: the rank in the world's group */
    int *nodes;       /* by rank: an id of its machine or part */
    int *processes;   /* of the members on this member's node, in the order of ranks: their numbers on this machine */
    int near_count;   /* entries in processes */
};

/** Fills in the rest, given world, comm, rank and size; nodes are machines.  Local.  bn_members_release must follow in
 *  any case.
 *  @return BN_MPI_OURS, or the reason why not: no memory, or a member belongs to another job. */
enum bn_mpi_reason bn_members_find(struct bn_members *members);
void bn_members_release(struct bn_members *members);

/** Makes nodes machines, sockets or memory regions. */
void bn_members_group(struct bn_members *members, enum bn_leaders_choice parts);

/** Whether this member's coarse part contains members that its fine part does not; if the two divisions differ
 *  anywhere, this is true on some member. */
bool bn_members_differ(const struct bn_members *members, enum bn_leaders_choice coarse, enum bn_leaders_choice fine);

/** Whether `mine` is true on all members of a communicator.  Collective. */
bool bn_members_all(MPI_Comm comm, bool mine);

/** Joins the team of the members on this node.  Collective among them; `near` is their communicator, in the order of
 * ranks.
 *
 * @param memory Shared memory of the processes of this machine; null: none
 * @return Null on failure, but possibly only on some members. */
struct bn_node_team *bn_members_join_near(const struct bn_members *members, MPI_Comm near, int near_rank,
                                          struct bn_world *memory);

#endif
