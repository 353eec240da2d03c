/*
 * groups.h: turns of calls that make communicators of groups (order.h).  Their members have no communicator in common,
 * so they agree by letters (letters.h), if all are in MPI_COMM_WORLD.  Otherwise the call is made at once.
 */
#ifndef BN_MPI_THREADS_GROUPS_H
#define BN_MPI_THREADS_GROUPS_H

#include "threads/order.h"

/** bn_turn_await for MPI_Comm_create_from_group. */
void bn_turn_await_group(struct bn_turn *turn, MPI_Group group, const char *tag);

/** bn_turn_await for MPI_Intercomm_create_from_groups. */
void bn_turn_await_groups(struct bn_turn *turn, MPI_Group own, int leader, MPI_Group other, int other_leader,
                          const char *tag);

#endif
