/*
 * Synchronisation of windows that waits for what another process does.
 *
 * MPI_Win_lock: the word of the target (members.h) has WRITER while somebody has the lock alone, and counts those that
 * share it.  Who has it takes the library's, which nobody has in a way that excludes that; with less than all of them
 * having come this way (MPI_MODE_NOCHECK) the library's is all there is.
 *
 * MPI_Win_start: each process that has posted says so by a message; when all have, the library's has nothing to wait
 * for.
 */
#include "threads/completion.h"
#include "threads/members.h"

#include <stdlib.h>

enum { FREE, SHARED, ALONE };
static const uint64_t WRITER = UINT64_C(1) << 32;

struct lock {
    MPI_Win words;
    int target;
};

/* What was there before; inside */
static uint64_t add(const struct lock *lock, uint64_t number)
{
    uint64_t before = 0;
    bn_real.Fetch_and_op(&number, &before, bn_handles.number, lock->target, 0, bn_handles.sum, lock->words);
    bn_real.Win_flush(lock->target, lock->words);
    return before;
}

static bool try_shared(void *context)
{
    if (add(context, 1) < WRITER)
        return true;
    add(context, UINT64_MAX);
    return false;
}

/* Whoever comes first to a free word gets it; MPI_Compare_and_swap crashes in Open MPI 4.1 where the target is the
 * caller.
 */
static bool try_alone(void *context)
{
    if (add(context, WRITER) == 0)
        return true;
    add(context, 0 - WRITER);
    return false;
}

/* Returns inside, with it. */
static void take(struct bn_members *members, int target, unsigned char how)
{
    struct lock lock = {members->locks, target};
    bn_arbiter_poll try = how == ALONE ? try_alone : try_shared;
    bn_gate_await_inside(try, &lock);
    members->held[target] = how;
}

static void give(struct bn_members *members, int target)
{
    struct lock lock = {members->locks, target};
    if (members->held[target] != FREE)
        add(&lock, members->held[target] == ALONE ? 0 - WRITER : UINT64_MAX);
    members->held[target] = FREE;
}

static int size_of(const struct bn_members *members)
{
    int size;
    bn_real.Comm_size(members->comm, &size);
    return size;
}

/* What the program does with a window of which more is known, or null: the library's own then. */
static struct bn_members *known(MPI_Win window)
{
    return bn_gate_arbitrates() ? bn_members_find_window(window) : NULL;
}

static int call_Win_lock(int type, int target, int assert, MPI_Win window)
{
    struct bn_members *members = known(window);
    bool is_inside = bn_gate_enter(BN_PATH_MAIN);
    if (members && (assert &MPI_MODE_NOCHECK) == 0 && target >= 0 && target < size_of(members))
        take(members, target, type == MPI_LOCK_EXCLUSIVE ? ALONE : SHARED);
    int result = bn_real.Win_lock(type, target, assert, window);
    if (members && result != MPI_SUCCESS && target >= 0 && target < size_of(members))
        give(members, target);
    if (is_inside)
        bn_gate_leave();
    return result;
}

static int call_Win_unlock(int target, MPI_Win window)
{
    struct bn_members *members = known(window);
    bool is_inside = bn_gate_enter(BN_PATH_PROGRESS);
    int result = bn_real.Win_unlock(target, window);
    if (members && target >= 0 && target < size_of(members))
        give(members, target);
    if (is_inside)
        bn_gate_leave();
    return result;
}

static int call_Win_lock_all(int assert, MPI_Win window)
{
    struct bn_members *members = known(window);
    bool is_inside = bn_gate_enter(BN_PATH_MAIN);
    for (int target = 0; members && (assert &MPI_MODE_NOCHECK) == 0 && target < size_of(members); target++)
        take(members, target, SHARED);
    int result = bn_real.Win_lock_all(assert, window);
    if (is_inside)
        bn_gate_leave();
    return result;
}

static int call_Win_unlock_all(MPI_Win window)
{
    struct bn_members *members = known(window);
    bool is_inside = bn_gate_enter(BN_PATH_PROGRESS);
    int result = bn_real.Win_unlock_all(window);
    for (int target = 0; members && target < size_of(members); target++)
        give(members, target);
    if (is_inside)
        bn_gate_leave();
    return result;
}

/* ---- MPI_Win_post and MPI_Win_start ---- */

/* Messages without data to, or from, each process of a group */
struct round {
    int count;
    MPI_Request *requests;
};

static bool look_at_round(void *context)
{
    const struct round *round = context;
    int have_ended = 1;
    for (int i = 0; i < round->count && have_ended; i++)
        if (bn_real.Test(&round->requests[i], &have_ended, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return true;
    return have_ended != 0;
}

/* By rank in comm; null: no memory */
static int *ranks_of(MPI_Group group, int count, MPI_Comm comm)
{
    MPI_Group all;
    int *ranks = malloc(2 * (size_t)count * sizeof *ranks + 1);
    for (int i = 0; ranks && i < count; i++)
        ranks[count + i] = i;
    if (!ranks)
        return NULL;
    bn_real.Comm_group(comm, &all);
    bn_real.Group_translate_ranks(group, count, ranks + count, all, ranks);
    bn_real.Group_free(&all);
    return ranks;
}

/* Enters and returns inside; what is wrong with the group the library's own call says. */
static void go_round(const struct bn_members *members, MPI_Group group, bool tells)
{
    struct round round = {0};
    bn_gate_go_in(BN_PATH_MAIN);
    if (bn_real.Group_size(group, &round.count) != MPI_SUCCESS || round.count == 0)
        return;
    int *ranks = ranks_of(group, round.count, members->comm);
    round.requests = malloc((size_t)round.count * sizeof(MPI_Request));
    if (!ranks || !round.requests)
        bn_library_abort(members->comm);
    for (int i = 0; i < round.count; i++) {
        if (tells)
            bn_real.Isend(NULL, 0, bn_handles.byte, ranks[i], 0, members->comm, &round.requests[i]);
        else
            bn_real.Irecv(NULL, 0, bn_handles.byte, ranks[i], 0, members->comm, &round.requests[i]);
    }
    bn_gate_await_inside(look_at_round, &round);
    free(ranks);
    free(round.requests);
}

static int call_Win_post(MPI_Group group, int assert, MPI_Win window)
{
    struct bn_members *members = known(window);
    bool is_inside = bn_gate_enter(BN_PATH_MAIN);
    int result = bn_real.Win_post(group, assert, window);
    if (is_inside)
        bn_gate_leave();
    if (!members || result != MPI_SUCCESS)
        return result;
    go_round(members, group, true);
    bn_gate_leave();
    return result;
}

static int call_Win_start(MPI_Group group, int assert, MPI_Win window)
{
    struct bn_members *members = known(window);
    bool is_inside = members != NULL;
    if (members)
        go_round(members, group, false);
    else
        is_inside = bn_gate_enter(BN_PATH_PROGRESS);
    int result = bn_real.Win_start(group, assert, window);
    if (is_inside)
        bn_gate_leave();
    return result;
}

#define ENTRY(name, parameters, arguments) BN_BOTH_NAMES(int, name, bn_tools.name, parameters, arguments)

ENTRY(Win_lock, (int type, int target, int assert, MPI_Win window), (type, target, assert, window))
ENTRY(Win_unlock, (int target, MPI_Win window), (target, window))
ENTRY(Win_lock_all, (int assert, MPI_Win window), (assert, window))
ENTRY(Win_unlock_all, (MPI_Win window), (window))
ENTRY(Win_post, (MPI_Group group, int assert, MPI_Win window), (group, assert, window))
ENTRY(Win_start, (MPI_Group group, int assert, MPI_Win window), (group, assert, window))
