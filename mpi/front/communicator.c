#include "front/communicator.h"

#include "coll/run.h"
#include "front/escape.h"
#include "front/tools.h"
#include "front/uses.h"
#include "host/lessons.h"
#include "host/names.h"
#include "host/options.h"
#include "host/report.h"
#include "platform/atomic_word.h"
#include "sync/spinlock.h"

#include <stdlib.h>
#include <string.h>

static struct {
    int keyval; /* of the attribute */
    bool is_ready;
    uint32_t generation; /* communicators freed so far, which invalidates what threads remember */
    struct bn_communicators_world world;
    struct bn_world *node;   /* shared memory of the processes of this machine; null: none */
    struct bn_spinlock lock; /* protects what follows */
    struct bn_communicator *all;
} communicators;

/* The communicator that a thread used last.  A handle can mean another one only after a communicator was freed. */
static _Thread_local struct {
    MPI_Comm comm;
    uint32_t generation;
    struct bn_communicator *communicator;
} last;

/*
 * The communicators that the library below is freeing or disconnecting for this thread, the innermost first: callbacks
 * of the program may free others.  Callbacks may also call collectives on a communicator that is being freed and still
 * exists, but its attributes can no longer be looked up (MPICH crashes), and an attribute that we set again would never
 * be deleted.
 */
struct ending {
    MPI_Comm comm;
    const struct ending *around;
};
static _Thread_local const struct ending *endings;

static bool is_ending(MPI_Comm comm)
{
    const struct ending *ending = endings;
    while (ending && ending->comm != comm)
        ending = ending->around;
    return ending != NULL;
}

static int end_by(int (*end_below)(MPI_Comm *), MPI_Comm *comm)
{
    const struct ending ending = {comm ? *comm : bn_below.no_comm, endings};
    last.communicator = NULL;
    endings = &ending;
    int result = end_below(comm);
    endings = ending.around;
    return result;
}

static int call_Comm_free(MPI_Comm *comm)
{
    bn_below_find();
    return end_by(bn_below.Comm_free, comm);
}

static int call_Comm_disconnect(MPI_Comm *comm)
{
    bn_below_find();
    return end_by(bn_below.Comm_disconnect, comm);
}

BN_BOTH_NAMES(int, Comm_free, (bn_below_find(), bn_next_tool.Comm_free), (MPI_Comm * comm), (comm))
BN_BOTH_NAMES(int, Comm_disconnect, (bn_below_find(), bn_next_tool.Comm_disconnect), (MPI_Comm * comm), (comm))

static void enlist(struct bn_communicator *communicator)
{
    bn_spinlock_acquire(&communicators.lock);
    communicator->next = communicators.all;
    communicator->link = &communicators.all;
    if (communicator->next)
        communicator->next->link = &communicator->next;
    communicators.all = communicator;
    bn_spinlock_release(&communicators.lock);
}

static void delist(struct bn_communicator *communicator)
{
    bn_spinlock_acquire(&communicators.lock);
    *communicator->link = communicator->next;
    if (communicator->next)
        communicator->next->link = communicator->link;
    bn_spinlock_release(&communicators.lock);
}

/* The first member adds the communicator to the report; every member writes its timeline. */
static void report(const struct bn_communicator *communicator)
{
    if (communicator->name && communicator->rank == 0)
        bn_report_add(communicator->name, communicator->size, &communicator->ledger);
    if (communicator->span)
        bn_span_report(communicator->span, communicators.world.rank);
}

static int forget(MPI_Comm comm, int keyval, void *attribute, void *extra)
{
    struct bn_communicator *communicator = attribute;
    (void)comm;
    (void)keyval;
    (void)extra;
    bn_word_add(&communicators.generation, 1);
    if (communicators.is_ready)
        report(communicator);
    delist(communicator);
    if (communicator->span)
        bn_span_release(communicator->span, communicators.is_ready);
    else if (communicator->team)
        bn_node_team_leave(communicator->team);
    bn_ledger_destroy(&communicator->ledger);
    free(communicator->name);
    free(communicator->tables);
    free(communicator->rooms[0].memory);
    free(communicator->rooms[1].memory);
    free(communicator);
    return MPI_SUCCESS;
}

/* A duplicate does not inherit the attribute. */
static int copy_nothing(MPI_Comm comm, int keyval, void *extra, void *from, void *to, int *has_copied)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    (void)from;
    (void)to;
    *has_copied = 0;
    return MPI_SUCCESS;
}

bool bn_communicators_begin(const struct bn_communicators_world *world)
{
    communicators.world = *world;
    communicators.is_ready =
        bn_below.Comm_create_keyval(copy_nothing, forget, &communicators.keyval, NULL) == MPI_SUCCESS;
    return communicators.is_ready;
}

void bn_communicators_have_node(struct bn_world *node)
{
    communicators.node = node;
}

void bn_communicators_end(void)
{
    communicators.is_ready = false;
    for (struct bn_communicator *each = communicators.all; each; each = each->next)
        report(each);
    last.communicator = NULL;
    bn_below.Comm_free_keyval(&communicators.keyval);
}

/* Joins its members to a team, or to a span over machines.  If one member fails, all do without. */
static void join(struct bn_communicator *communicator, struct bn_members *members)
{
    communicator->tables = malloc(4 * (size_t)members->size * sizeof *communicator->tables);
    if (!members->are_near) {
        communicator->span = bn_span_join(members, communicators.node, communicator->tables != NULL);
        if (communicator->span) {
            communicator->largest_team = communicator->span->largest_team;
            bn_communicator_use(communicator, BN_BY_ENGINE);
            bn_escape_prepare_span(communicator);
        }
        return;
    }
    communicator->team = bn_members_join_near(members, members->comm, members->rank, communicators.node);
    communicator->largest_team = members->size;
    if (bn_members_all(members->comm, communicator->team && communicator->tables)) {
        communicator->sizes.said = communicator->team->extra;
        bn_escape_prepare(communicator);
        return;
    }
    if (communicator->team)
        bn_node_team_leave(communicator->team);
    communicator->team = NULL;
}

/* The name that the program gave it.  Names made up by libraries differ each time, so they do not count. */
static char *name_of(MPI_Comm comm)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;
    bn_below.Comm_get_name(comm, name, &length);
    bool is_made_up = name[0] == '\0' || strncmp(name, "MPI COMM", strlen("MPI COMM")) == 0;
    return strdup(is_made_up ? "unnamed communicators" : name);
}

static enum bn_mpi_reason reason_against(struct bn_args *args)
{
    struct bn_communicator *communicator = args->communicator;
    MPI_Comm comm = args->comm;
    int is_inter;
    enum bn_mpi_reason reason;
    bn_below.Comm_test_inter(comm, &is_inter);
    bn_below.Comm_rank(comm, &communicator->rank);
    bn_below.Comm_size(comm, &communicator->size);
    if (is_inter)
        return BN_MPI_INTERCOMMUNICATOR;
    if (communicator->size == 1)
        return BN_MPI_ALONE;
    if (bn_mpi_is_off())
        return BN_MPI_SWITCHED_OFF;
    bn_use_begin(args); /* from here on it may wait for other members */
    struct bn_members members = {
        .world = &communicators.world, .comm = comm, .rank = communicator->rank, .size = communicator->size};
    reason = bn_members_find(&members);
    /* That there are processes of another job is seen by all members, and those need not have this library. */
    if (reason == BN_MPI_BEYOND_JOB || !bn_members_all(comm, reason == BN_MPI_OURS)) {
        bn_members_release(&members);
        return reason == BN_MPI_OURS ? BN_MPI_NO_MEMORY : reason;
    }
    reason = members.are_near && !communicators.node ? BN_MPI_NO_NODE : BN_MPI_NO_MEMORY;
    if (reason == BN_MPI_NO_MEMORY)
        join(communicator, &members);
    bn_members_release(&members);
    return communicator->team ? BN_MPI_OURS : reason;
}

/* Sets args->communicator before it waits for others (uses.c reads it meanwhile). */
static bool know(struct bn_args *args)
{
    struct bn_communicator *communicator;
    MPI_Comm comm = args->comm;
    int is_known;
    if (bn_below.Comm_get_attr(comm, communicators.keyval, &communicator, &is_known) != MPI_SUCCESS)
        return false;
    args->communicator = is_known ? communicator : calloc(1, sizeof *communicator);
    if (is_known || !args->communicator)
        return is_known;
    communicator = args->communicator;
    communicator->is_timed = bn_report_is_wanted();
    communicator->name = bn_report_is_wanted() || bn_lessons_file() ? name_of(comm) : NULL;
    communicator->reason = reason_against(args);
    enlist(communicator);
    if (bn_below.Comm_set_attr(comm, communicators.keyval, communicator) == MPI_SUCCESS)
        return true;
    bn_use_end(args);
    forget(comm, communicators.keyval, communicator, NULL);
    return false;
}

bool bn_communicator_find(struct bn_args *args)
{
    MPI_Comm comm = args->comm;
    if (!communicators.is_ready || comm == bn_below.no_comm)
        return false;
    uint32_t generation = bn_word_see(&communicators.generation);
    if (last.communicator && last.comm == comm && last.generation == generation) {
        args->communicator = last.communicator;
        return true;
    }
    last.communicator = !is_ending(comm) && know(args) ? args->communicator : NULL;
    last.comm = comm;
    last.generation = generation;
    return last.communicator != NULL;
}

void bn_communicator_use(struct bn_communicator *communicator, enum bn_carrier carrier)
{
    if (!communicator->span)
        return;
    bn_span_use(communicator->span, carrier);
    communicator->team = communicator->span->current->team;
}

bn_status_t bn_communicator_run(struct bn_communicator *communicator, enum bn_operation operation,
                                const struct bn_call *call)
{
    struct bn_communicator_span *span = communicator->span;
    if (!span)
        return bn_operation_run(&communicator->team->team, operation, call);
    bn_messages_begin(&span->messages, operation, call);
    return bn_wide_run(&span->current->wide, operation, call);
}

struct bn_account *bn_communicator_account(struct bn_communicator *communicator, enum bn_mpi_operation operation,
                                           unsigned size_class)
{
    bool is_new = !communicator->ledger.accounts[operation];
    struct bn_account *account = bn_ledger_account(&communicator->ledger, operation, size_class);
    if (is_new && account)
        bn_lessons_apply(communicators.world.lessons, operation, communicator->size,
                         communicator->ledger.accounts[operation]);
    return account;
}
