/*
 * What is about to be made in all processes is ordered by stamps, as messages are that several send to groups which
 * overlap (Skeen's algorithm):
 *
 *     T1  all members are here
 *     T2  each says a stamp, larger than all that it has seen; the largest one counts
 *     T3  wait until no call of this process has a smaller stamp, be it the final one or its own
 *     T4  all members have come to this, and what they have begun without waiting (idups.h) has ended
 *     T5  nothing such has been begun since, by any member; if it has, T4 again
 *     T6  make the call, inside
 *
 * Between these steps others come in.  No call with a smaller stamp can appear after T3 in a process, since what it
 * says from then on is larger; and none is waited for that a member has not called, since only calls after T1 have
 * stamps. T4 keeps who is inside from waiting for members that are still before T3: these may need this process to say
 * a stamp.  From T5 on nothing is begun, which delays it for no longer than the call: who has come to T5 waits for
 * nobody before it.
 */
#include "threads/order.h"

#include "threads/completion.h"
#include "threads/idups.h"
#include "threads/letters.h"
#include "threads/names.h"

#include <stdlib.h>

/* A stamp is a count, and the process that said it. */
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
    bool is_right = bn_complete(result, request, MPI_STATUS_IGNORE, bn_handles.no_comm) == MPI_SUCCESS;
    bn_gate_go_in(BN_PATH_MAIN);
    return is_right;
}

static bool find_largest(MPI_Comm comm, uint64_t *own, uint64_t *largest)
{
    MPI_Request request;
    int result = bn_real.Iallreduce(own, largest, 1, bn_handles.number, bn_handles.largest, comm, &request);
    return bn_turn_finish(result, &request);
}

/* Where the library may have work of its own on the communicator that it begins at any time, as Open MPI 4.1 has of
 * MPI_Comm_idup: its nonblocking collectives then do not find each other.  The first of the lower group asks all. */
static bool agree_by_letters(MPI_Comm comm, bool is_inter, uint64_t *number)
{
    const struct bn_subject about = {bn_names_of(comm), UINT64_MAX};
    MPI_Group groups[2];
    int counts[2] = {0, 0};
    bn_real.Comm_group(comm, &groups[0]);
    if (is_inter)
        bn_real.Comm_remote_group(comm, &groups[1]);
    for (int i = 0; i <= is_inter; i++)
        bn_real.Group_size(groups[i], &counts[i]);
    int *ranks = malloc(((size_t)counts[0] + (size_t)counts[1]) * sizeof *ranks);
    bool is_right = ranks && bn_letters_ranks(groups[0], counts[0], ranks) &&
                    (!is_inter || bn_letters_ranks(groups[1], counts[1], ranks + counts[0]));
    for (int i = 0; i <= is_inter; i++)
        bn_real.Group_free(&groups[i]);
    if (is_right && is_inter && ranks[counts[0]] < ranks[0]) {
        int first = ranks[0];
        ranks[0] = ranks[counts[0]];
        ranks[counts[0]] = first;
    }
    is_right = is_right && bn_letters_agree(&about, ranks, counts[0] + counts[1], number);
    free(ranks);
    return is_right;
}

/* Between the two groups of an intercommunicator each gets what the other one has: twice, then all have both. */
bool bn_turn_agree_all(void *comm, uint64_t *number)
{
    int is_inter = 0;
    uint64_t own = *number, other = 0;
    bn_real.Comm_test_inter(*(MPI_Comm *)comm, &is_inter);
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

/* T4 and T5; inside from the last one on */
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

/* What fails here has been said by the communicator's error handler, and the call itself says it again. */
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
