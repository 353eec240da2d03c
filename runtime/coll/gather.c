/*
 * gather.c: gather over trees: each inner member collects the blocks of its subtree in a buffer.
 *
 * A member without room for a buffer names the destination of its own block instead, its parent's buffer or the root,
 * and the members below it write theirs there.
 *
 * If one tree serves all roots, the blocks that the tree's own root hands over do not include the subtree of the call's
 * root, which gets those from its own children.  The call's root announces the range of its subtree, and members
 * outside the range leave it out.
 */
#include "coll/algorithms.h"
#include "coll/plan.h"
#include "coll/range.h"
#include "platform/copy.h"

/* ENTERED + f: the first f fragments of the subtree have been delivered (push); ENTERED: they can be fetched (pull) */
enum { ENTERED = 1, DONE = 1 << (BN_TEAM_STEP_BITS - 1) };

/* Where a member delivers its blocks */
struct target {
    bool is_root;
    struct bn_range buffer;    /* of the parent */
    size_t skip_from, skip_to; /* bytes, in the tree's order, that the root does not take */
};

static struct target find_target(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call,
                                 const struct bn_branch *branch)
{
    struct target target = {.is_root = branch->parent == call->root};
    if (!target.is_root) {
        bn_slot_await(team, branch->parent, ENTERED);
        bn_slot_take(team, branch->parent, &target.buffer, sizeof target.buffer);
        target.is_root = target.buffer.address == 0;
    }
    bool has_own_tree = plan->tree_count > 1 || plan->tree_root == call->root;
    if (target.is_root && (call->in == BN_SYNC_MY || !has_own_tree))
        bn_slot_await(team, call->root, ENTERED);
    if (target.is_root && !has_own_tree) {
        struct bn_range skipped;
        bn_slot_take(team, call->root, &skipped, sizeof skipped);
        bool is_below = branch->tree->first >= skipped.first && branch->tree->first < skipped.first + skipped.count;
        target.skip_from = is_below ? 0 : (size_t)skipped.first * call->nbytes;
        target.skip_to = is_below ? 0 : target.skip_from + (size_t)skipped.count * call->nbytes;
    }
    return target;
}

static void bring_to_root(const struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call,
                          const struct target *target, const unsigned char *piece, size_t begin, size_t end)
{
    unsigned char *dst = bn_call_dst_at_root(team, call);
    size_t before = target->skip_from < end ? target->skip_from : end;
    size_t behind = target->skip_to > begin ? target->skip_to : begin;
    if (begin < before)
        bn_range_to_root(plan, dst, piece, begin, before, call->nbytes);
    if (behind < end)
        bn_range_to_root(plan, dst, piece + (behind - begin), behind, end, call->nbytes);
}

/* Delivers the bytes [begin, end), counted in the tree's order. */
static void bring(const struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call,
                  const struct target *target, const unsigned char *piece, size_t begin, size_t end)
{
    if (target->is_root)
        bring_to_root(team, plan, call, target, piece, begin, end);
    else
        bn_copy((unsigned char *)target->buffer.address + (begin - (size_t)target->buffer.first * call->nbytes), piece,
                end - begin);
}

/* Waits until all children have delivered their bytes between begin and end. */
static void await_children(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call,
                           const struct bn_branch *branch, size_t begin, size_t end)
{
    for (int i = 0; i < branch->tree->child_count; i++) {
        const struct bn_tree_child *child = &branch->tree->children[i];
        size_t from = (size_t)child->first * call->nbytes;
        size_t bytes = (size_t)child->count * call->nbytes;
        if (child->rank == branch->root || from >= end || from + bytes <= begin)
            continue;
        size_t fragment_bytes = bn_plan_fragment_bytes(plan, bytes);
        size_t needed = end - from < bytes ? end - from : bytes;
        bn_team_hear(team, child->rank, ENTERED + (uint32_t)((needed + fragment_bytes - 1) / fragment_bytes));
    }
}

static size_t own_begin(const struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    return (size_t)bn_shape_index_of(plan->hierarchy, &plan->shape, team->rank) * call->nbytes;
}

/* For a member without a buffer.  DONE means that the members below it have delivered their blocks, too. */
static void push_own(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call,
                     const struct bn_branch *branch)
{
    size_t begin = own_begin(team, plan, call);
    struct target target = find_target(team, plan, call, branch);
    if (bn_branch_has_children(branch))
        bn_slot_fill(team, team->rank, &target.buffer, sizeof target.buffer, ENTERED);
    bring(team, plan, call, &target, bn_call_src(team, call, team->rank), begin, begin + call->nbytes);
    bn_branch_hear_children(team, branch, DONE);
    bn_team_say(team, DONE);
}

static void push_through(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call,
                         const struct bn_branch *branch)
{
    size_t size_bytes = (size_t)branch->tree->count * call->nbytes;
    size_t origin = (size_t)branch->tree->first * call->nbytes;
    size_t fragment_bytes = bn_plan_fragment_bytes(plan, size_bytes);
    struct bn_range mine = bn_range_of(branch, bn_team_buffer_get(team, size_bytes));
    unsigned char *buffer = (unsigned char *)mine.address;
    uint32_t step = ENTERED;
    if (!buffer) {
        push_own(team, plan, call, branch);
        return;
    }
    bn_slot_fill(team, team->rank, &mine, sizeof mine, ENTERED);
    bn_copy(buffer + (own_begin(team, plan, call) - origin), bn_call_src(team, call, team->rank), call->nbytes);
    struct target target = find_target(team, plan, call, branch);
    for (size_t done = 0; done < size_bytes; done += fragment_bytes) {
        size_t left = size_bytes - done;
        size_t part = left < fragment_bytes ? left : fragment_bytes;
        await_children(team, plan, call, branch, origin + done, origin + done + part);
        bring(team, plan, call, &target, buffer + done, origin + done, origin + done + part);
        bn_team_say(team, ++step);
    }
    bn_team_say(team, DONE);
    bn_team_buffer_done(team);
}

static void put_own(struct bn_team *team, const struct bn_call *call)
{
    unsigned char *dst = bn_call_dst_at_root(team, call);
    bn_copy(dst + (size_t)team->rank * call->nbytes, bn_call_src(team, call, team->rank), call->nbytes);
}

void bn_gather_push(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    struct bn_branch branch = bn_branch_of(team, plan, call->root);
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    if (branch.parent < 0) {
        struct bn_range mine = bn_range_of(&branch, 0);
        bn_slot_fill(team, team->rank, &mine, sizeof mine, ENTERED);
        put_own(team, call);
        if (call->out == BN_SYNC_MY)
            bn_branch_hear_children(team, &branch, DONE);
    } else if (bn_branch_has_children(&branch)) {
        push_through(team, plan, call, &branch);
    } else {
        push_own(team, plan, call, &branch);
    }
    bn_operation_leave(team, call->out);
}

/* Fetches what a child has collected: into this member's buffer, or at the root to its destination. */
static void pull_from(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call, int child,
                      const struct target *target)
{
    struct bn_range theirs;
    bn_slot_await(team, child, ENTERED);
    bn_slot_take(team, child, &theirs, sizeof theirs);
    size_t begin = (size_t)theirs.first * call->nbytes;
    if (theirs.count != 0)
        bring(team, plan, call, target, (const unsigned char *)theirs.address, begin,
              begin + (size_t)theirs.count * call->nbytes);
}

static void pull_from_children(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call,
                               const struct bn_branch *branch, const struct target *target)
{
    int index = 0;
    for (int child = bn_branch_next(branch, &index); child >= 0; child = bn_branch_next(branch, &index))
        pull_from(team, plan, call, child, target);
    bn_team_say(team, DONE); /* the children may reuse their buffers */
}

/* Where a member without room for a buffer puts the blocks of its children: to where its parent would put them. */
static struct target find_place(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call,
                                const struct bn_branch *branch)
{
    struct target place = {.is_root = branch->parent == call->root};
    if (!place.is_root) {
        bn_team_hear(team, branch->parent, ENTERED);
        bn_team_read(team, branch->parent, &place.buffer, sizeof place.buffer);
        place.is_root = place.buffer.address == 0;
    }
    if (place.is_root) {
        struct bn_branch below_root = *branch;
        below_root.parent = call->root;
        place = find_target(team, plan, call, &below_root);
    }
    return place;
}

/* Returns what a member offers to its parent: a buffer with the blocks of its subtree; its own block if it is a leaf;
 * or nothing, after it has put all blocks where the parent wants them. */
static struct bn_range collect(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call,
                               const struct bn_branch *branch)
{
    size_t begin = own_begin(team, plan, call);
    unsigned char *src = bn_call_src(team, call, team->rank);
    if (!bn_branch_has_children(branch))
        return (struct bn_range){bn_team_place(team, src), bn_shape_index_of(plan->hierarchy, &plan->shape, team->rank),
                                 1};
    uint64_t buffer = bn_team_buffer_get(team, (size_t)branch->tree->count * call->nbytes);
    struct target target = {.buffer = bn_range_of(branch, buffer)};
    if (buffer == 0)
        target = find_place(team, plan, call, branch);
    bn_team_announce(team, &target.buffer, sizeof target.buffer, ENTERED);
    bring(team, plan, call, &target, src, begin, begin + call->nbytes);
    pull_from_children(team, plan, call, branch, &target);
    return buffer != 0 ? target.buffer : (struct bn_range){0, 0, 0};
}

void bn_gather_pull(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    struct bn_branch branch = bn_branch_of(team, plan, call->root);
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    if (branch.parent < 0) {
        struct bn_range own_subtree = bn_range_of(&branch, 0);
        struct target target = {.is_root = true};
        bn_slot_fill(team, team->rank, &own_subtree, sizeof own_subtree, ENTERED);
        put_own(team, call);
        int index = 0;
        for (int child = bn_branch_next(&branch, &index); child >= 0; child = bn_branch_next(&branch, &index)) {
            bool is_tree_root = child == branch.extra_child;
            target.skip_from = is_tree_root ? (size_t)own_subtree.first * call->nbytes : 0;
            target.skip_to = is_tree_root ? target.skip_from + (size_t)own_subtree.count * call->nbytes : 0;
            pull_from(team, plan, call, child, &target);
        }
        bn_team_say(team, DONE);
    } else {
        struct bn_range mine = collect(team, plan, call, &branch);
        bn_slot_fill(team, team->rank, &mine, sizeof mine, ENTERED);
        if (bn_branch_has_children(&branch) || call->out == BN_SYNC_MY)
            bn_team_hear(team, branch.parent, DONE);
        bn_team_buffer_done(team);
    }
    bn_operation_leave(team, call->out);
}
