/*
 * members.h: on which machines, and on which parts of them (leaders.h), the members of a communicator are, as all of
 * them find it, and the teams that those of one machine or part make.
 */
#ifndef BN_MPI_FRONT_MEMBERS_H
#define BN_MPI_FRONT_MEMBERS_H

#include "front/leaders.h"
#include "host/operations.h"
#include "node/team.h"

/* What is known of the processes of the job; to last until bn_communicators_end */
struct bn_communicators_world {
    MPI_Group group;
    int rank;                           /* of this process in it */
    const int *process_of_rank;         /* by rank in the group: the number on this machine; -1: on another one */
    const int *node_of_rank;            /* by rank in the group: what names its machine, the same on all */
    const uint32_t *switch_of_rank;     /* the same for its switch; all 0: none is known */
    const struct bn_part *part_of_rank; /* by rank in the group; may be written later */
    const struct bn_lessons *lessons;
};

struct bn_members {
    const struct bn_communicators_world *world;
    MPI_Comm comm;
    int rank, size;
    bool are_near;    /* all of them on this machine */
    int *world_ranks; /* by rank */
    int *nodes;       /* by rank: what names its machine, or its part of that */
    int *processes;   /* of those on the node of this member, in the order of ranks: the numbers on this machine */
    int near_count;   /* of these */
};

/** Finds the members of a communicator whose world, comm, rank and size are given; their nodes are machines.  Local.
 *  bn_members_release must follow in any case.
 *  @return BN_MPI_OURS, or the reason: no memory, or a member is of another job. */
enum bn_mpi_reason bn_members_find(struct bn_members *members);
void bn_members_release(struct bn_members *members);

/** From now on their nodes are machines, or their sockets or memory regions. */
void bn_members_group(struct bn_members *members, enum bn_leaders_choice parts);

/** Whether this member's socket or region, which fine asks for, has not all members that its node of the kind coarse
 *  has; true on some member where it is so anywhere. */
bool bn_members_differ(const struct bn_members *members, enum bn_leaders_choice coarse, enum bn_leaders_choice fine);

/** Whether all members of a communicator say so.  Collective. */
bool bn_members_all(MPI_Comm comm, bool mine);

/** The team of those on this node, who all come here with a communicator of theirs in the order of ranks.
 *
 * @param memory What the processes of this machine have together; null: nothing
 * @return Null: it cannot be.  Others may have it nevertheless. */
struct bn_node_team *bn_members_join_near(const struct bn_members *members, MPI_Comm near, int near_rank,
                                          struct bn_world *memory);

#endif
