/*
 * leaders.h: for which processes of a machine one of them may speak to other machines: for all, or for those of a
 * socket or a memory region; and who is near the network adapter, and so does that.  What composes collectives (wide/)
 * takes such a part for a node.
 */
#ifndef BN_MPI_FRONT_LEADERS_H
#define BN_MPI_FRONT_LEADERS_H

#include "base/options.h"
#include "front/below.h"
#include "node/world.h"

/* Of a process */
struct bn_part {
    int names[BN_LEADERS_LEARN]; /* of its machine, socket and region: the lowest rank in MPI_COMM_WORLD there */
    int is_near_network;         /* and others on its machine are not, as far as the machine says */
};

/** Whether the machine has processes on several sockets or regions.  True of some process there, if it has. */
static inline bool bn_part_is_divided(const struct bn_part *part)
{
    return part->names[BN_LEADERS_SOCKET] != part->names[BN_LEADERS_MACHINE] ||
           part->names[BN_LEADERS_REGION] != part->names[BN_LEADERS_MACHINE];
}

struct bn_parts_known {
    const int *process_of_rank, *node_of_rank; /* as in struct bn_communicators_world */
    struct bn_place *places;                   /* room for one for each process of this machine */
};

/** By rank in MPI_COMM_WORLD.  Collective.
 *
 * @param memory What the processes of this machine have together; null: nothing, so that they are one part, as are
 * those that may move between sockets or regions, and those of a machine that cannot be read.
 * @param node   The processes of this machine. */
void bn_parts_find(struct bn_world *memory, MPI_Comm node, int rank, int size, const struct bn_parts_known *known,
                   struct bn_part *parts);

#endif
