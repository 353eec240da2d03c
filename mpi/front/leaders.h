/*
 * leaders.h: the parts of a machine, each of which may have a leader that communicates with other machines: the whole
 * machine, a socket or a memory region; and which processes are near the network adapter and therefore lead.  For the
 * composition of collectives (wide/), such a part is a node.
 */
#ifndef BN_MPI_FRONT_LEADERS_H
#define BN_MPI_FRONT_LEADERS_H

#include "base/options.h"
#include "node/world.h"

#include <mpi.h>

/* The parts to which a process belongs */
struct bn_part {
    int names[BN_LEADERS_LEARN]; /* of its machine, socket and region: the lowest rank of MPI_COMM_WORLD in it */
    int is_near_network;         /* as far as the machine tells; false if all its processes are equally near */
};

/** Whether the process's part differs from its machine's: true for some process of a machine with several parts. */
static inline bool bn_part_is_divided(const struct bn_part *part)
{
    return part->names[BN_LEADERS_SOCKET] != part->names[BN_LEADERS_MACHINE] ||
           part->names[BN_LEADERS_REGION] != part->names[BN_LEADERS_MACHINE];
}

struct bn_parts_known {
    const int *process_of_rank, *node_of_rank; /* as in struct bn_communicators_world */
    struct bn_place *places;                   /* room for one entry per process of this machine */
};

/** Finds the parts of all processes, by rank in MPI_COMM_WORLD.  Collective.
 *
 * @param memory Shared memory of the processes of this machine; null: none, and then they are one part.  So are
 * processes that may move between sockets or regions, and those of a machine whose topology cannot be read.
 * @param node   Communicator of the processes of this machine */
void bn_parts_find(struct bn_world *memory, MPI_Comm node, int rank, int size, const struct bn_parts_known *known,
                   struct bn_part *parts);

#endif
