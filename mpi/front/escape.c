#include "front/escape.h"

#include "base/log.h"
#include "coll/operation.h"
#include "host/options.h"

#include <string.h>

/* Nobody of this machine is waited for in vain then: whoever waits for this member learns that it has left. */
static void leave(struct bn_communicator *communicator, int error)
{
    struct bn_args *args = communicator->current;
    communicator->is_lost = true;
    communicator->current = NULL;
    args->error = error;
    bn_team_give_up(&communicator->team->team);
    below.Comm_call_errhandler(args->comm, error);
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
    struct bn_communicator *communicator = current_of(context);
    if (!communicator || communicator->span)
        return; /* over machines members of one are led by others, and the library below finds what does not fit */
    const char *name = bn_mpi_operation_name(communicator->current->operation);
    int error = MPI_ERR_TRUNCATE;
    if (bn_said_operation(theirs) != bn_said_operation(own)) {
        error = MPI_ERR_OTHER;
        bn_log_error("%s: rank %d of the communicator makes another collective call (%s) where rank %d makes this one",
                     name, rank, bn_operation_name((enum bn_operation)bn_said_operation(theirs)), communicator->rank);
    } else if (bn_said_root(theirs) != bn_said_root(own)) {
        error = MPI_ERR_ROOT;
        bn_log_error("%s: rank %d of the communicator calls for root %d, and rank %d for root %d", name, rank,
                     bn_said_root(theirs), communicator->rank, bn_said_root(own));
    } else {
        bn_log_error("%s: rank %d of the communicator calls for blocks of %llu bytes, and rank %d for %llu", name, rank,
                     (unsigned long long)theirs->nbytes, communicator->rank, (unsigned long long)own->nbytes);
    }
    leave(communicator, error);
}

static void abandoned(void *context, int rank)
{
    struct bn_communicator *communicator = current_of(context);
    if (!communicator)
        return;
    struct bn_team *team = &communicator->team->team;
    const struct bn_said *theirs = bn_team_said(team, rank), *own = bn_team_said(team, team->rank);
    if (theirs && own && bn_said_differ(theirs, own))
        differs(context, rank, theirs, own);
    bn_log_error("%s: rank %d of the communicator has left a collective call after an error, and is waited for in vain",
                 bn_mpi_operation_name(communicator->current->operation), rank);
    leave(communicator, MPI_ERR_OTHER);
}

void bn_escape_prepare(struct bn_communicator *communicator)
{
    communicator->team->owner = communicator;
    communicator->team->team.host.differs = differs;
    communicator->team->team.host.abandoned = abandoned;
}

/* Open MPI lets a root broadcast less than the others have room for, MPICH does not. */
int bn_fit_error(const struct bn_args *args, enum bn_fit fit)
{
    bool may_get_less = args->operation != BN_MPI_BCAST || strcmp(BN_MPI_ABI, "openmpi") == 0;
    if (fit == BN_FIT_MORE)
        return MPI_ERR_TRUNCATE;
    return fit == BN_FIT_LESS && !may_get_less ? MPI_ERR_OTHER : MPI_SUCCESS;
}
