#include "front/span.h"

#include "base/log.h"
#include "base/options.h"
#include "host/switches.h"
#include "host/timeline.h"
#include "sync/spinlock.h"
#include "wide/link.h"
#include "wide/helpers.h"

#include <stdlib.h>

/* The cost of the network as known to this process; all zero: not measured yet */
static struct {
    struct bn_spinlock lock;
    struct bn_link link;
} measured;

/* ---- A composition ---- */

/* Parts of one machine share its link, so they are treated as connected to a switch of their own, unless real switches
 * are known. */
static uint32_t switch_of(const struct bn_communicators_world *world, int node, enum bn_leaders_choice parts)
{
    uint32_t known = world->switch_of_rank[node];
    return parts != BN_LEADERS_MACHINE && known == BN_NO_SWITCH ? (uint32_t)world->node_of_rank[node] : known;
}

static struct bn_hierarchy *hierarchy_of(const struct bn_members *members, enum bn_leaders_choice parts)
{
    struct bn_hierarchy *hierarchy = NULL;
    struct bn_place *places = malloc((size_t)members->size * sizeof *places);
    for (int rank = 0; places && rank < members->size; rank++) {
        for (int level = 0; level < BN_LEVEL_COUNT; level++)
            places[rank].parts[level] = BN_PLACE_UNKNOWN;
        places[rank].parts[BN_LEVEL_SWITCH] = switch_of(members->world, members->nodes[rank], parts);
        places[rank].parts[BN_LEVEL_NODE] = (uint32_t)members->nodes[rank];
        places[rank].is_near_network = false;
    }
    bool is_made = places && bn_hierarchy_create(places, members->size, &hierarchy) == BN_OK;
    free(places);
    return is_made ? hierarchy : NULL;
}

/* The leader of a node is its first process near the network adapter, if there is one.  The order of members stays. */
static void choose_leaders(struct bn_composition *composition, const struct bn_members *members)
{
    bool are_first = true;
    for (int node = 0; node < composition->wide.node_count; node++) {
        const struct bn_node found = bn_node_at(composition->hierarchy, node);
        composition->speakers[node] = found.leader;
        for (int position = found.end; position-- > found.begin;) {
            int rank = bn_hierarchy_member_at(composition->hierarchy, position);
            if (members->world->part_of_rank[members->world_ranks[rank]].is_near_network)
                composition->speakers[node] = rank;
        }
        are_first &= composition->speakers[node] == found.leader;
    }
    if (!are_first)
        bn_wide_lead(&composition->wide, composition->speakers);
}

static void decompose(struct bn_composition *composition)
{
    if (!composition)
        return;
    free(composition->record.entries);
    bn_wide_destroy(&composition->wide);
    if (composition->team)
        bn_node_team_leave(composition->team);
    free(composition->speakers);
    free(composition->hierarchy);
    free(composition);
}

static bool begin(struct bn_composition *composition, const struct bn_members *members,
                  const struct bn_network *network)
{
    if (!composition || !composition->team || !composition->hierarchy)
        return false;
    composition->speakers = malloc((size_t)members->size * sizeof *composition->speakers);
    return bn_wide_init(&composition->wide, members->rank, &composition->team->team, composition->hierarchy, network) &&
           composition->speakers;
}

/* Makes a composition with parts as nodes.  Collective; null on all members: one has no memory.  Comm_split is used
 * instead of Comm_dup because it does not copy attributes of the program. */
static struct bn_composition *compose(struct bn_members *members, enum bn_leaders_choice parts, struct bn_world *memory,
                                      const struct bn_network *network)
{
    MPI_Comm near;
    int near_rank;
    struct bn_composition *composition = calloc(1, sizeof *composition);
    bn_members_group(members, parts);
    bn_below.Comm_split(members->comm, members->nodes[members->rank], members->rank, &near);
    bn_below.Comm_rank(near, &near_rank);
    struct bn_node_team *team = bn_members_join_near(members, near, near_rank, memory);
    bn_below.Comm_free(&near);
    if (composition) {
        composition->team = team;
        composition->hierarchy = hierarchy_of(members, parts);
    } else if (team) {
        bn_node_team_leave(team);
    }
    if (!bn_members_all(members->comm, begin(composition, members, network))) {
        decompose(composition);
        return NULL;
    }
    choose_leaders(composition, members);
    if (bn_timeline_is_wanted())
        composition->wide.record = &composition->record;
    return composition;
}

static int largest_team(const struct bn_composition *composition)
{
    int largest = 0;
    for (int node = 0; node < composition->wide.node_count; node++) {
        int size = bn_hierarchy_group_size(composition->hierarchy, BN_LEVEL_NODE, node);
        largest = size > largest ? size : largest;
    }
    return largest;
}

/* ---- Communication between machines ---- */

static struct bn_link longest(MPI_Comm comm, struct bn_link mine)
{
    double values[] = {mine.latency_ns, mine.message_ns, mine.byte_ns, mine.step_ns}, most[4];
    bn_below.Allreduce(values, most, 4, bn_below.type_double, bn_below.op_max, comm);
    return (struct bn_link){most[0], most[1], most[2], most[3]};
}

/* The cost of the network as some member knows it; if none does, leaders measure it now. */
static void find_link(struct bn_communicator_span *span, const struct bn_members *members)
{
    bn_spinlock_acquire(&measured.lock);
    struct bn_link known = measured.link;
    bn_spinlock_release(&measured.lock);
    struct bn_link link = longest(members->comm, known);
    if (link.latency_ns == 0)
        link = longest(members->comm, bn_wide_measure(&span->by[BN_BY_ENGINE]->wide));
    bn_link_apply(&link, &span->network);
    bn_spinlock_acquire(&measured.lock);
    measured.link = link;
    bn_spinlock_release(&measured.lock);
    if (known.latency_ns == 0 && members->world->rank == 0)
        bn_log_info(
            "a message between machines takes %.1f us, one more %.1f us, a MiB %.3f ms; a step inside one %.1f us",
            link.latency_ns / 1e3, link.message_ns / 1e3, link.byte_ns * (1 << 20) / 1e6, link.step_ns / 1e3);
}

/* Called by all members, including those that are not leaders.  With one member on each node there is nothing to learn:
 * a circle would do the same as the library alone. */
static void join_circle(struct bn_communicator_span *span, MPI_Comm comm)
{
    int64_t between = bn_option_number(BN_OPTION_MPI_BETWEEN);
    const struct bn_wide *wide = &span->by[BN_BY_ENGINE]->wide;
    bool is_leader = bn_wide_is_leader(wide);
    span->leaders.comm = bn_below.no_comm;
    span->leaders.size = wide->node_count;
    span->has_circle = between == BN_BETWEEN_COLLECTIVES || (between == BN_BETWEEN_LEARN && span->largest_team > 1);
    if (!span->has_circle)
        return;
    bn_below.Comm_split(comm, is_leader ? 0 : MPI_UNDEFINED, wide->mine.index, &span->leaders.comm);
    span->circle = bn_circle_on(&span->leaders);
    span->by[BN_BY_BOTH] = span->by[BN_BY_ENGINE];
}

/* ---- All of it ---- */

/* If some machine has members on several sockets or regions, makes further compositions with these as nodes, if there
 * is memory.  If none has, which all members know, no communication is needed. */
static void join_parts(struct bn_communicator_span *span, struct bn_members *members, struct bn_world *memory)
{
    static const struct {
        enum bn_carrier carrier;
        enum bn_leaders_choice coarse, fine;
    } kinds[] = {{BN_BY_SOCKETS, BN_LEADERS_MACHINE, BN_LEADERS_SOCKET},
                 {BN_BY_REGIONS, BN_LEADERS_SOCKET, BN_LEADERS_REGION}};
    bool may_differ = false;
    for (int rank = 0; rank < members->size; rank++)
        may_differ |= bn_part_is_divided(&members->world->part_of_rank[members->world_ranks[rank]]);
    for (int kind = 0; may_differ && kind < 2; kind++)
        if (!bn_members_all(members->comm, !bn_members_differ(members, kinds[kind].coarse, kinds[kind].fine)))
            span->by[kinds[kind].carrier] = compose(members, kinds[kind].fine, memory, &span->network);
}

struct bn_communicator_span *bn_span_join(struct bn_members *members, struct bn_world *memory, bool has_rest)
{
    MPI_Comm messages;
    int64_t choice = bn_option_number(BN_OPTION_MPI_LEADERS);
    struct bn_communicator_span *span = calloc(1, sizeof *span);
    struct bn_network none = {0};
    bn_below.Comm_split(members->comm, 0, members->rank, &messages);
    if (span) {
        span->messages.comm = messages;
        span->network = bn_messages_on(&span->messages);
        span->leaders.comm = bn_below.no_comm;
        span->leaders.tables = malloc(2 * (size_t)members->size * sizeof *span->leaders.tables);
    }
    enum bn_leaders_choice parts = choice == BN_LEADERS_LEARN ? BN_LEADERS_MACHINE : (enum bn_leaders_choice)choice;
    struct bn_composition *first = compose(members, parts, memory, span ? &span->network : &none);
    bool has_joined =
        has_rest && span && span->leaders.tables && first && bn_wide_room(&first->wide, 0, BN_LINK_ROOM_BYTES);
    if (!bn_members_all(members->comm, has_joined)) {
        decompose(first);
        bn_below.Comm_free(&messages);
        free(span ? span->leaders.tables : NULL);
        free(span);
        return NULL;
    }
    span->by[BN_BY_ENGINE] = span->current = first;
    span->largest_team = largest_team(first);
    find_link(span, members);
    join_circle(span, members->comm);
    if (choice == BN_LEADERS_LEARN)
        join_parts(span, members, memory);
    return span;
}

/* The carriers that own a composition */
static const enum bn_carrier owners[] = {BN_BY_ENGINE, BN_BY_SOCKETS, BN_BY_REGIONS};
enum { OWNERS = sizeof owners / sizeof owners[0] };

void bn_span_report(const struct bn_communicator_span *span, int world_rank)
{
    for (int i = 0; i < OWNERS; i++)
        if (span->by[owners[i]] && span->by[owners[i]]->wide.record)
            bn_timeline_write(&span->by[owners[i]]->wide, world_rank);
}

void bn_span_release(struct bn_communicator_span *span, bool frees_communicators)
{
    for (int i = 0; i < OWNERS; i++)
        decompose(span->by[owners[i]]);
    if (frees_communicators)
        bn_below.Comm_free(&span->messages.comm);
    if (frees_communicators && span->leaders.comm != bn_below.no_comm)
        bn_below.Comm_free(&span->leaders.comm);
    free(span->leaders.tables);
    free(span);
}

void bn_span_use(struct bn_communicator_span *span, enum bn_carrier carrier)
{
    span->current = span->by[carrier];
    span->current->wide.circle = carrier == BN_BY_BOTH ? &span->circle : NULL;
}

unsigned bn_span_parts(const struct bn_communicator_span *span, enum bn_operation operation, bool may_keep_order)
{
    unsigned able = 0;
    for (int i = 1; i < OWNERS; i++) {
        const struct bn_composition *composition = span->by[owners[i]];
        if (composition && bn_wide_can_run(&composition->wide, operation, may_keep_order))
            able |= bn_candidate(owners[i]);
    }
    return able;
}
