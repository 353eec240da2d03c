/*
 * broadcast.c: broadcast algorithms.
 *
 * Steps that a member announces: ENTERED, then ENTERED + f when it has the first f fragments; the root announces ALL
 * immediately.
 */
#include "coll/algorithms.h"
#include "coll/plan.h"
#include "platform/copy.h"

enum { ENTERED = 1, ALL = 1 << (BN_TEAM_STEP_BITS - 1) };

/* Every member copies from the root.  Without MYSYNC, members need not synchronise with each other. */
void bn_broadcast_flat(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    void *mine = bn_call_dst(team, call, team->rank);
    bool all_entered = bn_operation_enter(team, call->in);
    bool says_entry = call->in == BN_SYNC_MY;
    bool says_exit = call->out == BN_SYNC_MY;
    if (says_entry || says_exit)
        all_entered |= bn_team_begin(team);
    if (team->rank == call->root) {
        if (says_entry && !all_entered)
            bn_team_say(team, ENTERED);
        bn_copy(mine, bn_call_src_at_root(team, call), call->nbytes);
        if (says_exit)
            bn_team_hear_all(team, ALL);
    } else {
        if (says_entry && !all_entered)
            bn_team_hear(team, call->root, ENTERED);
        bn_copy(mine, bn_call_src_at_root(team, call), call->nbytes);
        if (says_exit)
            bn_team_say(team, ALL);
    }
    bn_operation_leave(team, call->out);
}

void bn_broadcast_tree_inline(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    struct bn_branch branch = bn_branch_of(team, plan, call->root);
    void *mine = bn_call_dst(team, call, team->rank);
    int index = 0;
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    if (branch.parent < 0) {
        const void *src = bn_call_src_at_root(team, call);
        bn_slot_fill(team, team->rank, src, call->nbytes, ALL);
        bn_copy(mine, src, call->nbytes);
    } else {
        bn_slot_await(team, branch.parent, ALL);
        bn_slot_take(team, branch.parent, mine, call->nbytes);
        if (bn_branch_next(&branch, &index) >= 0)
            bn_slot_fill(team, team->rank, mine, call->nbytes, ALL);
    }
    bn_operation_leave(team, call->out);
}

/* Each member copies from its parent, fragment by fragment, as the fragments arrive there. */
void bn_broadcast_pull(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    struct bn_branch branch = bn_branch_of(team, plan, call->root);
    size_t fragment_bytes = bn_plan_fragment_bytes(plan, call->nbytes);
    unsigned char *mine = bn_call_dst(team, call, team->rank);
    bool has_children = bn_branch_has_children(&branch);
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    if (branch.parent < 0) {
        bn_team_say(team, ALL);
        const unsigned char *src = bn_call_src_at_root(team, call);
        if (mine != src) /* gather_all broadcasts in place */
            bn_copy(mine, src, call->nbytes);
    } else {
        bool is_below_root = branch.parent == call->root;
        const unsigned char *from = NULL;
        uint32_t step = ENTERED;
        for (size_t done = 0; done < call->nbytes; done += fragment_bytes) {
            size_t left = call->nbytes - done;
            step++;
            if (!is_below_root || call->in == BN_SYNC_MY)
                bn_team_hear(team, branch.parent, step);
            if (done == 0)
                from = is_below_root ? bn_call_src_at_root(team, call) : bn_call_dst(team, call, branch.parent);
            bn_copy(mine + done, from + done, left < fragment_bytes ? left : fragment_bytes);
            if (has_children)
                bn_team_say(team, step);
        }
        if (call->out == BN_SYNC_MY)
            bn_team_say(team, ALL);
    }
    if (call->out == BN_SYNC_MY)
        bn_branch_hear_children(team, &branch, ALL);
    bn_operation_leave(team, call->out);
}

/* Sends one fragment to all children. must_ask: first wait until the child has entered, before which its memory must
 * not be accessed. */
static void push_fragment(struct bn_team *team, const struct bn_branch *branch, const struct bn_call *call,
                          const unsigned char *from, size_t offset, size_t size_bytes, uint32_t step, bool must_ask)
{
    int index = 0;
    for (int child = bn_branch_next(branch, &index); child >= 0; child = bn_branch_next(branch, &index)) {
        if (must_ask)
            bn_team_hear(team, child, ENTERED);
        bn_slot_deliver(team, child, bn_call_dst(team, call, child) + offset, from + offset, size_bytes, step);
    }
}

/* Each member copies to its children, fragment by fragment, as the fragments arrive. */
void bn_broadcast_push(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    struct bn_branch branch = bn_branch_of(team, plan, call->root);
    size_t fragment_bytes = bn_plan_fragment_bytes(plan, call->nbytes);
    unsigned char *mine = bn_call_dst(team, call, team->rank);
    int index = 0;
    bool is_root = branch.parent < 0;
    bool has_children = bn_branch_next(&branch, &index) >= 0;
    bool asks = call->in == BN_SYNC_MY;
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    if (!is_root && asks)
        bn_team_say(team, ENTERED);
    uint32_t step = ENTERED;
    const unsigned char *from = is_root ? bn_call_src_at_root(team, call) : mine;
    for (size_t done = 0; done < call->nbytes; done += fragment_bytes) {
        size_t left = call->nbytes - done;
        step++;
        if (!is_root && (has_children || call->out == BN_SYNC_MY || call->out == BN_SYNC_ALL))
            bn_slot_await_from(team, team->rank, branch.parent, step);
        push_fragment(team, &branch, call, from, done, left < fragment_bytes ? left : fragment_bytes, step,
                      asks && done == 0);
    }
    if (is_root)
        bn_copy(mine, from, call->nbytes);
    bn_operation_leave(team, call->out);
}

/* Whether an edge of the tree joins members of one node */
static bool is_in_node(const struct bn_plan *plan, const struct bn_team *team, int rank)
{
    return bn_hierarchy_group_of(plan->hierarchy, BN_LEVEL_NODE, rank) ==
           bn_hierarchy_group_of(plan->hierarchy, BN_LEVEL_NODE, team->rank);
}

/*
 * The data travel with flags, in the room of the slot of a node's leader, where the node's members read them.  That
 * room is always available, so nobody has to announce that it has entered, and one message carries both data and flag.
 * If one tree serves all roots, members between the root and the leader of its node also publish the data.
 */
void bn_broadcast_over_nodes_mail(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    struct bn_branch branch = bn_branch_of(team, plan, call->root);
    void *mine = bn_call_dst(team, call, team->rank);
    const void *from = mine;
    int index = 0;
    bool is_root = branch.parent < 0;
    bool fetches = !is_root && is_in_node(plan, team, branch.parent);
    bool is_shown = !is_root && !fetches;
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    if (is_root) {
        from = bn_call_src_at_root(team, call);
    } else {
        int slot = fetches ? branch.parent : team->rank;
        bn_slot_await_from(team, slot, branch.parent, ALL);
        bn_copy(mine, bn_slot_room(team, slot, call->nbytes), call->nbytes);
    }
    for (int child = bn_branch_next(&branch, &index); child >= 0; child = bn_branch_next(&branch, &index)) {
        bool is_near = is_in_node(plan, team, child);
        int slot = is_near ? team->rank : child;
        if (!is_near || !is_shown)
            bn_slot_hand_over(team, slot, bn_slot_room(team, slot, call->nbytes), from, call->nbytes, ALL);
        is_shown |= is_near;
    }
    if (is_root)
        bn_copy(mine, from, call->nbytes);
    bn_operation_leave(team, call->out);
}

/* Sends a fragment to the children on other nodes. */
static void push_to_nodes(struct bn_team *team, const struct bn_plan *plan, const struct bn_branch *branch,
                          const struct bn_call *call, const unsigned char *from, size_t offset, size_t size_bytes,
                          uint32_t step)
{
    int index = 0;
    for (int child = bn_branch_next(branch, &index); child >= 0; child = bn_branch_next(branch, &index)) {
        if (is_in_node(plan, team, child))
            continue;
        if (offset == 0 && call->in == BN_SYNC_MY)
            bn_team_hear_told(team, child, ENTERED);
        bn_slot_hand_over(team, child, bn_call_dst(team, call, child) + offset, from + offset, size_bytes, step);
    }
}

/* Waits for the children of this node, which fetch from this member. */
static void hear_node(struct bn_team *team, const struct bn_plan *plan, const struct bn_branch *branch)
{
    int index = 0;
    for (int child = bn_branch_next(branch, &index); child >= 0; child = bn_branch_next(branch, &index)) {
        if (is_in_node(plan, team, child))
            bn_team_hear(team, child, ALL);
    }
}

/*
 * Between nodes the sender pushes; inside a node members fetch from its leader.  So leaders only forward, while the
 * others copy the fragment that has just arrived.  A fragment enters each node once.
 */
void bn_broadcast_over_nodes(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    struct bn_branch branch = bn_branch_of(team, plan, call->root);
    size_t fragment_bytes = bn_plan_fragment_bytes(plan, call->nbytes);
    unsigned char *mine = bn_call_dst(team, call, team->rank);
    bool is_root = branch.parent < 0;
    bool fetches = !is_root && is_in_node(plan, team, branch.parent);
    const unsigned char *from = is_root ? bn_call_src_at_root(team, call) : mine;
    uint32_t step = ENTERED;
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    if (is_root)
        bn_team_say(team, ALL);
    else if (!fetches && call->in == BN_SYNC_MY)
        bn_team_tell(team, branch.parent, ENTERED);
    for (size_t done = 0; done < call->nbytes; done += fragment_bytes) {
        size_t part = call->nbytes - done < fragment_bytes ? call->nbytes - done : fragment_bytes;
        step++;
        if (fetches) {
            bn_team_hear(team, branch.parent, step);
            const unsigned char *there =
                branch.parent == call->root ? bn_call_src_at_root(team, call) : bn_call_dst(team, call, branch.parent);
            bn_copy(mine + done, there + done, part);
        } else if (!is_root) {
            bn_slot_await_from(team, team->rank, branch.parent, step);
        }
        if (!is_root)
            bn_team_say_to_node(team, step);
        push_to_nodes(team, plan, &branch, call, from, done, part, step);
    }
    if (is_root)
        bn_copy(mine, from, call->nbytes);
    else if (call->out == BN_SYNC_MY)
        bn_team_say_to_node(team, ALL);
    if (call->out == BN_SYNC_MY)
        hear_node(team, plan, &branch);
    bn_operation_leave(team, call->out);
}

/*
 * Each member copies a different part from the root, then the other parts from the other members, so that the root's
 * memory is read only once.
 */
void bn_broadcast_scatter_allgather(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    enum { HAS_PART = ENTERED + 1 };
    (void)plan;
    size_t share = call->nbytes / (size_t)team->size + 1;
    size_t part_bytes = (share + BN_LINE_BYTES - 1) & ~(size_t)(BN_LINE_BYTES - 1);
    unsigned char *mine = bn_call_dst(team, call, team->rank);
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    if (call->in == BN_SYNC_MY && team->rank == call->root)
        bn_team_say(team, ENTERED);
    else if (call->in == BN_SYNC_MY)
        bn_team_hear(team, call->root, ENTERED);
    for (int distance = 0; distance < team->size; distance++) {
        int part = bn_team_rotate(team, team->rank, distance);
        size_t begin = (size_t)part * part_bytes;
        size_t end = begin + part_bytes < call->nbytes ? begin + part_bytes : call->nbytes;
        bool comes_from_root = distance == 0 || team->rank == call->root;
        if (!comes_from_root)
            bn_team_hear(team, part, HAS_PART);
        const unsigned char *from = comes_from_root ? bn_call_src_at_root(team, call) : bn_call_dst(team, call, part);
        if (begin < end)
            bn_copy(mine + begin, from + begin, end - begin);
        if (distance == 0)
            bn_team_say(team, HAS_PART);
    }
    if (call->out == BN_SYNC_MY) {
        bn_team_say(team, ALL);
        bn_team_hear_all(team, ALL);
    }
    bn_operation_leave(team, call->out);
}
