/*
 * scatter.c: scatter over trees: each inner member keeps the blocks of its subtree in a buffer.
 *
 * A member without room for a buffer announces that, and the members below it turn to the root.
 *
 * Steps: ENTERED, then ENTERED + f when the first f fragments of the buffer have arrived, then DONE.  The root has all
 * data from the start.
 */
#include "coll/algorithms.h"
#include "coll/plan.h"
#include "coll/range.h"
#include "platform/copy.h"

enum { ENTERED = 1, DONE = 1 << (BN_TEAM_STEP_BITS - 1) };

static size_t own_index(const struct bn_team *team, const struct bn_plan *plan)
{
    return (size_t)bn_shape_index_of(plan->hierarchy, &plan->shape, team->rank);
}

/* Where a member fetches from */
struct source {
    bool is_root;
    struct bn_range buffer;
    size_t fragment_bytes;
};

static struct source find_source(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call,
                                 const struct bn_branch *branch)
{
    struct source source = {.is_root = branch->parent == call->root};
    if (!source.is_root) {
        bn_slot_await(team, branch->parent, ENTERED);
        bn_slot_take(team, branch->parent, &source.buffer, sizeof source.buffer);
        source.is_root = source.buffer.address == 0;
    }
    if (source.is_root && call->in == BN_SYNC_MY)
        bn_team_hear(team, call->root, ENTERED);
    if (!source.is_root)
        source.fragment_bytes = bn_plan_fragment_bytes(plan, (size_t)source.buffer.count * call->nbytes);
    return source;
}

/* Fetches the bytes [begin, end), counted in the tree's order, once they have arrived. */
static void fetch(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call,
                  const struct source *source, int parent, unsigned char *piece, size_t begin, size_t end)
{
    if (source->is_root) {
        bn_range_from_root(plan, bn_call_src_at_root(team, call), piece, begin, end, call->nbytes);
        return;
    }
    size_t origin = (size_t)source->buffer.first * call->nbytes;
    uint32_t fragments = (uint32_t)((end - origin + source->fragment_bytes - 1) / source->fragment_bytes);
    bn_team_hear(team, parent, ENTERED + fragments);
    bn_copy(piece, (const unsigned char *)source->buffer.address + (begin - origin), end - begin);
}

static void take_own_from_root(struct bn_team *team, const struct bn_call *call)
{
    const unsigned char *src = bn_call_src_at_root(team, call);
    bn_copy(bn_call_dst(team, call, team->rank), src + (size_t)team->rank * call->nbytes, call->nbytes);
}

/* For inner members: fills a buffer fragment by fragment, and lets its children read it. */
static void pull_through(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call,
                         const struct bn_branch *branch)
{
    size_t size_bytes = (size_t)branch->tree->count * call->nbytes;
    size_t origin = (size_t)branch->tree->first * call->nbytes;
    size_t fragment_bytes = bn_plan_fragment_bytes(plan, size_bytes);
    struct bn_range mine = bn_range_of(branch, bn_team_buffer_get(team, size_bytes));
    size_t own = own_index(team, plan) * call->nbytes;
    uint32_t step = ENTERED;
    bn_slot_fill(team, team->rank, &mine, sizeof mine, ENTERED);
    struct source source = find_source(team, plan, call, branch);
    unsigned char *dst = bn_call_dst(team, call, team->rank);
    if (mine.address == 0) {
        fetch(team, plan, call, &source, branch->parent, dst, own, own + call->nbytes);
        bn_branch_hear_children(team, branch, DONE);
        return;
    }
    unsigned char *buffer = (unsigned char *)mine.address;
    for (size_t done = 0; done < size_bytes; done += fragment_bytes) {
        size_t left = size_bytes - done;
        size_t part = left < fragment_bytes ? left : fragment_bytes;
        fetch(team, plan, call, &source, branch->parent, buffer + done, origin + done, origin + done + part);
        bn_team_say(team, ++step);
    }
    bn_copy(dst, buffer + (own - origin), call->nbytes);
    bn_branch_hear_children(team, branch, DONE);
    bn_team_buffer_done(team);
}

void bn_scatter_pull(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    struct bn_branch branch = bn_branch_of(team, plan, call->root);
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    if (branch.parent < 0) {
        if (call->in == BN_SYNC_MY)
            bn_team_say(team, ENTERED);
        take_own_from_root(team, call);
        if (call->out == BN_SYNC_MY)
            bn_branch_hear_children(team, &branch, DONE);
    } else {
        if (bn_branch_has_children(&branch)) {
            pull_through(team, plan, call, &branch);
        } else {
            struct source source = find_source(team, plan, call, &branch);
            size_t own = own_index(team, plan) * call->nbytes;
            fetch(team, plan, call, &source, branch.parent, bn_call_dst(team, call, team->rank), own,
                  own + call->nbytes);
        }
        bn_team_say(team, DONE);
    }
    bn_operation_leave(team, call->out);
}

/* Writes the blocks of a child's subtree to the child: into its buffer, or a single block into dst. */
static void push_to(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call, int child,
                    const unsigned char *own_buffer, size_t own_origin)
{
    struct bn_range theirs;
    bn_team_hear(team, child, ENTERED);
    bn_team_read(team, child, &theirs, sizeof theirs);
    unsigned char *to = theirs.address != 0 ? (unsigned char *)theirs.address : bn_call_dst(team, call, child);
    size_t begin = (size_t)theirs.first * call->nbytes;
    size_t end = begin + (size_t)theirs.count * call->nbytes;
    if (own_buffer)
        bn_copy(to, own_buffer + (begin - own_origin), end - begin);
    else
        bn_range_from_root(plan, bn_call_src_at_root(team, call), to, begin, end, call->nbytes);
    bn_slot_fill(team, child, NULL, 0, DONE);
}

static void push_to_children(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call,
                             const struct bn_branch *branch, const unsigned char *own_buffer, size_t own_origin)
{
    int index = 0;
    for (int child = bn_branch_next(branch, &index); child >= 0; child = bn_branch_next(branch, &index))
        push_to(team, plan, call, child, own_buffer, own_origin);
}

/* Inner members announce where their buffers are.  Without room for a buffer, a member gets only its own block, and
 * copies those of its subtree from the root to its children. */
void bn_scatter_push(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    struct bn_branch branch = bn_branch_of(team, plan, call->root);
    bool is_root = branch.parent < 0;
    bool leads = bn_branch_has_children(&branch);
    size_t own = own_index(team, plan);
    struct bn_range mine = {0, (int)own, 1};
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    if (!is_root && leads) {
        uint64_t address = bn_team_buffer_get(team, (size_t)branch.tree->count * call->nbytes);
        if (address != 0)
            mine = bn_range_of(&branch, address);
    }
    if (!is_root) {
        bn_team_announce(team, &mine, sizeof mine, ENTERED);
        bn_slot_await_from(team, team->rank, branch.parent, DONE);
    }
    size_t origin = (size_t)mine.first * call->nbytes;
    const unsigned char *buffer = (const unsigned char *)mine.address;
    push_to_children(team, plan, call, &branch, buffer, origin);
    if (is_root)
        take_own_from_root(team, call);
    else if (buffer)
        bn_copy(bn_call_dst(team, call, team->rank), buffer + (own * call->nbytes - origin), call->nbytes);
    if (buffer)
        bn_team_buffer_done(team);
    /* A member without a buffer may still read from the root. */
    if (call->out == BN_SYNC_MY) {
        bn_branch_hear_children(team, &branch, DONE);
        if (!is_root)
            bn_team_say(team, DONE);
    }
    bn_operation_leave(team, call->out);
}
