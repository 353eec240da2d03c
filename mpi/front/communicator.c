#include "front/communicator.h"

#include "base/log.h"
#include "base/options.h"
#include "coll/run.h"
#include "front/escape.h"
#include "front/messages.h"
#include "host/options.h"
#include "host/report.h"
#include "host/switches.h"
#include "host/timeline.h"
#include "platform/atomic_word.h"
#include "sync/spinlock.h"
#include "wide/link.h"
#include "wide/parts.h"

#include <stdlib.h>
#include <string.h>

static struct {
    int keyval; /* of the attribute */
    bool is_ready;
    uint32_t generation; /* of what threads remember: communicators that have been freed so far */
    MPI_Group world;
    int world_rank;
    const int *process_of_rank, *node_of_rank;
    const uint32_t *switch_of_rank;
    const struct bn_part *part_of_rank;
    const struct bn_lessons *lessons;
    struct bn_world *node;   /* memory of the processes of this machine; null: there is none */
    struct bn_spinlock lock; /* around what follows */
    struct bn_communicator *all;
    struct bn_link link; /* all zero: not measured yet */
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

/* The first member has it reported; each says when it did what. */
static void report(const struct bn_communicator *communicator)
{
    if (communicator->name && communicator->rank == 0)
        bn_report_add(communicator->name, communicator->size, &communicator->ledger);
    if (communicator->span && communicator->span->wide.record)
        bn_timeline_write(&communicator->span->wide, communicators.world_rank);
}

static void release_span(struct bn_communicator_span *span)
{
    free(span->record.entries);
    bn_wide_destroy(&span->wide);
    if (communicators.is_ready)
        below.Comm_free(&span->messages);
    if (communicators.is_ready && span->leaders.comm != below.no_comm)
        below.Comm_free(&span->leaders.comm);
    free(span->leaders.tables);
    free(span->speakers);
    free(span->hierarchy);
    free(span);
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
        release_span(communicator->span);
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
    communicators.world_rank = world->rank;
    communicators.process_of_rank = world->process_of_rank;
    communicators.node_of_rank = world->node_of_rank;
    communicators.switch_of_rank = world->switch_of_rank;
    communicators.part_of_rank = world->part_of_rank;
    communicators.lessons = world->lessons;
    communicators.is_ready = below.Comm_create_keyval(copy_nothing, forget, &communicators.keyval, NULL) == MPI_SUCCESS;
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
    below.Comm_free_keyval(&communicators.keyval);
}

/* Where the members of a communicator are, as all of them find it */
struct members {
    MPI_Comm comm;
    int rank, size;
    int *nodes;     /* by rank: what names the machine, or its part (leaders.h) if they are on several machines */
    int *processes; /* of those on this node, in the order of ranks: the numbers on this machine */
    const int *world_ranks;
    int near_count;
    bool are_near; /* all of them on this machine */
};

/* Members on one machine need nobody who speaks to others. */
static int node_named(int world_rank, bool are_near)
{
    return are_near ? communicators.node_of_rank[world_rank] : communicators.part_of_rank[world_rank].part;
}

/* False, with the reason: no memory, or a member is of another job */
static bool find_members(struct members *members, enum bn_mpi_reason *reason_p)
{
    MPI_Group group;
    int size = members->size, *ranks = malloc(3 * (size_t)size * sizeof *ranks);
    *reason_p = BN_MPI_NO_MEMORY;
    members->nodes = ranks;
    if (!ranks || below.Comm_group(members->comm, &group) != MPI_SUCCESS)
        return false;
    members->processes = ranks + size;
    for (int rank = 0; rank < size; rank++)
        ranks[rank] = rank;
    below.Group_translate_ranks(group, size, ranks, communicators.world, ranks + 2 * size);
    below.Group_free(&group);
    members->are_near = true;
    const int *world_ranks = members->world_ranks = ranks + 2 * size;
    for (int rank = 0; rank < size; rank++) {
        if (world_ranks[rank] < 0) {
            *reason_p = BN_MPI_BEYOND_JOB;
            return false;
        }
        members->are_near &=
            communicators.node_of_rank[world_ranks[rank]] == communicators.node_of_rank[world_ranks[0]];
    }
    for (int rank = 0; rank < size; rank++)
        members->nodes[rank] = node_named(world_ranks[rank], members->are_near);
    for (int rank = 0; rank < size; rank++)
        if (members->nodes[rank] == members->nodes[members->rank])
            members->processes[members->near_count++] = communicators.process_of_rank[world_ranks[rank]];
    *reason_p = BN_MPI_OURS;
    return true;
}

static bool all(MPI_Comm comm, bool mine)
{
    int is_mine = mine, is_all;
    below.Allreduce(&is_mine, &is_all, 1, below.type_int, below.op_min, comm);
    return is_all != 0;
}

/* The team of those on this node, who all come here; null: it cannot be.  Others may have it nevertheless. */
static struct bn_node_team *join_near(MPI_Comm near, int near_rank, const struct members *members)
{
    uint64_t memory = 0;
    struct bn_world *node = communicators.node;
    bool has_node = members->near_count == 1 || node;
    size_t said_bytes = (size_t)members->near_count * sizeof(struct bn_agree_said);
    if (near_rank == 0 && has_node)
        memory = bn_node_team_memory_make(node, members->near_count, said_bytes);
    if (members->near_count > 1)
        below.Bcast(&memory, (int)sizeof memory, below.type_byte, 0, near);
    if (memory == 0)
        return NULL;
    struct bn_node_team *team =
        bn_node_team_join(node, memory, near_rank, members->near_count, members->processes, NULL);
    if (!team)
        bn_node_team_memory_leave(node, memory);
    return team;
}

/* All members come here if they are on one machine.  What one cannot do, none does. */
static void join(struct bn_communicator *communicator, const struct members *members)
{
    communicator->team = join_near(members->comm, members->rank, members);
    communicator->tables = malloc(4 * (size_t)members->size * sizeof *communicator->tables);
    communicator->largest_team = members->size;
    if (all(members->comm, communicator->team && communicator->tables)) {
        communicator->sizes.said = communicator->team->extra;
        bn_escape_prepare(communicator);
        return;
    }
    if (communicator->team)
        bn_node_team_leave(communicator->team);
    communicator->team = NULL;
}

/* Parts of one machine, which share its link, stand as if at a switch of their own, unless real switches are known. */
static uint32_t switch_of(int node)
{
    uint32_t known = communicators.switch_of_rank[node];
    bool is_part = bn_option_number(BN_OPTION_MPI_LEADERS) != BN_LEADERS_MACHINE && known == BN_NO_SWITCH;
    return is_part ? (uint32_t)communicators.node_of_rank[node] : known;
}

static struct bn_hierarchy *hierarchy_of(const struct members *members)
{
    struct bn_hierarchy *hierarchy = NULL;
    struct bn_place *places = malloc((size_t)members->size * sizeof *places);
    for (int rank = 0; places && rank < members->size; rank++) {
        for (int level = 0; level < BN_LEVEL_COUNT; level++)
            places[rank].parts[level] = BN_PLACE_UNKNOWN;
        places[rank].parts[BN_LEVEL_SWITCH] = switch_of(members->nodes[rank]);
        places[rank].parts[BN_LEVEL_NODE] = (uint32_t)members->nodes[rank];
        places[rank].is_near_network = false;
    }
    bool is_made = places && bn_hierarchy_create(places, members->size, &hierarchy) == BN_OK;
    free(places);
    return is_made ? hierarchy : NULL;
}

static struct bn_link longest(MPI_Comm comm, struct bn_link mine)
{
    double values[] = {mine.latency_ns, mine.message_ns, mine.byte_ns, mine.step_ns}, most[4];
    below.Allreduce(values, most, 4, below.type_double, below.op_max, comm);
    return (struct bn_link){most[0], most[1], most[2], most[3]};
}

/* What the network costs: as one of the members knows it, or, if none does, as leaders measure it now. */
static void find_link(struct bn_communicator_span *span, MPI_Comm comm)
{
    bn_spinlock_acquire(&communicators.lock);
    struct bn_link known = communicators.link;
    bn_spinlock_release(&communicators.lock);
    struct bn_link link = longest(comm, known);
    if (link.latency_ns == 0)
        link = longest(comm, bn_wide_measure(&span->wide));
    bn_link_apply(&link, &span->network);
    bn_spinlock_acquire(&communicators.lock);
    communicators.link = link;
    bn_spinlock_release(&communicators.lock);
    if (known.latency_ns == 0 && communicators.world_rank == 0)
        bn_log_info(
            "a message between machines takes %.1f us, one more %.1f us, a MiB %.3f ms; a step inside one %.1f us",
            link.latency_ns / 1e3, link.message_ns / 1e3, link.byte_ns * (1 << 20) / 1e6, link.step_ns / 1e3);
}

/* The first process near the network adapter speaks for its node, if there is one.  Members stay in their order. */
static void choose_leaders(struct bn_communicator_span *span, const struct members *members)
{
    bool are_first = true;
    for (int node = 0; node < span->wide.node_count; node++) {
        const struct bn_node found = bn_node_at(span->hierarchy, node);
        span->speakers[node] = found.leader;
        for (int position = found.end; position-- > found.begin;) {
            int rank = bn_hierarchy_member_at(span->hierarchy, position);
            if (communicators.part_of_rank[members->world_ranks[rank]].is_near_network)
                span->speakers[node] = rank;
        }
        are_first &= span->speakers[node] == found.leader;
    }
    if (!are_first)
        bn_wide_lead(&span->wide, span->speakers);
}

/* All members come here, those that lead no node, too.  With one member on each node there is nothing to learn: that
 * is the library alone. */
static void join_circle(struct bn_communicator_span *span, MPI_Comm comm, int largest_team)
{
    int64_t between = bn_option_number(BN_OPTION_MPI_BETWEEN);
    bool is_leader = bn_wide_is_leader(&span->wide);
    span->leaders.comm = below.no_comm;
    span->leaders.size = span->wide.node_count;
    span->has_circle = between == BN_BETWEEN_COLLECTIVES || (between == BN_BETWEEN_LEARN && largest_team > 1);
    if (!span->has_circle)
        return;
    below.Comm_split(comm, is_leader ? 0 : MPI_UNDEFINED, span->wide.mine.index, &span->leaders.comm);
    span->circle = bn_circle_on(&span->leaders);
}

/* The same if they are on several machines.  Splits have no attributes, so that nobody's are copied. */
static void join_span(struct bn_communicator *communicator, const struct members *members)
{
    MPI_Comm near, messages;
    int near_rank;
    struct bn_communicator_span *span = calloc(1, sizeof *span);
    struct bn_hierarchy *hierarchy = hierarchy_of(members);
    below.Comm_split(members->comm, members->nodes[members->rank], members->rank, &near);
    below.Comm_split(members->comm, 0, members->rank, &messages);
    below.Comm_rank(near, &near_rank);
    struct bn_node_team *team = join_near(near, near_rank, members);
    below.Comm_free(&near);
    communicator->tables = malloc(4 * (size_t)members->size * sizeof *communicator->tables);
    bool has_joined = span && hierarchy && team && communicator->tables;
    if (has_joined) {
        span->messages = messages;
        span->speakers = malloc((size_t)members->size * sizeof *span->speakers);
        span->leaders.tables = malloc(2 * (size_t)members->size * sizeof *span->leaders.tables);
        span->hierarchy = hierarchy;
        span->network = bn_messages_on(&span->messages);
        has_joined = bn_wide_init(&span->wide, members->rank, &team->team, hierarchy, &span->network) &&
                     span->speakers && span->leaders.tables && bn_wide_room(&span->wide, 0, BN_LINK_ROOM_BYTES);
    }
    if (all(members->comm, has_joined)) {
        communicator->team = team;
        communicator->span = span;
        bn_escape_prepare_span(communicator);
        choose_leaders(span, members);
        find_link(span, members->comm);
        if (bn_timeline_is_wanted())
            span->wide.record = &span->record;
        for (int node = 0; node < span->wide.node_count; node++) {
            int size = bn_hierarchy_group_size(hierarchy, BN_LEVEL_NODE, node);
            communicator->largest_team = size > communicator->largest_team ? size : communicator->largest_team;
        }
        join_circle(span, members->comm, communicator->largest_team);
        return;
    }
    if (span) {
        bn_wide_destroy(&span->wide);
        free(span->leaders.tables);
        free(span->speakers);
    }
    if (team)
        bn_node_team_leave(team);
    below.Comm_free(&messages);
    free(hierarchy);
    free(span);
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
    if (bn_mpi_is_off())
        return BN_MPI_SWITCHED_OFF;
    struct members members = {.comm = comm, .rank = communicator->rank, .size = communicator->size};
    if (!all(comm, find_members(&members, &reason))) {
        free(members.nodes);
        return reason == BN_MPI_OURS ? BN_MPI_NO_MEMORY : reason;
    }
    reason = members.are_near && !communicators.node ? BN_MPI_NO_NODE : BN_MPI_NO_MEMORY;
    if (!members.are_near)
        join_span(communicator, &members);
    else if (reason == BN_MPI_NO_MEMORY)
        join(communicator, &members);
    free(members.nodes);
    return communicator->team ? BN_MPI_OURS : reason;
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

bn_status_t bn_communicator_run(struct bn_communicator *communicator, enum bn_operation operation,
                                const struct bn_call *call)
{
    return communicator->span ? bn_wide_run(&communicator->span->wide, operation, call)
                              : bn_operation_run(&communicator->team->team, operation, call);
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
