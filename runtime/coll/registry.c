#include "coll/registry.h"

#include "coll/algorithms.h"
#include "coll/plan.h"

#include <string.h>

#define HIERARCHICAL "binomial.binomial.binomial"
#define FLAT_BELOW "binomial.binomial.flat"

#define TREE(direction, tree, how, function, fragmentation)                                                            \
    {.name = direction "/" tree "/" how, .run = (function), .shape = (tree), .fragments = (fragmentation)}

/* The entries of one tree with all three kinds of fragments */
#define TREES(direction, tree, function)                                                                               \
    TREE(direction, tree, "whole", function, BN_WHOLE), TREE(direction, tree, "halves", function, BN_HALVES),          \
        TREE(direction, tree, "chunks", function, BN_CHUNKS)

#define IN_TURN(direction, tree, function)                                                                             \
    {.name = direction "/" tree "/whole", .run = (function), .shape = (tree), .takes_turns = true}

/* Values of nodes arrive by mail; if order matters, members take turns. */
#define OVER_NODES(tree, function)                                                                                     \
    {.name = "push-pull/" tree "/whole", .run = (function), .shape = (tree), .takes_turns = true, .needs_mail = true}

/* Broadcasts of data that fit into the mail */
#define MAIL_TREE(tree)                                                                                                \
    {.name = "push-pull/" tree "/mail",                                                                                \
     .run = bn_broadcast_over_nodes_mail,                                                                              \
     .shape = (tree),                                                                                                  \
     .fragments = BN_INLINE,                                                                                           \
     .max_bytes = BN_TEAM_MAIL_BYTES,                                                                                  \
     .needs_mail = true}

/* limit: the member of bn_entry that limits what must fit into the mail */
#define BY_MAIL(function, limit, bytes)                                                                                \
    {.name = "push-pull/nodes/mail",                                                                                   \
     .run = (function),                                                                                                \
     .shape = "nodes",                                                                                                 \
     .fragments = BN_INLINE,                                                                                           \
     .limit = (bytes),                                                                                                 \
     .needs_mail = true}

/* Data that members leave in their rooms. limit as above, for what is posted at once */
#define BY_ROOM(function, limit)                                                                                       \
    {.name = "pull/flat/room",                                                                                         \
     .run = (function),                                                                                                \
     .fragments = BN_INLINE,                                                                                           \
     .limit = BN_TEAM_ROOM_BYTES,                                                                                      \
     .needs_rooms = true}

/* Data that pass through stages, in pieces */
#define BY_STAGE(function)                                                                                             \
    {.name = "push-pull/flat/stage", .run = (function), .fragments = BN_CHUNKS, .needs_stages = true}

#define NATIVE(function) {.name = "native", .run = (function), .is_native = true}

/* Sizes are chosen by class, and the class up to 64 bytes fits. */
enum { INLINE_BYTES = 64, BRUCK_BYTES = 1024 };
_Static_assert((int)INLINE_BYTES <= (int)BN_FLAG_PAYLOAD_BYTES, "fits beside a flag");

static const struct bn_entry broadcast[] = {
    {.name = "pull/flat/whole", .run = bn_broadcast_flat},
    {.name = "push-pull/flat/whole", .run = bn_broadcast_both_ends},
    BY_ROOM(bn_broadcast_by_room, max_bytes),
    BY_STAGE(bn_broadcast_by_stage),
    TREES("pull", HIERARCHICAL, bn_broadcast_pull),
    TREES("pull", FLAT_BELOW, bn_broadcast_pull),
    TREES("push", HIERARCHICAL, bn_broadcast_push),
    TREES("push", FLAT_BELOW, bn_broadcast_push),
    {.name = "pull/" FLAT_BELOW "/inline",
     .run = bn_broadcast_tree_inline,
     .shape = FLAT_BELOW,
     .fragments = BN_INLINE,
     .max_bytes = INLINE_BYTES},
    TREE("pull", "chain", "chunks", bn_broadcast_pull, BN_CHUNKS),
    {.name = "pull/scatter-allgather/whole", .run = bn_broadcast_scatter_allgather},
    TREES("push-pull", "binomial.flat", bn_broadcast_over_nodes),
    TREE("push-pull", "chain.flat", "chunks", bn_broadcast_over_nodes, BN_CHUNKS),
    MAIL_TREE("flat.flat"),
    MAIL_TREE("binomial.flat"),
    NATIVE(bn_broadcast_native),
};

static const struct bn_entry scatter[] = {
    {.name = "pull/flat/whole", .run = bn_scatter_flat},
    {.name = "push-pull/flat/whole", .run = bn_scatter_both_ends},
    BY_ROOM(bn_scatter_by_room, max_total_bytes),
    BY_STAGE(bn_scatter_by_stage),
    TREE("push", "ring", "whole", bn_scatter_push_ring, BN_WHOLE),
    TREE("pull", "ring", "whole", bn_scatter_pull_ring, BN_WHOLE),
    TREE("push", HIERARCHICAL, "whole", bn_scatter_push, BN_WHOLE),
    TREES("pull", HIERARCHICAL, bn_scatter_pull),
    TREES("pull", FLAT_BELOW, bn_scatter_pull),
    BY_MAIL(bn_scatter_by_mail, max_total_bytes, BN_TEAM_MAIL_BYTES),
    {.name = "push/flat/mail",
     .run = bn_scatter_flat_mail,
     .shape = "nodes",
     .fragments = BN_INLINE,
     .max_bytes = BN_TEAM_MAIL_BYTES,
     .needs_mail = true},
    {.name = "push/flat/whole", .run = bn_scatter_flat_push, .shape = "nodes", .needs_mail = true},
};

static const struct bn_entry gather[] = {
    {.name = "push/flat/whole", .run = bn_gather_flat},
    {.name = "pull/flat/whole", .run = bn_gather_pull_ring},
    {.name = "push-pull/flat/whole", .run = bn_gather_both_ends},
    BY_ROOM(bn_gather_by_room, max_bytes),
    BY_STAGE(bn_gather_by_stage),
    TREE("push", "ring", "whole", bn_gather_push_ring, BN_WHOLE),
    TREE("pull", "ring", "whole", bn_gather_pull_ring, BN_WHOLE),
    TREE("push", HIERARCHICAL, "whole", bn_gather_push, BN_WHOLE),
    TREE("push", HIERARCHICAL, "chunks", bn_gather_push, BN_CHUNKS),
    TREE("push", FLAT_BELOW, "chunks", bn_gather_push, BN_CHUNKS),
    TREE("pull", HIERARCHICAL, "whole", bn_gather_pull, BN_WHOLE),
    BY_MAIL(bn_gather_by_mail, max_total_bytes, BN_TEAM_WIDE_MAIL_BYTES),
};

static const struct bn_entry gather_all[] = {
    {.name = "pull/flat/whole", .run = bn_gather_all_flat},
    BY_ROOM(bn_gather_all_by_room, max_bytes),
    BY_STAGE(bn_gather_all_by_stage),
    TREE("pull", "ring", "whole", bn_gather_all_ring, BN_WHOLE),
    TREE("pull", "ring-by-rank", "whole", bn_gather_all_ring_by_rank, BN_WHOLE),
    {.name = "pull/neighbours-by-rank/whole", .run = bn_gather_all_neighbours_by_rank, .shape = "ring-by-rank"},
    {.name = "pull/doubling/whole", .run = bn_gather_all_doubling},
    TREE("push-pull", HIERARCHICAL, "chunks", bn_gather_all_joined, BN_CHUNKS),
    {.name = "push-pull/nodes/whole", .run = bn_gather_all_over_nodes, .shape = "nodes"},
    BY_MAIL(bn_gather_all_by_mail, max_total_bytes, BN_TEAM_WIDE_MAIL_BYTES),
    NATIVE(bn_gather_all_native),
};

static const struct bn_entry exchange[] = {
    {.name = "pull/flat/whole", .run = bn_exchange_flat},
    {.name = "push/flat/whole", .run = bn_exchange_push},
    BY_ROOM(bn_exchange_by_room, max_total_bytes),
    BY_STAGE(bn_exchange_by_stage),
    {.name = "pull/pairwise/whole", .run = bn_exchange_pairwise},
    {.name = "pull/packed/whole", .run = bn_exchange_packed, .shape = "groups"},
    {.name = "pull/bruck/whole", .run = bn_exchange_bruck, .max_bytes = BRUCK_BYTES},
    {.name = "push/nodes/whole", .run = bn_exchange_over_nodes, .shape = "nodes", .needs_mail = true},
    {.name = "push/nodes/mail",
     .run = bn_exchange_over_nodes_mail,
     .shape = "nodes",
     .fragments = BN_INLINE,
     .max_total_bytes = BN_TEAM_WIDE_MAIL_BYTES / 2,
     .needs_mail = true},
    BY_MAIL(bn_exchange_by_mail, max_pairs_bytes, BN_TEAM_MAIL_BYTES),
    NATIVE(bn_exchange_native),
};

static const struct bn_entry permute[] = {
    {.name = "push/flat/whole", .run = bn_permute_push},
    {.name = "pull/flat/whole", .run = bn_permute_pull},
};

static const struct bn_entry reduce[] = {
    {.name = "pull/flat/whole", .run = bn_reduce_flat},
    TREE("pull", HIERARCHICAL, "whole", bn_reduce_tree, BN_WHOLE),
    TREE("pull", FLAT_BELOW, "whole", bn_reduce_tree, BN_WHOLE),
    IN_TURN("push", HIERARCHICAL, bn_reduce_push),
    IN_TURN("push", FLAT_BELOW, bn_reduce_push),
    OVER_NODES("flat.flat", bn_reduce_over_nodes),
    OVER_NODES("binomial.flat", bn_reduce_over_nodes),
    NATIVE(bn_reduce_native),
};

static const struct bn_entry reduce_all[] = {
    {.name = "pull/flat/whole", .run = bn_reduce_all_flat},
    TREE("pull", HIERARCHICAL, "whole", bn_reduce_all_tree, BN_WHOLE),
    TREE("pull", FLAT_BELOW, "whole", bn_reduce_all_tree, BN_WHOLE),
    {.name = "pull/doubling/whole", .run = bn_reduce_all_doubling},
    IN_TURN("push", HIERARCHICAL, bn_reduce_all_push),
    IN_TURN("push", FLAT_BELOW, bn_reduce_all_push),
    OVER_NODES("flat.flat", bn_reduce_all_over_nodes),
    OVER_NODES("binomial.flat", bn_reduce_all_over_nodes),
    NATIVE(bn_reduce_all_native),
};

static const struct bn_entry prefix[] = {
    {.name = "pull/flat/whole", .run = bn_prefix_flat},
    TREE("pull", HIERARCHICAL, "whole", bn_prefix_tree, BN_WHOLE),
    {.name = "pull/doubling/whole", .run = bn_prefix_doubling},
    {.name = "pull/doubling.binomial.binomial/whole", .run = bn_prefix_nodes, .shape = HIERARCHICAL},
};

/* Blocks of different sizes; both ways leave small ones in rooms. */
#define WITH_PARTS(operation)                                                                                          \
    {                                                                                                                  \
        {.name = "pull/flat/whole", .run = bn_##operation##_pull},                                                     \
        {.name = "push/flat/whole", .run = bn_##operation##_push},                                                     \
    }
static const struct bn_entry scatter_v[] = WITH_PARTS(scatter_v);
static const struct bn_entry gather_v[] = WITH_PARTS(gather_v);
static const struct bn_entry gather_all_v[] = WITH_PARTS(gather_all_v);
static const struct bn_entry exchange_v[] = WITH_PARTS(exchange_v);

static const struct bn_entry barrier[] = {
    {.name = "central", .run = bn_barrier_of_team, .barrier = BN_BARRIER_CENTRAL},
    {.name = "dissemination", .run = bn_barrier_of_team, .barrier = BN_BARRIER_DISSEMINATION},
    {.name = "tree", .run = bn_barrier_of_team, .barrier = BN_BARRIER_TREE},
};

/* Vectors of which each member processes some columns, in place or as they pass through stages */
#define BY_COLUMNS(operation)                                                                                          \
    {.name = "pull/columns/whole", .run = bn_##operation##_direct},                                                    \
        {.name = "push-pull/columns/stage", .run = bn_##operation##_staged, .fragments = BN_CHUNKS},                   \
        BY_ROOM(bn_##operation##_by_room, max_bytes)
static const struct bn_entry combine[] = {BY_COLUMNS(combine), BY_STAGE(bn_combine_by_stage)};
static const struct bn_entry combine_all[] = {
    BY_COLUMNS(combine_all),
    {.name = "push/columns/whole", .run = bn_combine_all_pushed},
};
static const struct bn_entry combine_scatter[] = {BY_COLUMNS(combine_scatter)};
static const struct bn_entry combine_prefix[] = {BY_COLUMNS(combine_prefix)};

#define OPERATIONS(DO)                                                                                                 \
    DO(BN_BROADCAST, broadcast)                                                                                        \
    DO(BN_SCATTER, scatter)                                                                                            \
    DO(BN_GATHER, gather)                                                                                              \
    DO(BN_GATHER_ALL, gather_all)                                                                                      \
    DO(BN_EXCHANGE, exchange)                                                                                          \
    DO(BN_PERMUTE, permute)                                                                                            \
    DO(BN_REDUCE, reduce)                                                                                              \
    DO(BN_REDUCE_ALL, reduce_all)                                                                                      \
    DO(BN_PREFIX, prefix)                                                                                              \
    DO(BN_BARRIER, barrier)                                                                                            \
    DO(BN_SCATTER_V, scatter_v)                                                                                        \
    DO(BN_GATHER_V, gather_v)                                                                                          \
    DO(BN_GATHER_ALL_V, gather_all_v)                                                                                  \
    DO(BN_EXCHANGE_V, exchange_v)                                                                                      \
    DO(BN_COMBINE, combine)                                                                                            \
    DO(BN_COMBINE_ALL, combine_all)                                                                                    \
    DO(BN_COMBINE_SCATTER, combine_scatter)                                                                            \
    DO(BN_COMBINE_PREFIX, combine_prefix)

#define ROW(operation, name) [operation] = {#name, name, sizeof name / sizeof name[0]},

static const struct {
    const char *name;
    const struct bn_entry *entries;
    int count;
} operations[BN_OPERATION_COUNT] = {OPERATIONS(ROW)};

#define PLUS_COUNT(operation, name) +sizeof name / sizeof name[0]
_Static_assert(0 OPERATIONS(PLUS_COUNT) <= BN_PLAN_MAX, "a team has room for a plan for each entry");

const char *bn_operation_name(enum bn_operation operation)
{
    return operations[operation].name;
}

const struct bn_flow bn_operation_flows[BN_OPERATION_COUNT] = {
    [BN_BROADCAST] = {BN_ROOT_GIVES, BN_EXTENT_BLOCK, BN_EXTENT_BLOCK, false},
    [BN_SCATTER] = {BN_ROOT_GIVES, BN_EXTENT_ALL, BN_EXTENT_BLOCK, false},
    [BN_GATHER] = {BN_ROOT_GETS, BN_EXTENT_BLOCK, BN_EXTENT_ALL, false},
    [BN_GATHER_ALL] = {BN_ROOT_NONE, BN_EXTENT_BLOCK, BN_EXTENT_ALL, false},
    [BN_EXCHANGE] = {BN_ROOT_NONE, BN_EXTENT_ALL, BN_EXTENT_ALL, false},
    [BN_PERMUTE] = {BN_ROOT_NONE, BN_EXTENT_BLOCK, BN_EXTENT_BLOCK, false},
    [BN_REDUCE] = {BN_ROOT_GETS, BN_EXTENT_NONE, BN_EXTENT_NONE, true},
    [BN_REDUCE_ALL] = {BN_ROOT_NONE, BN_EXTENT_NONE, BN_EXTENT_NONE, true},
    [BN_PREFIX] = {BN_ROOT_NONE, BN_EXTENT_NONE, BN_EXTENT_NONE, true},
    [BN_BARRIER] = {BN_ROOT_NONE, BN_EXTENT_NONE, BN_EXTENT_NONE, false},
    [BN_SCATTER_V] = {BN_ROOT_GIVES, BN_EXTENT_ALL, BN_EXTENT_BLOCK, false},
    [BN_GATHER_V] = {BN_ROOT_GETS, BN_EXTENT_BLOCK, BN_EXTENT_ALL, false},
    [BN_GATHER_ALL_V] = {BN_ROOT_NONE, BN_EXTENT_BLOCK, BN_EXTENT_ALL, false},
    [BN_EXCHANGE_V] = {BN_ROOT_NONE, BN_EXTENT_ALL, BN_EXTENT_ALL, false},
    [BN_COMBINE] = {BN_ROOT_GETS, BN_EXTENT_BLOCK, BN_EXTENT_BLOCK, false},
    [BN_COMBINE_ALL] = {BN_ROOT_NONE, BN_EXTENT_BLOCK, BN_EXTENT_BLOCK, false},
    [BN_COMBINE_SCATTER] = {BN_ROOT_NONE, BN_EXTENT_BLOCK, BN_EXTENT_BLOCK, false},
    [BN_COMBINE_PREFIX] = {BN_ROOT_NONE, BN_EXTENT_BLOCK, BN_EXTENT_BLOCK, false},
};

const struct bn_entry *bn_registry(enum bn_operation operation, int *count_p)
{
    *count_p = operations[operation].count;
    return operations[operation].entries;
}

const struct bn_entry *bn_registry_find(enum bn_operation operation, const char *name)
{
    for (int i = 0; i < operations[operation].count; i++) {
        if (strcmp(operations[operation].entries[i].name, name) == 0)
            return &operations[operation].entries[i];
    }
    return NULL;
}

void bn_barrier_of_team(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    (void)call;
    bn_team_barrier(team);
}
