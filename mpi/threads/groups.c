/*
 * MPI_Intercomm_create, MPI_Comm_create_group and the calls of groups.h: the participants of such a call have no common
 * communicator of their own, so they agree by messages.  For MPI_Comm_create_group these carry the name of its
 * communicator, since several threads may use the same tag on several communicators of the same processes.
 */
#include "threads/groups.h"

#include "threads/completion.h"
#include "threads/letters.h"
#include "threads/names.h"

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

/* ---- Members of a group ---- */

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

/* False: not all are in MPI_COMM_WORLD, or the group is invalid or without this process, or there is no memory. */
static bool find_members(MPI_Group group, struct bn_subject subject, struct members *members)
{
    int own;
    *members = (struct members){.subject = subject};
    if (bn_below.Group_size(group, &members->count) != MPI_SUCCESS || members->count == 0)
        return false;
    bn_below.Group_rank(group, &own);
    members->ranks = malloc((size_t)members->count * sizeof *members->ranks);
    return members->ranks && own >= 0 && bn_letters_ranks(group, members->count, members->ranks);
}

/* ---- MPI_Comm_create_group ---- */

static int create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *created)
{
    struct bn_turn turn;
    struct members members = {0};
    bn_gate_go_in(BN_PATH_MAIN);
    const struct bn_subject subject = {bn_names_of(comm), (uint64_t)tag};
    bool is_known = tag >= 0 && find_members(group, subject, &members);
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

/* ---- MPI_Comm_create_from_group ---- */

/* What letters are about if only a text tells them apart; other letters have other tags. */
static struct bn_subject subject_of(const char *tag)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325); /* FNV-1a */
    while (*tag)
        hash = (hash ^ (unsigned char)*tag++) * UINT64_C(0x100000001B3);
    return (struct bn_subject){hash, UINT64_MAX - 1};
}

static bool find_tagged(MPI_Group group, const char *tag, struct members *members)
{
    return group != bn_handles.no_group && tag && find_members(group, subject_of(tag), members);
}

void bn_turn_await_group(struct bn_turn *turn, MPI_Group group, const char *tag)
{
    struct members members = {0};
    bn_gate_go_in(BN_PATH_MAIN);
    bool is_known = find_tagged(group, tag, &members);
    bn_gate_leave();
    if (is_known)
        bn_turn_await_agreed(turn, agree_members, &members);
    else
        bn_turn_await(turn, bn_handles.no_comm);
    free(members.ranks);
}

/* ---- MPI_Intercomm_create_from_groups ---- */

/* The own group, with its leader first, and the leader of the other one */
struct pair {
    struct members own;
    bool is_leader;
    int other_leader; /* in MPI_COMM_WORLD; known to the own leader */
};

static bool agree_pair(void *context, uint64_t *number)
{
    struct pair *pair = context;
    const struct bn_subject *subject = &pair->own.subject;
    uint64_t other = 0;
    if (!agree_members(&pair->own, number))
        return false;
    if (pair->is_leader) {
        if (!bn_letters_send(subject, pair->other_leader, *number) ||
            !bn_letters_receive(subject, pair->other_leader, &other))
            return false;
        *number = other > *number ? other : *number;
    }
    return agree_members(&pair->own, number);
}

/* The rank in MPI_COMM_WORLD of the leader of the other group; -1: not all of that group have one, so it cannot agree
 * about its turn. */
static int find_other_leader(MPI_Group group, int leader)
{
    int size = 0, rank = -1;
    if (group == bn_handles.no_group || bn_below.Group_size(group, &size) != MPI_SUCCESS || leader < 0 ||
        leader >= size)
        return -1;
    int *ranks = malloc((size_t)size * sizeof *ranks);
    if (ranks && bn_letters_ranks(group, size, ranks))
        rank = ranks[leader];
    free(ranks);
    return rank;
}

static bool find_pair(MPI_Group own, int leader, MPI_Group other, int other_leader, const char *tag, struct pair *pair)
{
    int rank;
    *pair = (struct pair){.other_leader = -1};
    if (!find_tagged(own, tag, &pair->own) || leader < 0 || leader >= pair->own.count)
        return false;
    int *ranks = pair->own.ranks, first = ranks[leader];
    ranks[leader] = ranks[0];
    ranks[0] = first;
    bn_below.Group_rank(own, &rank);
    pair->is_leader = rank == leader;
    if (pair->is_leader)
        pair->other_leader = find_other_leader(other, other_leader);
    uint64_t is_alone = pair->is_leader && pair->other_leader < 0;
    return agree_members(&pair->own, &is_alone) && is_alone == 0;
}

void bn_turn_await_groups(struct bn_turn *turn, MPI_Group own, int leader, MPI_Group other, int other_leader,
                          const char *tag)
{
    struct pair pair;
    bn_gate_go_in(BN_PATH_MAIN);
    bool is_known = find_pair(own, leader, other, other_leader, tag, &pair);
    bn_gate_leave();
    if (is_known)
        bn_turn_await_agreed(turn, agree_pair, &pair);
    else
        bn_turn_await(turn, bn_handles.no_comm);
    free(pair.own.ranks);
}
