#include "coll/select.h"

#include <stddef.h>

/* Pairs (in, out) that require synchronisation with a partner on at least one side, but not with everybody */
#define WITH_PARTNERS                                                                                                  \
    (BN_SYNC_BIT(BN_SYNC_MY, BN_SYNC_MY) | BN_SYNC_BIT(BN_SYNC_MY, BN_SYNC_NO) | BN_SYNC_BIT(BN_SYNC_NO, BN_SYNC_MY) | \
     BN_SYNC_BIT(BN_SYNC_MY, BN_SYNC_ALL) | BN_SYNC_BIT(BN_SYNC_ALL, BN_SYNC_MY))

/* clang-format off */
/* Pairs whose entry requires no synchronisation */
#define FROM_ANY_STATE                                                                                                 \
    (BN_SYNC_BIT(BN_SYNC_NO, BN_SYNC_ALL) | BN_SYNC_BIT(BN_SYNC_NO, BN_SYNC_MY) | BN_SYNC_BIT(BN_SYNC_NO, BN_SYNC_NO))

/* For memory that is not mapped: small blocks go by rooms, medium-sized ones through stages, and large ones are copied
 * by the kernel if it can.  With more members than cores, ways that let a sender go on immediately win up to larger
 * sizes. */
#define PRIVATE (BN_REACH_BIT(BN_REACH_KERNEL) | BN_REACH_BIT(BN_REACH_STAGES))
#define PRIVATELY(way, ...)                                                                                            \
    {                                                                                                                  \
        .reach_set = PRIVATE, .entry = (way), .evidence = "docs/tuning/private.md", __VA_ARGS__                        \
    }
/* Both the sender and the receiver move a part of each block. */
#define BY_BOTH_ENDS                                                                                                   \
    {                                                                                                                  \
        .reach_set = BN_REACH_BIT(BN_REACH_KERNEL), .entry = "push-pull/flat/whole",                                   \
        .evidence = "docs/tuning/private.md"                                                                           \
    }
/* As PRIVATELY, where most large blocks are mapped: copies cost less, waiting costs the same. */
#define ON_HEAP(way, ...)                                                                                              \
    {                                                                                                                  \
        .reach_set = BN_REACH_BIT(BN_REACH_HEAP), .entry = (way), .evidence = "docs/tuning/private.md", __VA_ARGS__    \
    }
#define ROOM "pull/flat/room"
#define STAGE "push-pull/flat/stage"
#define BY_STAGE_ALONE                                                                                                 \
    {                                                                                                                  \
        .reach_set = BN_REACH_BIT(BN_REACH_STAGES), .entry = STAGE, .evidence = "docs/tuning/private.md"               \
    }

static const struct bn_rule broadcast[] = {
    ON_HEAP(ROOM, .max_bytes = 4096),
    ON_HEAP(STAGE, .max_bytes = 32768, .crowded = 1),
    ON_HEAP("pull/flat/whole", .max_bytes = BN_ANY_BYTES),
    PRIVATELY(ROOM, .max_bytes = BN_TEAM_ROOM_BYTES),
    PRIVATELY(STAGE, .max_bytes = 131072, .crowded = 1),
    PRIVATELY(STAGE, .max_bytes = 4 << 20, .crowded = 1, .min_members = 6),
    BY_STAGE_ALONE,
    BY_BOTH_ENDS,
    {.max_bytes = BN_TEAM_MAIL_BYTES, .min_nodes = 2, .max_nodes = 8, .entry = "push-pull/flat.flat/mail",
     .evidence = "docs/tuning/clusters.md"},
    {.max_bytes = BN_TEAM_MAIL_BYTES, .min_nodes = 2, .entry = "push-pull/binomial.flat/mail",
     .evidence = "docs/tuning/clusters.md"},
    {.max_bytes = 524288, .min_nodes = 2, .entry = "push-pull/binomial.flat/chunks",
     .evidence = "docs/tuning/clusters.md"},
    {.min_nodes = 2, .max_nodes = 8, .entry = "push-pull/chain.flat/chunks", .evidence = "docs/tuning/clusters.md"},
    {.min_nodes = 2, .entry = "push-pull/binomial.flat/chunks", .evidence = "docs/tuning/clusters.md"},
    {.max_bytes = 128, .sync_set = WITH_PARTNERS, .entry = "pull/flat/room", .evidence = "docs/tuning/broadcast.md"},
    {.entry = "pull/flat/whole", .evidence = "docs/tuning/broadcast.md"},
};

/* For teams over nodes without mail (more than BN_TEAM_MAIL_MEMBERS members), which skip the rules for mail */
#define WITHOUT_MAIL(bytes)                                                                                            \
    {                                                                                                                  \
        .max_bytes = (bytes), .min_nodes = 2, .entry = "push/binomial.binomial.binomial/whole",                        \
        .evidence = "docs/tuning/clusters.md"                                                                          \
    }

#define BY_MAIL(total_bytes)                                                                                           \
    {                                                                                                                  \
        .max_total_bytes = (total_bytes), .min_nodes = 2, .entry = "push-pull/nodes/mail",                             \
        .evidence = "docs/tuning/clusters.md"                                                                          \
    }

static const struct bn_rule scatter[] = {
    ON_HEAP(ROOM, .max_total_bytes = BN_TEAM_ROOM_BYTES),
    ON_HEAP(STAGE, .max_bytes = 16384, .crowded = 1),
    ON_HEAP("pull/flat/whole", .max_bytes = BN_ANY_BYTES),
    PRIVATELY(ROOM, .max_total_bytes = BN_TEAM_ROOM_BYTES),
    PRIVATELY(STAGE, .max_bytes = 4096),
    PRIVATELY(STAGE, .max_bytes = 16384, .crowded = 1),
    BY_STAGE_ALONE,
    BY_BOTH_ENDS,
    BY_MAIL(BN_TEAM_MAIL_BYTES),
    {.max_bytes = BN_TEAM_MAIL_BYTES, .min_nodes = 2, .entry = "push/flat/mail", .evidence = "docs/tuning/clusters.md"},
    {.min_nodes = 2, .entry = "push/flat/whole", .evidence = "docs/tuning/clusters.md"},
    WITHOUT_MAIL(512),
    {.max_bytes = 64, .max_total_bytes = 512, .sync_set = WITH_PARTNERS, .entry = "pull/flat/room",
     .evidence = "docs/tuning/direct.md"},
    {.entry = "pull/flat/whole", .evidence = "docs/tuning/direct.md"},
};

static const struct bn_rule gather[] = {
    ON_HEAP(ROOM, .max_bytes = 4096),
    ON_HEAP(STAGE, .max_bytes = 65536, .crowded = 1),
    ON_HEAP("push/flat/whole", .max_bytes = BN_ANY_BYTES),
    PRIVATELY(ROOM, .max_bytes = BN_TEAM_ROOM_BYTES),
    PRIVATELY(STAGE, .max_bytes = 262144, .crowded = 1),
    BY_STAGE_ALONE,
    BY_BOTH_ENDS,
    BY_MAIL(BN_TEAM_WIDE_MAIL_BYTES),
    WITHOUT_MAIL(512),
    {.min_nodes = 2, .entry = "push/flat/whole", .evidence = "docs/tuning/clusters.md"},
    {.max_bytes = 128, .sync_set = WITH_PARTNERS, .entry = "pull/flat/room", .evidence = "docs/tuning/direct.md"},
    {.max_bytes = 8192, .entry = "push/flat/whole", .evidence = "docs/tuning/direct.md"},
    {.max_total_bytes = 512 << 10, .max_members = 8, .entry = "pull/flat/whole", .evidence = "docs/tuning/direct.md"},
    {.entry = "push/flat/whole", .evidence = "docs/tuning/direct.md"},
};

static const struct bn_rule gather_all[] = {
    ON_HEAP(ROOM, .max_bytes = 4096),
    ON_HEAP(STAGE, .max_bytes = 16384, .crowded = 1),
    ON_HEAP("pull/flat/whole", .max_bytes = BN_ANY_BYTES),
    PRIVATELY(ROOM, .max_bytes = 512),
    PRIVATELY(STAGE, .crowded = 1, .min_members = 6),
    PRIVATELY(ROOM, .max_bytes = BN_TEAM_ROOM_BYTES),
    PRIVATELY(STAGE, .max_bytes = 1 << 20, .crowded = 1),
    BY_STAGE_ALONE,
    BY_MAIL(BN_TEAM_WIDE_MAIL_BYTES),
    {.min_nodes = 2, .entry = "push-pull/nodes/whole", .evidence = "docs/tuning/clusters.md"},
    {.max_bytes = 512, .sync_set = WITH_PARTNERS, .entry = "pull/flat/room", .evidence = "docs/tuning/gather_all.md"},
    {.max_bytes = BN_TEAM_ROOM_BYTES, .crowded = 1, .sync_set = WITH_PARTNERS, .entry = "pull/flat/room",
     .evidence = "docs/tuning/gather_all.md"},
    {.entry = "pull/flat/whole", .evidence = "docs/tuning/gather_all.md"},
};

static const struct bn_rule exchange[] = {
    ON_HEAP(ROOM, .max_total_bytes = 1024),
    ON_HEAP(STAGE, .max_bytes = 4096, .crowded = 1),
    ON_HEAP("pull/flat/whole", .max_bytes = BN_ANY_BYTES),
    PRIVATELY(ROOM, .max_total_bytes = 1024),
    PRIVATELY(STAGE, .max_bytes = 4096),
    PRIVATELY(STAGE, .max_bytes = 16384, .crowded = 1),
    PRIVATELY(STAGE, .max_bytes = 65536, .crowded = 1, .max_members = 6),
    BY_STAGE_ALONE,
    {.max_pairs_bytes = BN_TEAM_MAIL_BYTES, .min_nodes = 2, .entry = "push-pull/nodes/mail",
     .evidence = "docs/tuning/clusters.md"},
    {.max_total_bytes = BN_TEAM_WIDE_MAIL_BYTES / 2, .min_nodes = 2, .entry = "push/nodes/mail",
     .evidence = "docs/tuning/clusters.md"},
    {.max_bytes = 524288, .min_nodes = 2, .entry = "push/nodes/whole", .evidence = "docs/tuning/clusters.md"},
    {.min_nodes = 2, .entry = "push/flat/whole", .evidence = "docs/tuning/clusters.md"},
    {.max_total_bytes = BN_TEAM_ROOM_BYTES, .crowded = 1, .sync_set = WITH_PARTNERS, .entry = "pull/flat/room",
     .evidence = "docs/tuning/direct.md"},
    {.min_members = 3, .max_total_bytes = 1024, .sync_set = WITH_PARTNERS, .entry = "pull/flat/room",
     .evidence = "docs/tuning/direct.md"},
    {.entry = "pull/flat/whole", .evidence = "docs/tuning/direct.md"},
};

static const struct bn_rule reduce_all[] = {
    {.min_nodes = 2, .max_nodes = 8, .entry = "push-pull/flat.flat/whole", .evidence = "docs/tuning/clusters.md"},
    {.min_nodes = 2, .entry = "push-pull/binomial.flat/whole", .evidence = "docs/tuning/clusters.md"},
    WITHOUT_MAIL(BN_ANY_BYTES),
    {.max_members = 2, .entry = "pull/doubling/whole", .evidence = "docs/tuning/reduce_all.md"},
    {.entry = "pull/flat/whole", .evidence = "docs/tuning/reduce_all.md"},
};

static const struct bn_rule reduce[] = {
    {.min_nodes = 2, .max_nodes = 8, .entry = "push-pull/flat.flat/whole", .evidence = "docs/tuning/clusters.md"},
    {.min_nodes = 2, .entry = "push-pull/binomial.flat/whole", .evidence = "docs/tuning/clusters.md"},
    WITHOUT_MAIL(BN_ANY_BYTES),
    {.min_members = 9, .crowded = -1, .entry = "pull/binomial.binomial.binomial/whole",
     .evidence = "docs/tuning/direct.md"},
    {.entry = "pull/flat/whole", .evidence = "docs/tuning/direct.md"},
};

static const struct bn_rule prefix[] = {
    {.min_nodes = 2, .entry = "pull/doubling.binomial.binomial/whole", .evidence = "docs/tuning/clusters.md"},
    {.entry = "pull/flat/whole", .evidence = "docs/tuning/reduce_all.md"},
};

static const struct bn_rule barrier[] = {
    {.entry = "central", .evidence = "docs/tuning/barrier.md"},
};

static const struct bn_rule permute[] = {
    {.max_bytes = 2048, .entry = "push/flat/whole", .evidence = "docs/tuning/direct.md"},
    {.min_nodes = 2, .entry = "push/flat/whole", .evidence = "docs/tuning/direct.md"},
    /* If the entry requires no synchronisation, nobody would announce the sender; and an invalid permutation must not
     * make anyone wait. */
    {.max_total_bytes = 512 << 10,
     .sync_set = BN_SYNC_SET_ALL & ~FROM_ANY_STATE,
     .entry = "pull/flat/whole",
     .evidence = "docs/tuning/direct.md"},
    {.entry = "push/flat/whole", .evidence = "docs/tuning/direct.md"},
};

static const struct bn_rule pulled[] = {{.entry = "pull/flat/whole", .evidence = "docs/tuning/private.md"}};
static const struct bn_rule pushed[] = {{.entry = "push/flat/whole", .evidence = "docs/tuning/private.md"}};

#define COLUMNS_ON_STAGE "push-pull/columns/stage"
#define COMBINED(bytes, way) {.max_bytes = (bytes), .entry = (way), .evidence = "docs/tuning/combine.md"}
/* Two members with a core for each */
#define BY_TWO(bytes)                                                                                                  \
    {                                                                                                                  \
        .max_bytes = (bytes), .max_members = 2,                                                                        \
        .reach_set = BN_REACH_BIT(BN_REACH_KERNEL), .entry = "pull/columns/whole",                                     \
        .evidence = "docs/tuning/combine.md"                                                                           \
    }

/* Rows that all members see need not be copied. */
#define COLUMNS_OF_MAPPED                                                                                              \
    {                                                                                                                  \
        .reach_set = BN_REACH_BIT(BN_REACH_MAPPED), .entry = "pull/columns/whole",                                     \
        .evidence = "docs/tuning/python.md"                                                                            \
    }

static const struct bn_rule combine[] = {
    COMBINED(BN_TEAM_ROOM_BYTES, ROOM),
    COLUMNS_OF_MAPPED,
    {.max_bytes = 32 << 10, .max_members = 2, .reach_set = PRIVATE, .entry = STAGE,
     .evidence = "docs/tuning/combine.md"},
    BY_TWO(BN_ANY_BYTES),
    {.max_bytes = 64 << 10, .max_members = 8, .reach_set = PRIVATE, .entry = STAGE,
     .evidence = "docs/tuning/combine.md"},
    COMBINED(BN_ANY_BYTES, COLUMNS_ON_STAGE),
};

static const struct bn_rule combine_columns[] = {
    COMBINED(BN_TEAM_ROOM_BYTES, ROOM),
    COLUMNS_OF_MAPPED,
    COMBINED(32 << 10, COLUMNS_ON_STAGE),
    BY_TWO(256 << 10),
    COMBINED(BN_ANY_BYTES, COLUMNS_ON_STAGE),
};

/* Results are written to memory that all members see while the cache lines read from there are still cached. */
#define PUSHED_TO_MAPPED(bytes)                                                                                        \
    {                                                                                                                  \
        .max_bytes = (bytes),                                                                                          \
        .reach_set = BN_REACH_BIT(BN_REACH_MAPPED), .entry = "push/columns/whole",                                     \
        .evidence = "docs/tuning/combine.md"                                                                           \
    }

static const struct bn_rule combine_all[] = {
    COMBINED(BN_TEAM_ROOM_BYTES, ROOM),
    PUSHED_TO_MAPPED(1 << 20),
    COLUMNS_OF_MAPPED,
    COMBINED(BN_ANY_BYTES, COLUMNS_ON_STAGE),
};

/* clang-format on */
#define BUILT_IN(table) {"built in", sizeof table / sizeof table[0], table}

static const struct bn_rules rules[BN_OPERATION_COUNT] = {
    [BN_BROADCAST] = BUILT_IN(broadcast),
    [BN_SCATTER] = BUILT_IN(scatter),
    [BN_GATHER] = BUILT_IN(gather),
    [BN_GATHER_ALL] = BUILT_IN(gather_all),
    [BN_EXCHANGE] = BUILT_IN(exchange),
    [BN_PERMUTE] = BUILT_IN(permute),
    [BN_REDUCE] = BUILT_IN(reduce),
    [BN_REDUCE_ALL] = BUILT_IN(reduce_all),
    [BN_PREFIX] = BUILT_IN(prefix),
    [BN_BARRIER] = BUILT_IN(barrier),
    [BN_SCATTER_V] = BUILT_IN(pulled),
    [BN_GATHER_V] = BUILT_IN(pushed),
    [BN_GATHER_ALL_V] = BUILT_IN(pulled),
    [BN_EXCHANGE_V] = BUILT_IN(pulled),
    [BN_COMBINE] = BUILT_IN(combine),
    [BN_COMBINE_ALL] = BUILT_IN(combine_all),
    [BN_COMBINE_SCATTER] = BUILT_IN(combine_columns),
    [BN_COMBINE_PREFIX] = BUILT_IN(combine_columns),
};

const struct bn_rules *bn_rules_default(enum bn_operation operation)
{
    return &rules[operation];
}

static bool holds(const struct bn_rule *rule, const struct bn_conditions *conditions)
{
    bool is_crowded = conditions->member_count > conditions->core_count;
    if (rule->max_bytes != 0 && conditions->nbytes > rule->max_bytes)
        return false;
    size_t members = (size_t)conditions->member_count;
    if (rule->max_total_bytes != 0 && conditions->nbytes > rule->max_total_bytes / members)
        return false;
    size_t pairs = members * (size_t)conditions->largest_node;
    if (rule->max_pairs_bytes != 0 && conditions->nbytes > rule->max_pairs_bytes / pairs)
        return false;
    if (conditions->member_count < rule->min_members)
        return false;
    if (rule->max_members != 0 && conditions->member_count > rule->max_members)
        return false;
    if (conditions->region_count < rule->min_regions)
        return false;
    if (conditions->node_count < rule->min_nodes)
        return false;
    if (rule->max_nodes != 0 && conditions->node_count > rule->max_nodes)
        return false;
    if (rule->crowded != 0 && (rule->crowded > 0) != is_crowded)
        return false;
    if (rule->reach_set != 0 && (rule->reach_set & BN_REACH_BIT(conditions->reach)) == 0)
        return false;
    return rule->sync_set == 0 ||
           (rule->sync_set & BN_SYNC_BIT((unsigned)conditions->in, (unsigned)conditions->out)) != 0;
}

static const struct bn_rule *find_from(const struct bn_rules *table, int first, const struct bn_conditions *conditions)
{
    for (int i = first; i < table->count; i++) {
        if (holds(&table->rules[i], conditions))
            return &table->rules[i];
    }
    return NULL;
}

const struct bn_rule *bn_rules_find(const struct bn_rules *table, const struct bn_conditions *conditions)
{
    return find_from(table, 0, conditions);
}

const struct bn_rule *bn_rules_find_after(const struct bn_rules *table, const struct bn_rule *rule,
                                          const struct bn_conditions *conditions)
{
    return find_from(table, (int)(rule - table->rules) + 1, conditions);
}

bool bn_rules_need_regions(const struct bn_rules *table, int member_count)
{
    for (int i = 0; i < table->count; i++) {
        const struct bn_rule *rule = &table->rules[i];
        if (rule->min_regions > 1 && member_count >= rule->min_members &&
            (rule->max_members == 0 || member_count <= rule->max_members))
            return true;
    }
    return false;
}
