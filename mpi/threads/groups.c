/*
 * MPI_Intercomm_create and MPI_Comm_create_group: the participants of such a call have no common communicator of their
 * own, so they agree by messages.  For MPI_Comm_create_group these carry the name of its communicator, since several
 * threads may use the same tag on several communicators of the same processes.
 */
#include "threads/completion.h"
#include "threads/letters.h"
#include "threads/names.h"
#include "threads/order.h"

#include <stdlib.h>

static bool send(uint64_t *number, int to, int tag, MPI_Comm comm)
{
    MPI_Request request = bn_handles.no_request;
    return bn_turn_finish(bn_below.Isend(number, 1, bn_handles.number, to, tag, comm, &request), &request);
}

/* ---- MPI_Intercomm_create ---- */

/* The two groups, whose leaders can communicate */
struct sides {
    MPI_Comm own;
    int leader; /* in own */
    MPI_Comm peers;
    int other_leader, tag; /* in peers */
};

/* The standard reserves the tag on the leaders' communicator for this call. */
static bool agree_sides(void *context, uint64_t *number)
{
    struct sides *sides = context;
    MPI_Request request = bn_handles.no_request;
    uint64_t other = 0;
    int rank;
    if (!bn_turn_agree_all(&sides->own, number))
        return false;
    bn_below.Comm_rank(sides->own, &rank);
    if (rank == sides->leader) {
        int result =
            bn_below.Irecv(&other, 1, bn_handles.number, sides->other_leader, sides->tag, sides->peers, &request);
        if (result != MPI_SUCCESS || !send(number, sides->other_leader, sides->tag, sides->peers) ||
            !bn_turn_finish(MPI_SUCCESS, &request))
            return false;
        *number = other > *number ? other : *number;
    }
    int result = bn_below.Ibcast(number, 1, bn_handles.number, sides->leader, sides->own, &request);
    return bn_turn_finish(result, &request);
}

static int call_Intercomm_create(MPI_Comm own, int leader, MPI_Comm peers, int other_leader, int tag, MPI_Comm *created)
{
    struct bn_turn turn;
    struct sides sides = {own, leader, peers, other_leader, tag};
    bool arbitrates = bn_gate_arbitrates(), is_inside = false;
    if (arbitrates)
        bn_turn_await_agreed(&turn, agree_sides, &sides);
    else
        is_inside = bn_gate_enter(BN_PATH_PROGRESS);
    int result = bn_below.Intercomm_create(own, leader, peers, other_leader, tag, created);
    if (arbitrates)
        bn_turn_name(&turn, result, created);
    if (arbitrates)
        bn_turn_end(&turn);
    else if (is_inside)
        bn_gate_leave();
    return result;
}

BN_BOTH_NAMES(int, Intercomm_create, bn_next_tool.Intercomm_create,
              (MPI_Comm own, int leader, MPI_Comm peers, int other_leader, int tag, MPI_Comm *created),
              (own, leader, peers, other_leader, tag, created))

/* ---- MPI_Comm_create_group ---- */

struct members {
    int *ranks; /* in MPI_COMM_WORLD */
    int count;
    struct bn_subject subject;
};

static bool agree_members(void *context, uint64_t *number)
{
    const struct members *members = context;
    return bn_letters_agree(&members->subject, members->ranks, members->count, number);
}

/* False: not all are in MPI_COMM_WORLD, or the group is invalid, or there is no memory. */
static bool find_members(MPI_Comm comm, MPI_Group group, int tag, struct members *members)
{
    int own;
    *members = (struct members){.subject = {bn_names_of(comm), (uint64_t)tag}};
    if (tag < 0 || bn_below.Group_size(group, &members->count) != MPI_SUCCESS || members->count == 0)
        return false;
    bn_below.Group_rank(group, &own);
    members->ranks = malloc((size_t)members->count * sizeof *members->ranks);
    return members->ranks && own >= 0 && bn_letters_ranks(group, members->count, members->ranks);
}

static int create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *created)
{
    struct bn_turn turn;
    struct members members;
    bn_gate_go_in(BN_PATH_MAIN);
    bool is_known = find_members(comm, group, tag, &members);
    bn_gate_leave();
    if (is_known)
        bn_turn_await_agreed(&turn, agree_members, &members);
    else
        bn_turn_await(&turn, bn_handles.no_comm);
    int result = bn_below.Comm_create_group(comm, group, tag, created);
    bn_turn_name(&turn, result, created);
    bn_turn_end(&turn);
    free(members.ranks);
    return result;
}

static int call_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *created)
{
    if (bn_gate_arbitrates())
        return create_group(comm, group, tag, created);
    bool is_inside = bn_gate_enter(BN_PATH_PROGRESS);
    int result = bn_below.Comm_create_group(comm, group, tag, created);
    if (is_inside)
        bn_gate_leave();
    return result;
}

BN_BOTH_NAMES(int, Comm_create_group, bn_next_tool.Comm_create_group,
              (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *created), (comm, group, tag, created))
