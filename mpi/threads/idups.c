/*
 * The library's own MPI_Comm_idup begins at once, since all members make the calls of a communicator in the same order.
 * The program gets a generalized request instead of the library's, so that we notice when the communicator is complete.
 */
#include "threads/idups.h"

#include "base/log.h"
#include "threads/completion.h"
#include "threads/names.h"

#include <stdlib.h>
#include <string.h>

/* Open MPI 4.1 finishes several copies of one communicator in an order that differs between its members, so each waits
 * for the previous one. */
#define IS_OPENMPI (strcmp(BN_MPI_ABI, "openmpi") == 0)

struct bn_idup {
    struct bn_idup *next; /* in the list of those in progress */
    MPI_Comm comm, created;
    uint64_t name;
    MPI_Request below, shown;
    int result;
};

uint64_t bn_idups_under_way;

/* Inside */
static struct bn_idup *idups;
static bool are_held, are_looked_at;

static int query(void *idup, MPI_Status *status)
{
    bn_below.Status_set_elements(status, bn_handles.byte, 0);
    bn_below.Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return ((struct bn_idup *)idup)->result;
}

static int forget(void *idup)
{
    free(idup);
    return MPI_SUCCESS;
}

static int cannot_cancel(void *idup, int is_complete)
{
    (void)idup;
    (void)is_complete;
    return MPI_SUCCESS;
}

void bn_idups_look(void)
{
    struct bn_idup **link = &idups;
    if (!idups || are_looked_at) /* attribute callbacks may call this recursively */
        return;
    are_looked_at = true;
    while (*link) {
        struct bn_idup *idup = *link;
        int has_ended = 0;
        idup->result = bn_below.Test(&idup->below, &has_ended, MPI_STATUS_IGNORE);
        if (!has_ended && idup->result == MPI_SUCCESS) {
            link = &idup->next;
            continue;
        }
        *link = idup->next;
        bn_word64_set(&bn_idups_under_way, bn_idups_under_way - 1);
        if (idup->result == MPI_SUCCESS)
            bn_names_give(idup->created, idup->name);
        bn_below.Grequest_complete(idup->shown);
    }
    are_looked_at = false;
}

void bn_idups_hold(void)
{
    are_held = true;
}

void bn_idups_let_go(void)
{
    are_held = false;
}

static bool may_begin(void *nothing)
{
    (void)nothing;
    return !are_held;
}

static bool has_none_of(void *comm)
{
    const struct bn_idup *idup = idups;
    while (idup && idup->comm != *(MPI_Comm *)comm)
        idup = idup->next;
    return !idup;
}

void bn_idups_await(MPI_Comm comm)
{
    bn_gate_await_inside(has_none_of, &comm);
}

struct bn_idup *bn_idup_prepare(MPI_Comm comm)
{
    bn_gate_go_in(BN_PATH_MAIN);
    if (IS_OPENMPI)
        bn_idups_await(comm);
    bn_gate_await_inside(may_begin, NULL);
    struct bn_idup *idup = calloc(1, sizeof *idup);
    if (!idup) {
        bn_log_error("there is no memory for a communicator that is being made");
        bn_library_abort(bn_handles.world);
    }
    idup->comm = comm;
    idup->below = bn_handles.no_request;
    idup->name = bn_names_next_of(comm);
    return idup;
}

MPI_Request *bn_idup_request(struct bn_idup *idup)
{
    return &idup->below;
}

int bn_idup_begin(struct bn_idup *idup, int result, const MPI_Comm *created, MPI_Request *request)
{
    if (bn_has_started(result, idup->below)) {
        idup->created = *created; /* the handle is valid when the call returns; in Fortran it is copied then */
        bn_below.Grequest_start(query, forget, cannot_cancel, idup, &idup->shown);
        *request = idup->shown;
        struct bn_idup **end = &idups;
        while (*end)
            end = &(*end)->next;
        *end = idup;
        bn_word64_set(&bn_idups_under_way, bn_idups_under_way + 1);
        bn_idups_look();
    } else {
        free(idup);
    }
    bn_gate_leave();
    return result;
}
