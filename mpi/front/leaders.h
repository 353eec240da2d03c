/*
 * leaders.h: for which processes of a machine one of them speaks to other machines: for all, or for those of a socket
 * or a memory region, as BANYAN_MPI_LEADERS says.  What composes collectives (wide/) takes such a part for a node.
 */
#ifndef BN_MPI_FRONT_LEADERS_H
#define BN_MPI_FRONT_LEADERS_H

#include "front/below.h"
#include "node/world.h"

/** By rank in MPI_COMM_WORLD: the lowest rank of those in its part.  Collective.
 *
 * @param memory   What the processes of this machine have together; null: nothing, so that they are one part, as are
 *                 those that may move between sockets or regions, and those of a machine that cannot be read.
 * @param process_of_rank, node_of_rank  As in struct bn_communicators_world. */
void bn_parts_find(struct bn_world *memory, int rank, int size, const int *process_of_rank, const int *node_of_rank,
                   int *part_of_rank);

#endif
