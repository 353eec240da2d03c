#include "team/watch.h"

#include "node/difference.h"
#include "platform/clock.h"
#include "sync/wait.h"
#include "team/error.h"
#include "transport/kernel.h"

/* A waiting thread checks the clock every LOOKS_PER_CLOCK rounds of progress (sync/wait.h), and the other members every
 * LOOK_NS, since that takes a system call for each. */
enum { LOOKS_PER_CLOCK = 32, LOOK_NS = 100000000 };

static _Thread_local banyan_team *waiting;

void bn_watch_escape(banyan_team *team, banyan_status status)
{
    bn_team_give_up(&team->node->team);
    bn_messages_wake_others(team);
    team->broken = status;
    longjmp(team->escape, 1);
}

void bn_watch_differs(void *context, int rank, const struct bn_said *theirs, const struct bn_said *own)
{
    char text[BN_DIFFERENCE_BYTES];
    (void)context;
    bn_describe_difference(text, rank, theirs, waiting->rank, own);
    bn_error(BANYAN_MISMATCH, "team %s: %s; leave the team", waiting->name, text);
    bn_watch_escape(waiting, BANYAN_MISMATCH);
}

/* Before that, checks whether the calls differ, which may also be why the other member has left. */
void bn_watch_abandoned(void *context, int rank)
{
    const struct bn_team *members = &waiting->node->team;
    const struct bn_said *theirs = bn_team_said(members, rank), *own = bn_team_said(members, waiting->rank);
    if (theirs && own && bn_said_differ(theirs, own))
        bn_watch_differs(context, rank, theirs, own);
    bn_error(BANYAN_LOST, "team %s: rank %d has left, or has given up; leave the team", waiting->name, rank);
    bn_watch_escape(waiting, BANYAN_LOST);
}

void bn_watch_sizes(banyan_team *team)
{
    const struct bn_team *members = &team->node->team;
    if (__builtin_expect(members->fit == BN_FIT_EXACT, 1))
        return;
    const struct bn_said *own = bn_team_said(members, team->rank);
    for (int rank = 0; rank < team->size; rank++) {
        const struct bn_said *said = bn_team_said(members, rank);
        if (said && own && said->nbytes != own->nbytes)
            bn_watch_differs(NULL, rank, said, own);
    }
    bn_error(BANYAN_MISMATCH,
             "team %s: a block that rank %d has received is %s than the size that it has given; "
             "leave the team",
             team->name, team->rank, members->fit == BN_FIT_MORE ? "larger" : "smaller");
    bn_watch_escape(team, BANYAN_MISMATCH);
}

/* A member that leaves properly announces that before its process ends, so only others are errors. */
void bn_watch_others(banyan_team *team)
{
    for (int rank = 0; rank < team->size; rank++) {
        if (rank != team->rank && !bn_world_is_alive(team->world, rank) &&
            !bn_team_has_ended(&team->node->team, rank)) {
            bn_error(BANYAN_LOST, "team %s: the process of rank %d has ended; leave the team", team->name, rank);
            bn_watch_escape(team, BANYAN_LOST);
        }
    }
}

/* In a barrier, members do not announce their call, so it cannot be compared.  A member that is already in a later call
 * will not come to this one, unless it has been here before that; but then this call ends before a second check.  So
 * only a member found ahead twice is an error. */
static void look_ahead(banyan_team *team)
{
    const struct bn_said own = {.what = (uint64_t)team->meeting};
    const struct bn_said *said = NULL;
    int rank = -1;
    while (!said && ++rank < team->size)
        said = bn_team_said_next(&team->node->team, rank);
    if (said && team->seen_ahead == rank)
        bn_watch_differs(NULL, rank, said, &own);
    team->seen_ahead = said ? rank : -1;
}

static void look(banyan_team *team)
{
    uint64_t now_ns = bn_clock_ns();
    if (team->began_ns == 0) {
        team->began_ns = now_ns;
        team->next_look_ns = now_ns + LOOK_NS;
    }
    if (team->timeout_ns != 0 && now_ns - team->began_ns > team->timeout_ns) {
        bn_error(BANYAN_TIMEOUT, "team %s: other members have not made this call within %g seconds; leave the team",
                 team->name, (double)team->timeout_ns / 1e9);
        bn_watch_escape(team, BANYAN_TIMEOUT);
    }
    if (now_ns < team->next_look_ns)
        return;
    team->next_look_ns = now_ns + LOOK_NS;
    bn_watch_others(team);
    if (team->meeting >= 0)
        look_ahead(team);
    int ended = bn_team_find_ended(&team->node->team);
    if (ended >= 0)
        bn_watch_abandoned(NULL, ended);
    if (team->gives_up && team->gives_up(team->context)) {
        bn_error(BANYAN_INTERRUPTED, "team %s: the call was interrupted; leave the team", team->name);
        bn_watch_escape(team, BANYAN_INTERRUPTED);
    }
}

static void progress(void)
{
    bn_kernel_progress();
    if (waiting && ++waiting->looks % LOOKS_PER_CLOCK == 0)
        look(waiting);
}

/* Messages are received only here, not in `progress`: while a request for memory is pending, no other can be made. */
static void progress_of_a_wait(void)
{
    progress();
    if (waiting)
        bn_messages_progress(waiting);
}

void bn_watch(banyan_team *team)
{
    waiting = team;
    bn_kernel_use(team && team->world ? bn_world_kernel(team->world) : NULL);
    if (!team)
        return;
    team->looks = 0;
    team->began_ns = 0;
    team->meeting = team->seen_ahead = -1;
}

void bn_watch_install(void)
{
    bn_wait_progress = progress_of_a_wait;
    bn_kernel_while_asking = progress;
}
