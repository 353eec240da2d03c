/*
 * plan.h: a plan says how an operation is carried out; one is chosen for each (operation, synchronisation, size class)
 * and kept.
 *
 * An entry of the registry is forced by an option or chosen by the rules (select.h).  A plan has everything that its
 * entry needs; trees are built when the plan is first chosen.  Plans belong to one member of a team; all members make
 * the same choices.
 */
#ifndef BN_COLL_PLAN_H
#define BN_COLL_PLAN_H

#include "base/options.h"
#include "coll/registry.h"
#include "coll/select.h"
#include "coll/shape.h"
#include "coll/table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_SIZE_CLASSES = 64, BN_PLAN_MAX = 160 };

struct bn_plan {
    const struct bn_entry *entry;
    const struct bn_tuning *tuning;
    const struct bn_hierarchy *hierarchy; /* of plans with trees or rings, else null */
    struct bn_shape shape;
    struct bn_tree *trees; /* as this rank sees them: one for each root, or one for all */
    int *turns;            /* one for each tree, if the entry takes turns: how many children of the parent come before
                              this member */
    int tree_count;
    int tree_root;         /* root of the only tree, if there is one for all roots */
    bool is_in_rank_order; /* the ranks of each subtree are consecutive */
};

struct bn_plans {
    struct bn_tuning tuning;
    const struct bn_entry *forced[BN_OPERATION_COUNT];
    const struct bn_table *table; /* takes precedence over the built-in rules; may be null */
    int region_count;             /* memory regions that the members are in; 0 until it is first needed */
    int plan_count;
    uint8_t chosen[BN_OPERATION_COUNT][BN_SYNC_COUNT * BN_SYNC_COUNT][BN_SIZE_CLASSES]; /* plan + 1; 0: not yet */
    struct bn_plan plans[BN_PLAN_MAX]; /* at most one for each entry of the registry */
};

/** Checks that the ways named by the options BANYAN_COLL_* exist. @errors BN_ERR_INVALID, reported with a list of those
 * that do. */
bn_status_t bn_plans_check_options(void);

/**
 * The size of bn_tuning that belongs to an option: BN_OPTION_COLL_CHUNK, _HALVES or _PREFIX_BLOCKS.  It is the option's
 * value if the option is set, else the table's if there is a table that has one, else the default; *origin_p says
 * which.
 */
size_t bn_plan_size_bytes(const struct bn_table *table, enum bn_option_id option, const char **origin_p);

/** Gives a member its plans, in zeroed memory. plans and table, which may be null, must last as long as the team. */
void bn_plans_init(struct bn_team *team, struct bn_plans *plans, const struct bn_table *table);

/** Returns the first rule that matches the conditions and whose way the team can use; never null.  *origin_p becomes
 * where the rule stands.  team null: every way counts as usable. */
const struct bn_rule *bn_plan_rule(const struct bn_table *table, enum bn_operation operation,
                                   const struct bn_conditions *conditions, const struct bn_team *team,
                                   const char **origin_p);

/**
 * Makes barriers of the team follow the options or rules; until then they are central.  Called by all members at the
 * same point, once their locations can be found out.
 *
 * @errors As bn_team_choose_barrier.
 */
bn_status_t bn_plans_choose_barrier(struct bn_team *team);

/** Frees what plans hold. */
void bn_plans_destroy(struct bn_team *team);

/**
 * From now on the operation always uses the entry of this name; null: the one that the rules choose.  Called by all
 * members at the same point.  Returns false, and reports nothing, if the operation has no entry of that name; for
 * barriers also if the kind cannot be used, which is reported.
 */
bool bn_plans_force(struct bn_team *team, enum bn_operation operation, const char *name);

/** The size class of a number of bytes: class k holds 2^(k-1) + 1 to 2^k. */
static inline unsigned bn_size_class(size_t nbytes)
{
    return nbytes <= 1 ? 0 : 64U - (unsigned)__builtin_clzl(nbytes - 1);
}

/** Makes the plan for the first call in its size class.
 *  @errors Null: no room for trees, or the forced entry cannot carry out the call; reported. */
const struct bn_plan *bn_plan_make(struct bn_team *team, enum bn_operation operation, const struct bn_call *call);

/** The plan for a call.  @errors As bn_plan_make.  @cost One look-up. */
static inline const struct bn_plan *bn_plan_choose(struct bn_team *team, enum bn_operation operation,
                                                   const struct bn_call *call)
{
    struct bn_plans *plans = team->plans;
    unsigned sync = (unsigned)call->in * BN_SYNC_COUNT + (unsigned)call->out;
    unsigned plan = plans->chosen[operation][sync][bn_size_class(call->nbytes)];
    return __builtin_expect(plan != 0, 1) ? &plans->plans[plan - 1] : bn_plan_make(team, operation, call);
}

/** Bytes of a fragment of a message. */
size_t bn_plan_fragment_bytes(const struct bn_plan *plan, size_t nbytes);

/* ---- The tree of a plan, for one root ---- */

/*
 * A tree that was made for another root can serve any root if the root first hands the data to the tree's own root: the
 * edge above the root is removed, an edge from the root to the tree's root is added, and all other edges stay.
 */
struct bn_branch {
    const struct bn_tree *tree;
    int turn;   /* in the tree, if the entry takes turns */
    int parent; /* -1 at the root */
    int root;
    int extra_child; /* the tree's root, at the root of the call; -1 for all others */
};

struct bn_branch bn_branch_of(const struct bn_team *team, const struct bn_plan *plan, int root);

/** Iterates over the children: *index starts at 0; returns -1 after the last. */
static inline int bn_branch_next(const struct bn_branch *branch, int *index)
{
    int place = (*index)++;
    if (branch->extra_child >= 0 && place-- == 0)
        return branch->extra_child;
    if (place < branch->tree->child_count && branch->tree->children[place].rank == branch->root)
        place = (*index)++ - (branch->extra_child >= 0);
    return place < branch->tree->child_count ? branch->tree->children[place].rank : -1;
}

static inline bool bn_branch_has_children(const struct bn_branch *branch)
{
    int index = 0;
    return bn_branch_next(branch, &index) >= 0;
}

/** Returns once all children have said the step (bn_team_hear). */
static inline void bn_branch_hear_children(struct bn_team *team, const struct bn_branch *branch, uint32_t step)
{
    int index = 0;
    for (int child = bn_branch_next(branch, &index); child >= 0; child = bn_branch_next(branch, &index))
        bn_team_hear(team, child, step);
}

#ifdef __cplusplus
}
#endif

#endif
