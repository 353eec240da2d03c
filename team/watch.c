#include "team/watch.h"

#include "platform/clock.h"
#include "sync/wait.h"
#include "team/error.h"
#include "transport/kernel.h"

/* A wait looks at the clock each so many times that it makes progress (sync/wait.h), and at the others when it is due:
 * that is a system call for each. */
enum { LOOKS_PER_CLOCK = 32, LOOK_NS = 100000000 };

static _Thread_local banyan_team *waiting;

void bn_watch_escape(banyan_team *team, banyan_status status)
{
    bn_team_give_up(&team->node->team);
    bn_messages_wake_others(team);
    team->broken = status;
    longjmp(team->escape, 1);
}

void bn_watch_abandoned(void *context, int rank)
{
    (void)context;
    bn_error(BANYAN_LOST, "team %s: rank %d has left, or has given up; leave the team", waiting->name, rank);
    bn_watch_escape(waiting, BANYAN_LOST);
}

/* Who leaves in order says so before it is gone. */
void bn_watch_others(banyan_team *team)
{
    for (int rank = 0; rank < team->size; rank++) {
        if (!bn_world_is_alive(team->world, rank) && !bn_team_has_ended(&team->node->team, rank)) {
            bn_error(BANYAN_LOST, "team %s: the process of rank %d has ended; leave the team", team->name, rank);
            bn_watch_escape(team, BANYAN_LOST);
        }
    }
}

static void look(banyan_team *team)
{
    uint64_t now_ns = bn_clock_ns();
    if (team->began_ns == 0) {
        team->began_ns = now_ns;
        team->next_look_ns = now_ns + LOOK_NS;
    }
    if (team->timeout_ns != 0 && now_ns - team->began_ns > team->timeout_ns) {
        bn_error(BANYAN_TIMEOUT, "team %s: others have not come to this call within %g seconds; leave the team",
                 team->name, (double)team->timeout_ns / 1e9);
        bn_watch_escape(team, BANYAN_TIMEOUT);
    }
    if (now_ns < team->next_look_ns)
        return;
    team->next_look_ns = now_ns + LOOK_NS;
    bn_watch_others(team);
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

/* Between looks at what an owner of memory was asked for nobody else can be asked. */
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
}

void bn_watch_install(void)
{
    bn_wait_progress = progress_of_a_wait;
    bn_kernel_while_asking = progress;
}
