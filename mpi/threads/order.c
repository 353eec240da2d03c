/*
 * Calls are ordered by stamps, in the same way as multicast messages to overlapping groups (Skeen's algorithm):
 *
 *     T1  wait until all members are here
 *     T2  each member proposes a stamp larger than all that it has seen; the largest proposal is the final stamp
 *     T3  wait until no call of this process has a smaller stamp, final or proposed
 *     T4  wait until all members are here, and the MPI_Comm_idup calls they have begun (idups.h) have ended
 *     T5  check that no member has begun another one since; otherwise go back to T4
 *     T6  make the call, inside
 *
 * Other threads come in between these steps.  After T3 no call with a smaller stamp can appear in a process, since it
 * proposes only larger ones from then on.  No call waits for one that a member has not called yet, since only calls
 * after T1 have stamps.  T4 keeps a thread from waiting inside for members that are still before T3, which may need
 * this process to propose a stamp.  From T5 on no MPI_Comm_idup begins, which delays it at most by the call itself: a
 * member at T5 waits for no member that is before it.
 */
#include "threads/order.h"

#include "threads/completion.h"
#include "threads/idups.h"
#include "threads/letters.h"
#include "threads/names.h"

#include <stdlib.h>

/* A stamp consists of a count and the number of the process that proposed it. */
enum { PROCESS_BITS = 24 };

/* Inside */
static struct {
    uint64_t process;
    uint64_t count; /* of the largest stamp so far */
    struct bn_turn *turns;
} line;

void bn_turns_begin(int process)
{
    line.process = (uint64_t)process & ((UINT64_C(1) << PROCESS_BITS) - 1);
}

bool bn_turn_finish(int result, MPI_Request *request)
{
    bool is_right = bn_request_complete(result, request, MPI_STATUS_IGNORE, bn_handles.no_comm) == MPI_SUCCESS;
    bn_gate_go_in(BN_PATH_MAIN);
    return is_right;
}

static bool find_largest(MPI_Comm comm, uint64_t *own, uint64_t *largest)
{
    MPI_Request request = bn_handles.no_request;
    int result = bn_below.Iallreduce(own, largest, 1, bn_handles.number, bn_handles.largest, comm, &request);
    return bn_turn_finish(result, &request);
}

/* For communicators on which the library may begin internal operations at any time, as Open MPI 4.1 does for
 * MPI_Comm_idup, so that nonblocking collectives of its members may not match.  The first process of the lower group
 * asks all others. */
static bool agree_by_letters(MPI_Comm comm, bool is_inter, uint64_t *number)
{
    const struct bn_subject about = {bn_names_of(comm), UINT64_MAX};
    MPI_Group groups[2];
    int counts[2] = {0, 0};
    bn_below.Comm_group(comm, &groups[0]);
    if (is_inter)
        bn_below.Comm_remote_group(comm, &groups[1]);
    for (int i = 0; i <= is_inter; i++)
        bn_below.Group_size(groups[i], &counts[i]);
    int *ranks = malloc(((size_t)counts[0] + (size_t)counts[1]) * sizeof *ranks);
    bool is_right = ranks && bn_letters_ranks(groups[0], counts[0], ranks) &&
                    (!is_inter || bn_letters_ranks(groups[1], counts[1], ranks + counts[0]));
    for (int i = 0; i <= is_inter; i++)
        bn_below.Group_free(&groups[i]);
    if (is_right && is_inter && ranks[counts[0]] < ranks[0]) {
        int first = ranks[0];
        ranks[0] = ranks[counts[0]];
        ranks[counts[0]] = first;
    }
    is_right = is_right && bn_letters_agree(&about, ranks, counts[0] + counts[1], number);
    free(ranks);
    return is_right;
}

/* On an intercommunicator, a reduction gives each group the value of the other one, so two reductions are needed. */
bool bn_turn_agree_all(void *comm, uint64_t *number)
{
    int is_inter = 0;
    uint64_t own = *number, other = 0;
    bn_below.Comm_test_inter(*(MPI_Comm *)comm, &is_inter);
    if (bn_names_have_begun(*(MPI_Comm *)comm))
        return agree_by_letters(*(MPI_Comm *)comm, is_inter != 0, number);
    if (!find_largest(*(MPI_Comm *)comm, &own, &other))
        return false;
    if (is_inter && !find_largest(*(MPI_Comm *)comm, &other, &own))
        return false;
    *number = is_inter && own > other ? own : other;
    return true;
}

static void register_turn(struct bn_turn *turn)
{
    turn->stamp = ++line.count << PROCESS_BITS | line.process;
    turn->is_registered = true;
    turn->next = line.turns;
    line.turns = turn;
}

static void settle(struct bn_turn *turn, uint64_t largest)
{
    turn->stamp = largest;
    if (largest >> PROCESS_BITS > line.count)
        line.count = largest >> PROCESS_BITS;
}

static bool is_first(void *context)
{
    const struct bn_turn *turn = context;
    for (const struct bn_turn *other = line.turns; other; other = other->next)
        if (other != turn && other->stamp < turn->stamp)
            return false;
    return true;
}

static bool has_none_under_way(void *nothing)
{
    (void)nothing;
    return bn_idups_under_way == 0;
}

/* T4 and T5 */
static void await_quiet(struct bn_turn *turn, bn_turn_agree agree, void *members)
{
    uint64_t nothing = 0, begun = 0;
    do {
        bn_idups_let_go();
        bn_gate_await_inside(has_none_under_way, NULL);
        if (!agree(members, &nothing))
            return;
        bn_idups_hold();
        turn->holds_idups = true;
        begun = bn_idups_under_way;
    } while (agree(members, &begun) && begun > 0);
}

/* The communicator's error handler has reported failures here, and the call itself will report them again. */
void bn_turn_await_agreed(struct bn_turn *turn, bn_turn_agree agree, void *members)
{
    uint64_t nothing = 0;
    *turn = (struct bn_turn){.comm = bn_handles.no_comm};
    bn_gate_go_in(BN_PATH_MAIN);
    if (!agree(members, &nothing)) /* T1 */
        return;
    register_turn(turn);
    uint64_t largest = turn->stamp;
    if (!agree(members, &largest)) /* T2 */
        return;
    settle(turn, largest);
    bn_gate_await_inside(is_first, turn); /* T3 */
    await_quiet(turn, agree, members);
}

void bn_turn_await(struct bn_turn *turn, MPI_Comm comm)
{
    if (comm == bn_handles.no_comm) {
        *turn = (struct bn_turn){.comm = comm};
        bn_gate_go_in(BN_PATH_MAIN);
        return;
    }
    bn_turn_await_agreed(turn, bn_turn_agree_all, &comm);
    turn->comm = comm;
}

void bn_turn_name(const struct bn_turn *turn, int result, const MPI_Comm *created)
{
    if (result == MPI_SUCCESS && turn->stamp > 0)
        bn_names_give(*created, turn->stamp);
}

void bn_turn_end(struct bn_turn *turn)
{
    struct bn_turn **link = &line.turns;
    if (turn->is_registered) {
        while (*link != turn)
            link = &(*link)->next;
        *link = turn->next;
    }
    if (turn->holds_idups)
        bn_idups_let_go();
    bn_gate_leave();
}
