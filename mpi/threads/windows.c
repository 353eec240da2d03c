/*
 * Synchronisation of windows that waits for other processes.
 *
 * MPI_Win_lock: the target's word (objects.h) contains WRITER while a process holds the lock exclusively, and counts
 * those that share it.  The holder then takes the library's lock, for which it does not have to wait.  Processes that
 * skip the word (MPI_MODE_NOCHECK) have only the library's lock.
 *
 * MPI_Win_start: each process that has posted announces that by a message; when all have, the library's call does not
 * wait.
 */
#include "base/log.h"
#include "threads/completion.h"
#include "threads/errors.h"
#include "threads/objects.h"
#include "threads/progress.h"
#include "threads/windows.h"

#include <stdlib.h>
#include <string.h>

enum { FREE, SHARED, ALONE };
static const uint64_t WRITER = UINT64_C(1) << 32;

struct lock {
    const struct bn_object *members;
    int target;
};

/* Adds to the lock word and returns its old value; inside, unless all members have mapped the words */
static uint64_t add(const struct lock *lock, uint64_t number)
{
    uint64_t before = 0;
    const struct bn_object *members = lock->members;
    if (members->direct)
        return bn_word64_add(&members->direct->members[lock->target].words->lock, number) - number;
    bn_below.Fetch_and_op(&number, &before, bn_handles.number, lock->target, 0, bn_handles.sum, members->locks);
    bn_below.Win_flush(lock->target, members->locks);
    return before;
}

static bool try_shared(void *context)
{
    if (add(context, 1) < WRITER)
        return true;
    add(context, UINT64_MAX);
    return false;
}

/* The first process to add to a free word gets it.  MPI_Compare_and_swap is not used because it crashes in Open MPI 4.1
 * if the target is the caller. */
static bool try_alone(void *context)
{
    if (add(context, WRITER) == 0)
        return true;
    add(context, 0 - WRITER);
    return false;
}

static bool try_lock(struct lock *lock, int how)
{
    return how == ALONE ? try_alone(lock) : try_shared(lock);
}

/* Takes the lock; called and returns inside. */
static void take(struct bn_object *members, int target, unsigned char how)
{
    struct lock lock = {members, target};
    bn_gate_await_inside(how == ALONE ? try_alone : try_shared, &lock);
    members->held[target] = how;
}

static void give(struct bn_object *members, int target)
{
    struct lock lock = {members, target};
    if (members->held[target] != FREE)
        add(&lock, members->held[target] == ALONE ? 0 - WRITER : UINT64_MAX);
    members->held[target] = FREE;
}

static int size_of(const struct bn_object *members)
{
    int size;
    bn_below.Comm_size(members->comm, &size);
    return size;
}

/* The members of a window, or null if the program's call goes straight to the library. */
static struct bn_object *known(MPI_Win window)
{
    return bn_gate_arbitrates() ? bn_objects_find_window(window) : NULL;
}

/* The same, but null for direct windows, whose locks are not the library's */
static struct bn_object *locked_below(MPI_Win window)
{
    struct bn_object *members = known(window);
    return members && !members->direct ? members : NULL;
}

/* ---- The same in direct windows, whose words are the only locks ---- */

static struct bn_object *directly(MPI_Win window)
{
    return bn_direct_find(window) ? bn_objects_find_window(window) : NULL;
}

/* A thread that is inside already (in a callback) cannot let others in while it waits. */
static void take_directly(struct bn_object *members, int target, unsigned char how)
{
    struct lock lock = {members, target};
    members->held[target] = how;
    if (try_lock(&lock, how))
        return;
    if (!bn_gate_arbitrates()) {
        while (!try_lock(&lock, how))
            bn_progress_once();
        return;
    }
    bn_gate_go_in(BN_PATH_MAIN);
    take(members, target, how);
    bn_gate_leave();
}

static int lock_directly(struct bn_object *members, int type, int target, int assert, MPI_Win window)
{
    struct bn_direct *direct = members->direct;
    if (target == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (bn_direct_access(direct, target) & BN_DIRECT_PASSIVE)
        return bn_errors_report(window, MPI_ERR_RMA_SYNC); /* it is locked already */
    if ((assert &MPI_MODE_NOCHECK) == 0)
        take_directly(members, target, type == MPI_LOCK_EXCLUSIVE ? ALONE : SHARED);
    bn_direct_grant(direct, target, BN_DIRECT_LOCK);
    bn_direct_done();
    return MPI_SUCCESS;
}

static int unlock_directly(struct bn_object *members, int target)
{
    if (target == MPI_PROC_NULL)
        return MPI_SUCCESS;
    bn_direct_end(members->direct, target, BN_DIRECT_LOCK);
    bn_atomic_fence();
    give(members, target);
    bn_direct_done();
    return MPI_SUCCESS;
}

static int lock_all_directly(struct bn_object *members, int assert, MPI_Win window)
{
    struct bn_direct *direct = members->direct;
    if (bn_word_get(&direct->passive) > 0)
        return bn_errors_report(window, MPI_ERR_RMA_SYNC); /* it is locked already */
    for (int target = 0; (assert &MPI_MODE_NOCHECK) == 0 && target < direct->size; target++)
        take_directly(members, target, SHARED);
    bn_direct_grant(direct, -1, BN_DIRECT_LOCK_ALL);
    bn_direct_done();
    return MPI_SUCCESS;
}

static int unlock_all_directly(struct bn_object *members)
{
    struct bn_direct *direct = members->direct;
    bn_direct_end(direct, -1, BN_DIRECT_LOCK_ALL);
    bn_atomic_fence();
    for (int target = 0; target < direct->size; target++)
        give(members, target);
    bn_direct_done();
    return MPI_SUCCESS;
}

/* Whether the arguments are valid; if not, the library reports the error. */
static bool can_lock(const struct bn_object *members, int type, int target)
{
    return members && (type == MPI_LOCK_EXCLUSIVE || type == MPI_LOCK_SHARED) &&
           (target == MPI_PROC_NULL || (target >= 0 && target < members->direct->size));
}

static bool has_lock(const struct bn_object *members, int target)
{
    return members &&
           (target == MPI_PROC_NULL || (target >= 0 && target < members->direct->size &&
                                        (bn_word_get(&members->direct->members[target].access) & BN_DIRECT_LOCK) != 0));
}

static bool has_all_locks(const struct bn_object *members)
{
    return members && (bn_word_get(&members->direct->access) & BN_DIRECT_LOCK_ALL) != 0;
}

/* ---- MPI_Win_lock ---- */

static int call_Win_lock(int type, int target, int assert, MPI_Win window)
{
    struct bn_object *members = directly(window);
    if (can_lock(members, type, target))
        return lock_directly(members, type, target, assert, window);
    members = locked_below(window);
    bool is_inside = bn_gate_enter(BN_PATH_MAIN);
    if (members && (assert &MPI_MODE_NOCHECK) == 0 && target >= 0 && target < size_of(members))
        take(members, target, type == MPI_LOCK_EXCLUSIVE ? ALONE : SHARED);
    int result = bn_below.Win_lock(type, target, assert, window);
    if (members && result != MPI_SUCCESS && target >= 0 && target < size_of(members))
        give(members, target);
    if (is_inside)
        bn_gate_leave();
    return result;
}

static int call_Win_unlock(int target, MPI_Win window)
{
    struct bn_object *members = directly(window);
    if (has_lock(members, target))
        return unlock_directly(members, target);
    members = locked_below(window);
    bool is_inside = bn_gate_enter(BN_PATH_PROGRESS);
    int result = bn_below.Win_unlock(target, window);
    if (members && target >= 0 && target < size_of(members))
        give(members, target);
    if (is_inside)
        bn_gate_leave();
    return result;
}

static int call_Win_lock_all(int assert, MPI_Win window)
{
    struct bn_object *members = directly(window);
    if (members)
        return lock_all_directly(members, assert, window);
    members = locked_below(window);
    bool is_inside = bn_gate_enter(BN_PATH_MAIN);
    for (int target = 0; members && (assert &MPI_MODE_NOCHECK) == 0 && target < size_of(members); target++)
        take(members, target, SHARED);
    int result = bn_below.Win_lock_all(assert, window);
    if (is_inside)
        bn_gate_leave();
    return result;
}

static int call_Win_unlock_all(MPI_Win window)
{
    struct bn_object *members = directly(window);
    if (has_all_locks(members))
        return unlock_all_directly(members);
    members = locked_below(window);
    bool is_inside = bn_gate_enter(BN_PATH_PROGRESS);
    int result = bn_below.Win_unlock_all(window);
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
    uint64_t *own; /* posts that this process waits for from itself: members->posts */
};

static bool look_at_round(void *context)
{
    struct round *round = context;
    int have_ended = 1;
    if (round->own && *round->own == 0)
        return false;
    for (int i = 0; i < round->count && have_ended; i++)
        if (bn_below.Test(&round->requests[i], &have_ended, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return true;
    if (have_ended && round->own)
        *round->own -= 1;
    return have_ended != 0;
}

/* Memory for something of each process of a group; without it, the others would wait for this one. */
static void *room_for(size_t count, size_t bytes, MPI_Comm comm)
{
    void *room = calloc(count + 1, bytes);
    if (!room) {
        bn_log_error("there is no memory for the processes of a group");
        bn_library_abort(comm);
    }
    return room;
}

/* The ranks of a group's processes in comm, for the caller to free */
static int *ranks_of(MPI_Group group, int count, MPI_Comm comm)
{
    MPI_Group all;
    int *ranks = room_for(2 * (size_t)count, sizeof *ranks, comm);
    for (int i = 0; i < count; i++)
        ranks[count + i] = i;
    bn_below.Comm_group(comm, &all);
    bn_below.Group_translate_ranks(group, count, ranks + count, all, ranks);
    bn_below.Group_free(&all);
    return ranks;
}

/* Enters and returns inside; errors in the group are left to the library's own call.  A process does not send messages
 * to itself, since they would wait for its own MPI_Win_start, but counts them. */
static void go_round(struct bn_object *members, MPI_Group group, bool tells)
{
    struct round round = {0};
    int count = 0, own;
    bn_gate_go_in(BN_PATH_MAIN);
    if (bn_below.Group_size(group, &count) != MPI_SUCCESS || count == 0)
        return;
    int *ranks = ranks_of(group, count, members->comm);
    round.requests = room_for((size_t)count, sizeof *round.requests, members->comm);
    bn_below.Comm_rank(members->comm, &own);
    for (int i = 0; i < count; i++) {
        round.requests[round.count] = bn_handles.no_request;
        if (ranks[i] == own && tells)
            members->posts++;
        else if (ranks[i] == own)
            round.own = &members->posts;
        else if (tells)
            bn_below.Isend(NULL, 0, bn_handles.byte, ranks[i], 0, members->comm, &round.requests[round.count++]);
        else
            bn_below.Irecv(NULL, 0, bn_handles.byte, ranks[i], 0, members->comm, &round.requests[round.count++]);
    }
    bn_gate_await_inside(look_at_round, &round);
    free(ranks);
    free(round.requests);
}

static int call_Win_post(MPI_Group group, int assert, MPI_Win window)
{
    struct bn_object *members = known(window);
    bool is_inside = bn_gate_enter(BN_PATH_MAIN);
    int result = bn_below.Win_post(group, assert, window);
    if (is_inside)
        bn_gate_leave();
    if (!members || result != MPI_SUCCESS)
        return result;
    go_round(members, group, true);
    bn_gate_leave();
    return result;
}

static void grant_start(struct bn_direct *direct, MPI_Group group, MPI_Comm comm)
{
    int count = 0;
    bn_below.Group_size(group, &count);
    int *ranks = ranks_of(group, count, comm);
    for (int i = 0; i < count; i++)
        bn_direct_grant(direct, ranks[i], BN_DIRECT_START);
    free(ranks);
}

static int call_Win_start(MPI_Group group, int assert, MPI_Win window)
{
    struct bn_object *members = known(window);
    bool is_inside = members != NULL;
    if (members)
        go_round(members, group, false);
    else
        is_inside = bn_gate_enter(BN_PATH_PROGRESS);
    int result = bn_below.Win_start(group, assert, window);
    if (result == MPI_SUCCESS && bn_direct_find(window))
        grant_start(bn_direct_find(window), group, bn_objects_of_window(window));
    if (is_inside)
        bn_gate_leave();
    return result;
}

static int call_Win_complete(MPI_Win window)
{
    struct bn_direct *direct = bn_direct_find(window);
    for (int target = 0; direct && target < direct->size; target++)
        bn_direct_end(direct, target, BN_DIRECT_START);
    bn_atomic_fence();
    bool is_inside = bn_gate_enter(BN_PATH_MAIN);
    int result = bn_below.Win_complete(window);
    if (is_inside)
        bn_gate_leave();
    return result;
}

/* ---- MPI_Win_fence, and attributes of windows ---- */

void bn_window_is_fenced(MPI_Win window, int assert)
{
    struct bn_direct *direct = bn_direct_find(window);
    if (direct && (assert &MPI_MODE_NOSUCCEED) != 0)
        bn_direct_end(direct, -1, BN_DIRECT_FENCE);
    else if (direct)
        bn_direct_grant(direct, -1, BN_DIRECT_FENCE);
}

/* For the library below, an allocated direct window was made by MPI_Win_create.  MPICH 4.0.2 rounds a base down to a
 * multiple of 16. */
static int call_Win_get_attr(MPI_Win window, int keyval, void *value, int *flag)
{
    static const int allocated = MPI_WIN_FLAVOR_ALLOCATE;
    const int *flavor = &allocated;
    struct bn_object *members = keyval == MPI_WIN_CREATE_FLAVOR || keyval == MPI_WIN_BASE ? directly(window) : NULL;
    bool is_inside = bn_gate_enter(BN_PATH_MAIN);
    int result = bn_below.Win_get_attr(window, keyval, value, flag);
    if (is_inside)
        bn_gate_leave();
    if (result != MPI_SUCCESS || !members)
        return result;
    if (keyval == MPI_WIN_BASE && members->base)
        memcpy(value, &members->base, sizeof members->base);
    else if (keyval == MPI_WIN_CREATE_FLAVOR && members->is_allocated)
        memcpy(value, &flavor, sizeof flavor);
    return result;
}

#define ENTRY(name, parameters, arguments) BN_BOTH_NAMES(int, name, bn_next_tool.name, parameters, arguments)

ENTRY(Win_lock, (int type, int target, int assert, MPI_Win window), (type, target, assert, window))
ENTRY(Win_unlock, (int target, MPI_Win window), (target, window))
ENTRY(Win_lock_all, (int assert, MPI_Win window), (assert, window))
ENTRY(Win_unlock_all, (MPI_Win window), (window))
ENTRY(Win_post, (MPI_Group group, int assert, MPI_Win window), (group, assert, window))
ENTRY(Win_start, (MPI_Group group, int assert, MPI_Win window), (group, assert, window))
ENTRY(Win_complete, (MPI_Win window), (window))
ENTRY(Win_get_attr, (MPI_Win window, int keyval, void *value, int *flag), (window, keyval, value, flag))
