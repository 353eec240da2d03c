#include "front/escape.h"

#include "base/log.h"
#include "front/uses.h"
#include "host/options.h"
#include "node/difference.h"
#include "wide/helpers.h"

#include <string.h>

/* Leaves the current call.  Members that wait for this one are told. */
__attribute__((noreturn)) static void leave(struct bn_communicator *communicator, int error)
{
    struct bn_args *args = communicator->current;
    communicator->is_lost = true;
    communicator->current = NULL;
    args->error = error;
    args->is_tried = args->is_watched = false; /* other members may not count it */
    bn_team_give_up(&communicator->team->team);
    bn_use_end(args);
    bn_below.Comm_call_errhandler(args->comm, error);
    longjmp(communicator->escape, 1);
}

static struct bn_communicator *current_of(void *context)
{
    const struct bn_node_team *team = context;
    struct bn_communicator *communicator = team->owner;
    return communicator && communicator->current ? communicator : NULL;
}

static void differs(void *context, int rank, const struct bn_said *theirs, const struct bn_said *own)
{
    char text[BN_DIFFERENCE_BYTES];
    struct bn_communicator *communicator = current_of(context);
    if (!communicator)
        return;
    bn_describe_difference(text, rank, theirs, communicator->rank, own);
    bn_log_error("MPI_%s on a communicator of %d: %s", bn_mpi_operation_name(communicator->current->operation),
                 communicator->size, text);
    if (bn_said_operation(theirs) != bn_said_operation(own))
        leave(communicator, MPI_ERR_OTHER);
    bool has_root = bn_said_operation(own) != BN_COMBINE_SCATTER;
    leave(communicator, has_root && bn_said_root(theirs) != bn_said_root(own) ? MPI_ERR_ROOT : MPI_ERR_TRUNCATE);
}

/* The engine's operation of the current call; a barrier, if the engine waits between calls. */
static int own_operation(void *context)
{
    const struct bn_communicator *communicator = current_of(context);
    return communicator ? (int)bn_call_operation(communicator->current) : BN_BARRIER;
}

/* Reports a member that has announced its next call where this one waits in a barrier. */
static void tell_gone_by(void *context, const struct bn_team *team, int rank)
{
    const struct bn_said *theirs = bn_team_said_next(team, rank);
    const struct bn_said barrier = {.what = BN_BARRIER};
    if (theirs)
        differs(context, rank, theirs,
                own_operation(context) == BN_BARRIER ? &barrier : bn_team_said(team, team->rank));
}

static void abandoned(void *context, int rank)
{
    struct bn_communicator *communicator = current_of(context);
    if (!communicator)
        return;
    struct bn_team *team = &communicator->team->team;
    if (bn_team_is_in_barrier(team))
        tell_gone_by(context, team, rank);
    const struct bn_said *theirs = bn_team_said(team, rank), *own = bn_team_said(team, team->rank);
    if (theirs && own && bn_said_differ(theirs, own))
        differs(context, rank, theirs, own);
    const struct bn_said *elsewhere = bn_team_said_elsewhere(team, rank);
    if (elsewhere) {
        bn_log_error("MPI_%s on a communicator of %d: rank %d calls %s",
                     bn_mpi_operation_name(communicator->current->operation), communicator->size, rank,
                     bn_call_name(elsewhere));
        leave(communicator, MPI_ERR_OTHER);
    }
    bn_log_error("MPI_%s on a communicator of %d: rank %d, for which this rank waits, has left a call after an error",
                 bn_mpi_operation_name(communicator->current->operation), communicator->size, rank);
    leave(communicator, MPI_ERR_OTHER);
}

/* Over several machines a member cannot leave, because members elsewhere wait for its messages.  `theirs` and `own`
 * describe only the steps on this machine of which the call is composed, so the message names the call instead. */
static void differs_over_machines(void *context, int near_rank, const struct bn_said *theirs, const struct bn_said *own)
{
    struct bn_communicator *communicator = current_of(context);
    (void)theirs;
    (void)own;
    if (!communicator)
        return;
    const struct bn_wide *wide = &communicator->span->current->wide;
    bn_log_error("MPI_%s on a communicator of %d over several machines: ranks %d and %d have called for other counts, "
                 "roots or operations",
                 bn_mpi_operation_name(communicator->current->operation), communicator->size, communicator->rank,
                 bn_wide_rank_of_near(wide, near_rank));
    bn_below_abort(communicator->current->comm);
}

void bn_escape_prepare_span(struct bn_communicator *communicator)
{
    for (int carrier = 0; carrier < BN_CARRIER_COUNT; carrier++) {
        const struct bn_composition *composition = communicator->span->by[carrier];
        if (composition) {
            composition->team->owner = communicator;
            composition->team->team.host.differs = differs_over_machines;
        }
    }
}

void bn_escape_prepare(struct bn_communicator *communicator)
{
    communicator->team->owner = communicator;
    communicator->team->team.host.differs = differs;
    communicator->team->team.host.abandoned = abandoned;
    bn_team_watch_barriers(&communicator->team->team, own_operation);
}

/* In a broadcast, Open MPI lets the root send less than others have room for; MPICH does not. */
int bn_fit_error(const struct bn_args *args, enum bn_fit fit)
{
    bool may_get_less = args->operation != BN_MPI_BCAST || strcmp(BN_MPI_ABI, "openmpi") == 0;
    if (fit == BN_FIT_MORE)
        return MPI_ERR_TRUNCATE;
    return fit == BN_FIT_LESS && !may_get_less ? MPI_ERR_OTHER : MPI_SUCCESS;
}
