#include "front/communicator.h"

#include "host/node.h"
#include "host/report.h"
#include "platform/atomic_word.h"
#include "sync/spinlock.h"

#include <stdlib.h>
#include <string.h>

static struct {
    int keyval; /* of the attribute */
    bool is_ready;
    uint32_t generation; /* of what threads remember: communicators that have been freed so far */
    MPI_Group world;
    const int *process_of_rank;
    const struct bn_lessons *lessons;
    struct bn_spinlock lock; /* around the list */
    struct bn_communicator *all;
} communicators;

/* The communicator that a thread has used last.  A handle means another one only after it has been freed. */
static _Thread_local struct {
    MPI_Comm comm;
    uint32_t generation;
    struct bn_communicator *communicator;
} last;

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

/* The first member has it reported. */
static void report(const struct bn_communicator *communicator)
{
    if (communicator->name && communicator->rank == 0)
        bn_report_add(communicator->name, communicator->size, &communicator->ledger);
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
    if (communicator->team)
        bn_node_team_leave(communicator->team);
    bn_ledger_destroy(&communicator->ledger);
    free(communicator->name);
    free(communicator->tables);
    free(communicator->rooms[0].memory);
    free(communicator->rooms[1].memory);
    free(communicator);
    return MPI_SUCCESS;
}

/* A duplicate is a communicator of its own. */
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
    communicators.world = world->group;
    communicators.process_of_rank = world->process_of_rank;
    communicators.lessons = world->lessons;
    communicators.is_ready = below.Comm_create_keyval(copy_nothing, forget, &communicators.keyval, NULL) == MPI_SUCCESS;
    return communicators.is_ready;
}

void bn_communicators_end(void)
{
    communicators.is_ready = false;
    for (struct bn_communicator *each = communicators.all; each; each = each->next)
        report(each);
    last.communicator = NULL;
    below.Comm_free_keyval(&communicators.keyval);
}

/* The numbers of its members on this machine; null, with the reason, if one is on another machine */
static int *find_processes(MPI_Comm comm, int size, enum bn_mpi_reason *reason_p)
{
    MPI_Group group;
    int *ranks = malloc(2 * (size_t)size * sizeof *ranks);
    int *processes = ranks ? ranks + size : NULL;
    *reason_p = BN_MPI_NO_MEMORY;
    if (!ranks || below.Comm_group(comm, &group) != MPI_SUCCESS) {
        free(ranks);
        return NULL;
    }
    for (int rank = 0; rank < size; rank++)
        ranks[rank] = rank;
    below.Group_translate_ranks(group, size, ranks, communicators.world, processes);
    below.Group_free(&group);
    *reason_p = BN_MPI_OURS;
    for (int rank = 0; rank < size; rank++) {
        ranks[rank] = processes[rank] < 0 ? -1 : communicators.process_of_rank[processes[rank]];
        if (ranks[rank] < 0)
            *reason_p = BN_MPI_BEYOND_NODE;
    }
    if (*reason_p == BN_MPI_OURS)
        return ranks;
    free(ranks);
    return NULL;
}

/* All members come here if they are on one machine.  What one cannot do, none does. */
static void join(struct bn_communicator *communicator, MPI_Comm comm, const int *processes)
{
    uint64_t memory = 0;
    int has_joined, all_have;
    if (communicator->rank == 0)
        memory = bn_node_team_memory_make(communicator->size);
    below.Bcast(&memory, (int)sizeof memory, below.type_byte, 0, comm);
    if (memory == 0)
        return;
    communicator->tables = malloc(4 * (size_t)communicator->size * sizeof *communicator->tables);
    struct bn_node_team *team = processes && communicator->tables
                                    ? bn_node_team_join(memory, communicator->rank, communicator->size, processes, NULL)
                                    : NULL;
    has_joined = team != NULL;
    below.Allreduce(&has_joined, &all_have, 1, below.type_int, below.op_min, comm);
    if (all_have)
        communicator->team = team;
    else if (team)
        bn_node_team_leave(team);
    else
        bn_node_team_memory_leave(memory);
}

/* As the program has named it.  Names that libraries make up are different each time. */
static char *name_of(MPI_Comm comm)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;
    below.Comm_get_name(comm, name, &length);
    bool is_made_up = name[0] == '\0' || strncmp(name, "MPI COMM", strlen("MPI COMM")) == 0;
    return strdup(is_made_up ? "unnamed communicators" : name);
}

static enum bn_mpi_reason reason_against(struct bn_communicator *communicator, MPI_Comm comm)
{
    int is_inter;
    enum bn_mpi_reason reason;
    below.Comm_test_inter(comm, &is_inter);
    below.Comm_rank(comm, &communicator->rank);
    below.Comm_size(comm, &communicator->size);
    if (is_inter)
        return BN_MPI_INTERCOMMUNICATOR;
    if (communicator->size == 1)
        return BN_MPI_ALONE;
    if (bn_node_process_count() == 0)
        return BN_MPI_NO_NODE;
    int *processes = find_processes(comm, communicator->size, &reason);
    if (reason == BN_MPI_BEYOND_NODE)
        return reason;
    join(communicator, comm, processes);
    free(processes);
    return communicator->team ? BN_MPI_OURS : BN_MPI_NO_MEMORY;
}

static struct bn_communicator *know(MPI_Comm comm)
{
    struct bn_communicator *communicator;
    int is_known;
    if (below.Comm_get_attr(comm, communicators.keyval, &communicator, &is_known) != MPI_SUCCESS)
        return NULL;
    if (is_known)
        return communicator;
    communicator = calloc(1, sizeof *communicator);
    if (!communicator)
        return NULL;
    communicator->is_timed = bn_report_is_wanted();
    communicator->name = bn_report_is_wanted() || bn_lessons_file() ? name_of(comm) : NULL;
    communicator->reason = reason_against(communicator, comm);
    enlist(communicator);
    if (below.Comm_set_attr(comm, communicators.keyval, communicator) == MPI_SUCCESS)
        return communicator;
    forget(comm, communicators.keyval, communicator, NULL);
    return NULL;
}

struct bn_communicator *bn_communicator_of(MPI_Comm comm)
{
    if (!communicators.is_ready || comm == below.no_comm)
        return NULL;
    uint32_t generation = bn_word_see(&communicators.generation);
    if (last.communicator && last.comm == comm && last.generation == generation)
        return last.communicator;
    struct bn_communicator *communicator = know(comm);
    last.comm = comm;
    last.generation = generation;
    last.communicator = communicator;
    return communicator;
}

struct bn_account *bn_communicator_account(struct bn_communicator *communicator, enum bn_mpi_operation operation,
                                           unsigned size_class)
{
    bool is_new = !communicator->ledger.accounts[operation];
    struct bn_account *account = bn_ledger_account(&communicator->ledger, operation, size_class);
    if (is_new && account)
        bn_lessons_apply(communicators.lessons, operation, communicator->size,
                         communicator->ledger.accounts[operation]);
    return account;
}
