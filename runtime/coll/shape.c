#include "coll/shape.h"

#include "base/log.h"

#include <stdlib.h>

/* ---- One part: a tree over n things in a row, of which one is the root ---- */

struct range {
    int begin, end;
};

/* A thing's place in the tree of one part; all are indices in the row. */
struct spot {
    int parent; /* -1 at the root */
    int depth;
    struct range subtree;
};

/* Called for each child of a thing with the child and the range of its subtree, itself included */
typedef void visit_child(void *context, int child, struct range subtree);

static struct spot flat_spot(int count, int root, int me, visit_child *visit, void *context)
{
    if (me != root)
        return (struct spot){.parent = root, .depth = 1, .subtree = {me, me + 1}};
    for (int child = 0; child < count; ++child) {
        if (child != root)
            visit(context, child, (struct range){child, child + 1});
    }
    return (struct spot){.parent = -1, .subtree = {0, count}};
}

/* A chain from the root to both ends of the row, each thing below the previous one */
static struct spot chain_spot(int count, int root, int me, visit_child *visit, void *context)
{
    const struct range up = {me + 1, count};
    const struct range down = {0, me};
    bool has_up = me >= root && me + 1 < count;
    bool has_down = me <= root && me > 0;
    bool is_up_longer = count - me > me;
    if (has_up && is_up_longer)
        visit(context, me + 1, up);
    if (has_down)
        visit(context, me - 1, down);
    if (has_up && !is_up_longer)
        visit(context, me + 1, up);
    if (me == root)
        return (struct spot){.parent = -1, .subtree = {0, count}};
    if (me > root)
        return (struct spot){.parent = me - 1, .depth = me - root, .subtree = {me, count}};
    return (struct spot){.parent = me + 1, .depth = root - me, .subtree = {0, me + 1}};
}

/* Slice number slice of a row that is cut into slice_count slices of almost equal size */
static struct range slice_of_row(struct range row, int slice_count, int slice)
{
    int64_t size = row.end - row.begin;
    int64_t begin = (slice * size + slice_count - 1) / slice_count;
    int64_t end = ((slice + 1) * size + slice_count - 1) / slice_count;
    return (struct range){row.begin + (int)begin, row.begin + (int)end};
}

static int slice_with(struct range row, int slice_count, int thing)
{
    return (int)((int64_t)(thing - row.begin) * slice_count / (row.end - row.begin));
}

static void visit_other_slices(struct range row, int slice_count, int own_slice, visit_child *visit, void *context)
{
    for (int slice = 0; slice < slice_count; ++slice) {
        struct range subtree = slice_of_row(row, slice_count, slice);
        if (slice != own_slice)
            visit(context, subtree.begin, subtree);
    }
}

/*
 * The row is cut into radix slices, the root sends to the first of each other slice, and each slice is a row with a
 * root of its own.
 */
static struct spot knomial_spot(int radix, int count, int root, int me, visit_child *visit, void *context)
{
    struct range row = {0, count};
    struct spot spot = {.parent = -1, .subtree = row};
    while (row.end - row.begin > 1) {
        int slice_count = row.end - row.begin < radix ? row.end - row.begin : radix;
        int slice = slice_with(row, slice_count, me);
        bool is_with_root = slice == slice_with(row, slice_count, root);
        if (me == root)
            visit_other_slices(row, slice_count, slice, visit, context);
        row = slice_of_row(row, slice_count, slice);
        if (is_with_root)
            continue;
        spot = (struct spot){.parent = root, .depth = spot.depth + 1, .subtree = row};
        root = row.begin;
    }
    return spot;
}

static struct spot find_spot(const struct bn_shape_part *part, int count, int root, int me, visit_child *visit,
                             void *context)
{
    switch (part->kind) {
    case BN_SHAPE_FLAT: break;
    case BN_SHAPE_CHAIN: return chain_spot(count, root, me, visit, context);
    case BN_SHAPE_KNOMIAL: return knomial_spot(part->radix, count, root, me, visit, context);
    }
    return flat_spot(count, root, me, visit, context);
}

/* ---- The row of things that a part connects around one member ---- */

struct walk {
    const struct bn_hierarchy *hierarchy;
    const struct bn_shape *shape;
    int root, rank;
    struct bn_tree *tree;
    int child_room;
    bool is_out_of_memory;
    /* State of the current part */
    int part;
    bool connects_members;
    int begin;      /* position of the first thing, if things are members; else number of the first group */
    int count;      /* of things */
    int root_thing; /* the thing with the root in it, or the first */
    bool has_root;
};

static bool is_by_rank(const struct bn_shape *shape)
{
    return shape->part_count == 1;
}

int bn_shape_member_at(const struct bn_hierarchy *hierarchy, const struct bn_shape *shape, int index)
{
    return is_by_rank(shape) ? index : bn_hierarchy_member_at(hierarchy, index);
}

int bn_shape_index_of(const struct bn_hierarchy *hierarchy, const struct bn_shape *shape, int rank)
{
    return is_by_rank(shape) ? rank : bn_hierarchy_position_of(hierarchy, rank);
}

/* Things of a walk are counted from 0 in their row. */
static int thing_with(const struct walk *walk, int rank)
{
    if (walk->connects_members)
        return bn_shape_index_of(walk->hierarchy, walk->shape, rank) - walk->begin;
    return bn_hierarchy_group_of(walk->hierarchy, walk->shape->parts[walk->part].level, rank) - walk->begin;
}

static int thing_begin(const struct walk *walk, int thing)
{
    if (walk->connects_members)
        return walk->begin + thing;
    return bn_hierarchy_group_begin(walk->hierarchy, walk->shape->parts[walk->part].level, walk->begin + thing);
}

/* The member that acts for a thing */
static int thing_leader(const struct walk *walk, int thing)
{
    if (walk->has_root && thing == walk->root_thing)
        return walk->root;
    return bn_shape_member_at(walk->hierarchy, walk->shape, thing_begin(walk, thing));
}

/* Sets the walk to a part: the things in the member's group of the previous level. */
static void enter_part(struct walk *walk, int part)
{
    const struct bn_hierarchy *hierarchy = walk->hierarchy;
    const struct bn_shape *shape = walk->shape;
    enum bn_level outer = part == 0 ? BN_LEVEL_CLUSTER : shape->parts[part - 1].level;
    int group = bn_hierarchy_group_of(hierarchy, outer, walk->rank);
    walk->part = part;
    walk->connects_members = part == shape->part_count - 1;
    walk->has_root = bn_hierarchy_group_of(hierarchy, outer, walk->root) == group;
    if (walk->connects_members) {
        walk->begin = bn_hierarchy_group_begin(hierarchy, outer, group);
        walk->count = bn_hierarchy_group_size(hierarchy, outer, group);
    } else {
        walk->begin = bn_hierarchy_first_subgroup(hierarchy, outer, group, shape->parts[part].level);
        walk->count = bn_hierarchy_subgroup_count(hierarchy, outer, group, shape->parts[part].level);
    }
    walk->root_thing = walk->has_root ? thing_with(walk, walk->root) : 0;
}

static void add_child(void *context, int child, struct range subtree)
{
    enum { FIRST_ROOM = 8 };
    struct walk *walk = context;
    struct bn_tree *tree = walk->tree;
    if (tree->child_count == walk->child_room) {
        int room = walk->child_room > 0 ? 2 * walk->child_room : FIRST_ROOM;
        struct bn_tree_child *children = realloc(tree->children, (size_t)room * sizeof *children);
        if (!children) {
            walk->is_out_of_memory = true;
            return;
        }
        tree->children = children;
        walk->child_room = room;
    }
    int first = thing_begin(walk, subtree.begin);
    tree->children[tree->child_count++] = (struct bn_tree_child){
        .rank = thing_leader(walk, child),
        .part = walk->part,
        .first = first,
        .count = thing_begin(walk, subtree.end) - first,
    };
}

static void ignore_child(void *context, int child, struct range subtree)
{
    (void)context;
    (void)child;
    (void)subtree;
}

bn_status_t bn_shape_tree(const struct bn_hierarchy *hierarchy, const struct bn_shape *shape, int root, int rank,
                          struct bn_tree *tree_p)
{
    struct walk walk = {.hierarchy = hierarchy, .shape = shape, .root = root, .rank = rank, .tree = tree_p};
    *tree_p = (struct bn_tree){.parent = -1, .count = bn_hierarchy_member_count(hierarchy)};
    for (int part = 0; part < shape->part_count; ++part) {
        enter_part(&walk, part);
        int me = thing_with(&walk, rank);
        bool takes_part = thing_leader(&walk, me) == rank;
        struct spot spot = find_spot(&shape->parts[part], walk.count, walk.root_thing, me,
                                     takes_part ? add_child : ignore_child, &walk);
        tree_p->depth += spot.depth;
        if (!takes_part || spot.parent < 0)
            continue;
        tree_p->parent = thing_leader(&walk, spot.parent);
        tree_p->part = part;
        tree_p->first = thing_begin(&walk, spot.subtree.begin);
        tree_p->count = thing_begin(&walk, spot.subtree.end) - tree_p->first;
    }
    if (walk.is_out_of_memory) {
        bn_log_error("no memory for a tree of %d threads", bn_hierarchy_member_count(hierarchy));
        bn_tree_destroy(tree_p);
        return BN_ERR_MEMORY;
    }
    return BN_OK;
}

void bn_tree_destroy(struct bn_tree *tree)
{
    free(tree->children);
    tree->children = NULL;
    tree->child_count = 0;
}

bool bn_shape_is_in_rank_order(const struct bn_hierarchy *hierarchy, const struct bn_shape *shape)
{
    return is_by_rank(shape) || hierarchy->is_in_member_order;
}

int bn_shape_leader(const struct bn_hierarchy *hierarchy, const struct bn_shape *shape)
{
    return bn_shape_member_at(hierarchy, shape, 0);
}

/* ---- Rings ---- */

int bn_shape_ring_member(const struct bn_hierarchy *hierarchy, enum bn_ring_order order, int index)
{
    int count = bn_hierarchy_member_count(hierarchy);
    int wrapped = index < 0 ? index + count : index >= count ? index - count : index;
    return order == BN_RING_BY_RANK ? wrapped : bn_hierarchy_member_at(hierarchy, wrapped);
}

struct bn_ring bn_shape_ring(const struct bn_hierarchy *hierarchy, enum bn_ring_order order, int rank)
{
    int index = order == BN_RING_BY_RANK ? rank : bn_hierarchy_position_of(hierarchy, rank);
    return (struct bn_ring){
        .previous = bn_shape_ring_member(hierarchy, order, index - 1),
        .next = bn_shape_ring_member(hierarchy, order, index + 1),
        .index = index,
    };
}
