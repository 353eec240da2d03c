#include "coll/plan.h"

#include "base/log.h"
#include "base/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bits of an operation's steps that fragments may use; the rest is for other steps of the algorithm */
enum { FRAGMENT_BITS = BN_TEAM_STEP_BITS - 2 };

enum { PIECE_BYTES = 256 << 10 }; /* docs/tuning/combine.md */

size_t bn_plan_size_bytes(const struct bn_table *table, enum bn_option_id option, const char **origin_p)
{
    const struct bn_option_value *value = bn_option(option);
    size_t measured = 0;
    if (table && option == BN_OPTION_COLL_CHUNK)
        measured = table->chunk_bytes;
    else if (table && option == BN_OPTION_COLL_HALVES)
        measured = table->halves_from_bytes;
    bool is_measured = value->source == BN_OPTION_FROM_DEFAULT && measured != 0;
    *origin_p = value->source != BN_OPTION_FROM_DEFAULT ? value->source_name : is_measured ? table->path : "built in";
    return is_measured ? measured : (size_t)value->number;
}

static struct bn_tuning tuning_of(const struct bn_table *table)
{
    const char *origin;
    return (struct bn_tuning){
        .halves_from_bytes = bn_plan_size_bytes(table, BN_OPTION_COLL_HALVES, &origin),
        .chunk_bytes = bn_plan_size_bytes(table, BN_OPTION_COLL_CHUNK, &origin),
        .prefix_block_bytes = bn_plan_size_bytes(table, BN_OPTION_COLL_PREFIX_BLOCKS, &origin),
        .piece_bytes = PIECE_BYTES,
        .tree_max = (int)bn_option_number(BN_OPTION_COLL_TREES),
        .token_count = (int)bn_option_number(BN_OPTION_COLL_TOKENS),
    };
}

static const char *name_in_options(int operation)
{
    const struct bn_option_value *value = bn_option((enum bn_option_id)(BN_OPTION_COLL_BROADCAST + operation));
    return value->text && value->text[0] != '\0' ? value->text : NULL;
}

static void report_unknown(enum bn_operation operation, const char *name)
{
    char names[2048] = "";
    size_t used = 0;
    int count;
    const struct bn_entry *entries = bn_registry(operation, &count);
    for (int i = 0; i < count && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i == 0 ? "" : ", ", entries[i].name);
    bn_log_error("%s: \"%s\" is not a way to carry out this operation; there are %s",
                 bn_option_describe((enum bn_option_id)(BN_OPTION_COLL_BROADCAST + (int)operation))->name, name, names);
}

bn_status_t bn_plans_check_options(void)
{
    bn_status_t status = BN_OK;
    for (int operation = 0; operation < BN_OPERATION_COUNT; operation++) {
        const char *name = name_in_options(operation);
        if (!name || bn_registry_find((enum bn_operation)operation, name))
            continue;
        report_unknown((enum bn_operation)operation, name);
        status = BN_ERR_INVALID;
    }
    return status;
}

void bn_plans_init(struct bn_team *team, struct bn_plans *plans, const struct bn_table *table)
{
    plans->tuning = tuning_of(team->node_count > 1 ? NULL : table);
    plans->table = table;
    for (int operation = 0; operation < BN_OPERATION_COUNT; operation++) {
        const char *name = name_in_options(operation);
        plans->forced[operation] = name ? bn_registry_find((enum bn_operation)operation, name) : NULL;
    }
    team->plans = plans;
}

static void destroy_trees(struct bn_plan *plan)
{
    for (int i = 0; i < plan->tree_count; i++)
        bn_tree_destroy(&plan->trees[i]);
    free(plan->trees);
    free(plan->turns);
    plan->trees = NULL;
    plan->turns = NULL;
    plan->tree_count = 0;
}

void bn_plans_destroy(struct bn_team *team)
{
    for (int i = 0; team->plans && i < team->plans->plan_count; i++)
        destroy_trees(&team->plans->plans[i]);
    team->plans = NULL;
}

bool bn_plans_force(struct bn_team *team, enum bn_operation operation, const char *name)
{
    const struct bn_entry *entry = name ? bn_registry_find(operation, name) : NULL;
    if (name && (!entry || !bn_entry_is_there(entry, team)))
        return false;
    team->plans->forced[operation] = entry;
    memset(team->plans->chosen[operation], 0, sizeof team->plans->chosen[operation]);
    return operation != BN_BARRIER || bn_plans_choose_barrier(team) == BN_OK;
}

static const struct bn_hierarchy *hierarchy_of(const struct bn_team *team)
{
    return team->host.find_hierarchy ? team->host.find_hierarchy(team->host.context) : NULL;
}

/* A member's turn to bring its part to its parent: after the children whose subtrees lie before its own */
static bn_status_t find_turn(const struct bn_plan *plan, int root, const struct bn_tree *tree, int *turn_p)
{
    struct bn_tree of_parent;
    *turn_p = 0;
    if (tree->parent < 0)
        return BN_OK;
    bn_status_t status = bn_shape_tree(plan->hierarchy, &plan->shape, root, tree->parent, &of_parent);
    if (status != BN_OK)
        return status;
    for (int i = 0; i < of_parent.child_count; i++)
        *turn_p += of_parent.children[i].first < tree->first;
    bn_tree_destroy(&of_parent);
    return BN_OK;
}

/* Makes trees of the plan's shape: one for each root in a small team; in a large one a single tree for all roots, so
 * that memory does not grow */
static bn_status_t make_trees(const struct bn_team *team, struct bn_plan *plan)
{
    bool has_each = team->size <= plan->tuning->tree_max;
    int count = has_each ? team->size : 1;
    plan->trees = calloc((size_t)count, sizeof *plan->trees);
    plan->turns = plan->entry->takes_turns ? calloc((size_t)count, sizeof *plan->turns) : NULL;
    if (!plan->trees || (plan->entry->takes_turns && !plan->turns)) {
        bn_log_error("there is no memory for %d trees of collective operations", count);
        return BN_ERR_MEMORY;
    }
    plan->is_in_rank_order = bn_shape_is_in_rank_order(plan->hierarchy, &plan->shape);
    plan->tree_root = bn_shape_leader(plan->hierarchy, &plan->shape);
    for (; plan->tree_count < count; plan->tree_count++) {
        int root = has_each ? plan->tree_count : plan->tree_root;
        struct bn_tree *tree = &plan->trees[plan->tree_count];
        bn_status_t status = bn_shape_tree(plan->hierarchy, &plan->shape, root, team->rank, tree);
        if (status == BN_OK && plan->turns)
            status = find_turn(plan, root, tree, &plan->turns[plan->tree_count]);
        if (status != BN_OK) {
            bn_tree_destroy(tree);
            return status;
        }
    }
    return BN_OK;
}

_Static_assert(BN_PLAN_MAX <= UINT8_MAX, "bn_plans.chosen holds the number of a plan + 1");

/* The number + 1 of the plan for an entry; 0 if it cannot be made */
static unsigned plan_of_entry(struct bn_team *team, const struct bn_entry *entry)
{
    struct bn_plans *plans = team->plans;
    for (int i = 0; i < plans->plan_count; i++) {
        if (plans->plans[i].entry == entry)
            return (unsigned)i + 1;
    }
    struct bn_plan *plan = &plans->plans[plans->plan_count];
    *plan = (struct bn_plan){.entry = entry, .tuning = &plans->tuning};
    if (entry->shape) {
        plan->hierarchy = hierarchy_of(team);
        if (!plan->hierarchy)
            return 0;
    }
    if (entry->shape && bn_shape_parse(entry->shape, &plan->shape) && make_trees(team, plan) != BN_OK) {
        destroy_trees(plan);
        return 0;
    }
    return (unsigned)++plans->plan_count;
}

static int region_count_of(struct bn_team *team)
{
    struct bn_plans *plans = team->plans;
    if (plans->region_count == 0) {
        const struct bn_hierarchy *hierarchy = hierarchy_of(team);
        plans->region_count = hierarchy ? bn_hierarchy_group_count(hierarchy, BN_LEVEL_NUMA) : 1;
    }
    return plans->region_count;
}

static const struct bn_rule *find_rule(const struct bn_rules *rules, enum bn_operation operation,
                                       const struct bn_conditions *conditions, const struct bn_team *team)
{
    const struct bn_rule *rule = bn_rules_find(rules, conditions);
    while (rule && team && !bn_entry_is_there(bn_registry_find(operation, rule->entry), team))
        rule = bn_rules_find_after(rules, rule, conditions);
    return rule;
}

const struct bn_rule *bn_plan_rule(const struct bn_table *table, enum bn_operation operation,
                                   const struct bn_conditions *conditions, const struct bn_team *team,
                                   const char **origin_p)
{
    const struct bn_rule *rule = table ? find_rule(&table->rules[operation], operation, conditions, team) : NULL;
    *origin_p = rule ? table->rules[operation].origin : bn_rules_default(operation)->origin;
    return rule ? rule : find_rule(bn_rules_default(operation), operation, conditions, team);
}

/* The chosen entry must be able to carry all sizes of the class. */
static const struct bn_entry *choose(struct bn_team *team, enum bn_operation operation, const struct bn_call *call)
{
    struct bn_plans *plans = team->plans;
    const struct bn_entry *forced = plans->forced[operation];
    size_t class_bytes = (size_t)1 << bn_size_class(call->nbytes);
    size_t limit_bytes = forced ? bn_entry_limit(forced, team) : 0;
    if (limit_bytes != 0 && class_bytes > limit_bytes) {
        bn_log_error("%s \"%s\", which is requested, cannot carry more than %zu bytes; force another one, or none",
                     bn_operation_name(operation), forced->name, limit_bytes);
        return NULL;
    }
    if (forced && forced->needs_mail && team->mail && !bn_entry_is_there(forced, team)) {
        bn_log_error("%s \"%s\", which is requested, has no room for blocks of %d threads; force another one, or none",
                     bn_operation_name(operation), forced->name, team->size);
        return NULL;
    }
    if (forced && forced->needs_stages && !team->stages) {
        bn_log_error("%s \"%s\", which is requested, is only for MPI programs (banyan-mpi); force another one, or none",
                     bn_operation_name(operation), forced->name);
        return NULL;
    }
    if (forced && !bn_entry_is_there(forced, team)) {
        bn_log_error("%s \"%s\", which is requested, is only for programs over OpenSHMEM (upcc -network=shmem); force "
                     "another one, or none",
                     bn_operation_name(operation), forced->name);
        return NULL;
    }
    if (forced)
        return forced;
    struct bn_conditions conditions = {
        .nbytes = class_bytes,
        .in = call->in,
        .out = call->out,
        .member_count = team->size,
        .core_count = team->core_count,
        .region_count = 1,
        .node_count = team->node_count,
        .largest_node = team->largest_node,
        .reach = team->reach,
    };
    const char *origin;
    if (bn_rules_need_regions(bn_rules_default(operation), team->size) ||
        (plans->table && bn_rules_need_regions(&plans->table->rules[operation], team->size)))
        conditions.region_count = region_count_of(team);
    return bn_registry_find(operation, bn_plan_rule(plans->table, operation, &conditions, team, &origin)->entry);
}

const struct bn_plan *bn_plan_make(struct bn_team *team, enum bn_operation operation, const struct bn_call *call)
{
    struct bn_plans *plans = team->plans;
    unsigned sync = (unsigned)call->in * BN_SYNC_COUNT + (unsigned)call->out;
    const struct bn_entry *entry = choose(team, operation, call);
    unsigned plan = entry ? plan_of_entry(team, entry) : 0;
    if (plan == 0)
        return NULL;
    plans->chosen[operation][sync][bn_size_class(call->nbytes)] = (uint8_t)plan;
    return &plans->plans[plan - 1];
}

bn_status_t bn_plans_choose_barrier(struct bn_team *team)
{
    const struct bn_call call = {.nbytes = 1, .in = BN_SYNC_ALL, .out = BN_SYNC_ALL};
    const struct bn_entry *entry = choose(team, BN_BARRIER, &call);
    return entry ? bn_team_choose_barrier(team, entry->barrier) : BN_ERR_INVALID;
}

size_t bn_plan_fragment_bytes(const struct bn_plan *plan, size_t nbytes)
{
    size_t fragment = nbytes;
    if (plan->entry->fragments == BN_HALVES && nbytes >= plan->tuning->halves_from_bytes)
        fragment = (nbytes / 2 + BN_LINE_BYTES - 1) & ~(size_t)(BN_LINE_BYTES - 1);
    else if (plan->entry->fragments == BN_CHUNKS)
        fragment = plan->tuning->chunk_bytes;
    size_t least = (nbytes >> FRAGMENT_BITS) + 1;
    return fragment > least ? fragment : least;
}

struct bn_branch bn_branch_of(const struct bn_team *team, const struct bn_plan *plan, int root)
{
    int place = plan->tree_count > 1 ? root : 0;
    const struct bn_tree *tree = &plan->trees[place];
    struct bn_branch branch = {tree, plan->turns ? plan->turns[place] : 0, tree->parent, -1, -1};
    if (plan->tree_count > 1 || plan->tree_root == root)
        return branch;
    branch.root = root;
    if (team->rank == root) {
        branch.parent = -1;
        branch.extra_child = plan->tree_root;
    } else if (team->rank == plan->tree_root) {
        branch.parent = root;
    }
    return branch;
}
