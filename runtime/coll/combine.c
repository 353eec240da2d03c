/*
 * combine.c: reductions of vectors whose rows lie in the rooms of members, or where they are announced.
 *
 * By room: a posted row stays in the room of a slot until the window ends, so every member that needs a result folds
 * all rows itself, and nobody waits for an answer.  Directly: each member folds some columns, wherever the rows lie,
 * and writes the results to their destinations, which may overwrite a row of the same column.
 */
#include "coll/algorithms.h"
#include "coll/columns.h"
#include "coll/plan.h"
#include "coll/posted.h"
#include "platform/copy.h"

enum { PUSHED_PIECE_BYTES = 16 << 10 }; /* docs/tuning/combine.md */

/* ---- By room ---- */

/* Where a row is posted.  The payload of a slot is aligned to 8 bytes only. */
static unsigned char *room_of(const struct bn_team *team, const struct bn_call *call, int rank)
{
    bool fits_beside = call->nbytes <= BN_FLAG_LINE_BYTES && call->vector->element_bytes % 16 != 0;
    return bn_slot_room(team, rank, fits_beside ? call->nbytes : BN_TEAM_ROOM_BYTES);
}

static const unsigned char *row_in_room(const struct bn_columns *columns, int rank, size_t element)
{
    return room_of(columns->team, columns->call, rank) + bn_columns_bytes(columns, element);
}

/* If the result is scattered, all members must have the same counts, and equal sizes do not imply that.  So the step is
 * a hash that tells most different sizes and counts apart. */
static bool is_dealt_out(const struct bn_team *team, const struct bn_call *call)
{
    return team->announces && call->vector->counts;
}

static uint32_t posted_step(const struct bn_team *team, const struct bn_call *call)
{
    enum { STEPS = (1 << BN_TEAM_STEP_BITS) - BN_POSTED };
    uint64_t said = (uint64_t)call->nbytes;
    if (is_dealt_out(team, call))
        said =
            (said << 32 ^ (uint64_t)bn_said_root(bn_team_said(team, team->rank))) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    return BN_POSTED + (uint32_t)(said % STEPS);
}

static void post(struct bn_team *team, const struct bn_call *call)
{
    const unsigned char *row = bn_call_src(team, call, team->rank);
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    bn_slot_deliver(team, team->rank, room_of(team, call, team->rank), row, call->nbytes, posted_step(team, call));
}

/* Folds the first row_count rows, once they have been posted. */
static void fold_posted(struct bn_team *team, const struct bn_call *call, struct bn_elements span, int row_count,
                        unsigned char *result)
{
    struct bn_columns columns;
    for (int rank = 0; rank < row_count; rank++) {
        if (!is_dealt_out(team, call)) {
            bn_await_posted(team, rank, 1, call->nbytes);
            continue;
        }
        bn_slot_await(team, rank, BN_POSTED);
        if (__builtin_expect(bn_slot_step(team, rank) != bn_slot_step(team, team->rank), 0))
            bn_team_got(team, 1, 0);
    }
    if (bn_columns_begin(&columns, team, call, row_in_room))
        bn_columns_fold(&columns, span, row_count, team->rank, result);
}

static struct bn_elements all_of(const struct bn_call *call)
{
    return (struct bn_elements){0, call->vector->count};
}

void bn_combine_by_room(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    post(team, call);
    if (team->rank == call->root)
        fold_posted(team, call, all_of(call), team->size, bn_call_dst_at_root(team, call));
    bn_operation_leave(team, call->out);
}

void bn_combine_all_by_room(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    post(team, call);
    fold_posted(team, call, all_of(call), team->size, bn_call_dst(team, call, team->rank));
    bn_operation_leave(team, call->out);
}

void bn_combine_scatter_by_room(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    post(team, call);
    fold_posted(team, call, bn_vector_part(call->vector, team->rank), team->size, bn_call_dst(team, call, team->rank));
    bn_operation_leave(team, call->out);
}

void bn_combine_prefix_by_room(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    int row_count = team->rank + !call->vector->is_exclusive;
    post(team, call);
    if (row_count > 0)
        fold_posted(team, call, all_of(call), row_count, bn_call_dst(team, call, team->rank));
    bn_operation_leave(team, call->out);
}

/* ---- Directly ---- */

static bool begin_direct(struct bn_columns *columns, struct bn_team *team, const struct bn_call *call)
{
    bool is_ready = bn_columns_begin(columns, team, call, bn_row_in_src);
    columns->is_any_order = team->size == 2 && !call->vector->keeps_order;
    bn_operation_enter_all(team, call->in);
    return is_ready;
}

/* Folds this member's share of the columns into the dst of a rank. */
static void fold_share(const struct bn_columns *columns, struct bn_elements share, int rank, unsigned char *dst)
{
    bn_columns_fold(columns, share, columns->team->size, rank, dst + bn_columns_bytes(columns, share.first));
}

void bn_combine_direct(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    struct bn_columns columns;
    if (begin_direct(&columns, team, call))
        fold_share(&columns, bn_columns_share_for(&columns, team->rank, call->root), call->root,
                   bn_call_dst_at_root(team, call));
    bn_operation_leave_all(team, call->out);
}

/* Each member computes the results of its columns, and fetches the others'. */
void bn_combine_all_direct(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    struct bn_columns columns;
    unsigned char *mine = bn_call_dst(team, call, team->rank);
    bool is_ready = begin_direct(&columns, team, call);
    if (is_ready)
        fold_share(&columns, bn_columns_share(&columns, team->rank), team->rank, mine);
    bn_team_barrier(team);
    for (int distance = 1; distance < team->size && is_ready; distance++) {
        int from = bn_team_rotate(team, team->rank, distance);
        struct bn_elements share = bn_columns_share(&columns, from);
        size_t offset = bn_columns_bytes(&columns, share.first);
        if (share.count > 0)
            bn_copy(mine + offset, bn_call_dst(team, call, from) + offset, bn_columns_bytes(&columns, share.count));
    }
    bn_operation_leave_all(team, call->out);
}

/* Limits pieces to PUSHED_PIECE_BYTES. */
static void shorten_pieces(struct bn_columns *columns)
{
    size_t element_bytes = columns->vector->element_bytes;
    size_t elements = element_bytes < PUSHED_PIECE_BYTES ? PUSHED_PIECE_BYTES / element_bytes : 1;
    if (elements < columns->piece_elements)
        columns->piece_elements = elements;
}

/* Each member writes the results of its columns to all members, a piece at a time, while the cache lines that it has
 * read from them are still in its cache. */
void bn_combine_all_pushed(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    struct bn_columns columns;
    unsigned char *mine = bn_call_dst(team, call, team->rank);
    if (begin_direct(&columns, team, call)) {
        shorten_pieces(&columns);
        for (struct bn_elements rest = bn_columns_share(&columns, team->rank); rest.count > 0;) {
            struct bn_elements piece = bn_columns_next_piece(&columns, &rest);
            size_t offset = bn_columns_bytes(&columns, piece.first);
            fold_share(&columns, piece, team->rank, mine);
            for (int distance = 1; distance < team->size; distance++) {
                int to = bn_team_rotate(team, team->rank, distance);
                bn_copy(bn_call_dst(team, call, to) + offset, mine + offset, bn_columns_bytes(&columns, piece.count));
            }
        }
    }
    bn_operation_leave_all(team, call->out);
}

/* If src is dst, the part is computed where its columns lie, which nobody else reads, and moves to its place when all
 * members have read theirs. */
void bn_combine_scatter_direct(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    struct bn_columns columns;
    unsigned char *src = bn_call_src(team, call, team->rank);
    unsigned char *dst = bn_call_dst(team, call, team->rank);
    bool may_be_in_place = team->announces || call->src == call->dst;
    struct bn_elements part = bn_vector_part(call->vector, team->rank);
    unsigned char *result = src == dst ? src + part.first * call->vector->element_bytes : dst;
    if (begin_direct(&columns, team, call))
        bn_columns_fold(&columns, part, team->size, team->rank, result);
    if (may_be_in_place) {
        bn_team_barrier(team);
        if (result != dst && part.count > 0)
            memmove(dst, result, part.count * call->vector->element_bytes);
        bn_operation_leave(team, call->out);
    } else {
        bn_operation_leave_all(team, call->out);
    }
}

static void write_to_dst(const struct bn_columns *columns, int rank, struct bn_elements piece,
                         const unsigned char *result)
{
    unsigned char *dst = bn_call_dst(columns->team, columns->call, rank);
    bn_copy(dst + bn_columns_bytes(columns, piece.first), result, bn_columns_bytes(columns, piece.count));
}

/* Rank 0's result is its own vector. */
void bn_combine_prefix_direct(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    (void)plan;
    struct bn_columns columns;
    if (begin_direct(&columns, team, call))
        bn_columns_prefixes(&columns, bn_columns_share(&columns, team->rank), write_to_dst);
    if (team->rank == 0 && !call->vector->is_exclusive) {
        unsigned char *dst = bn_call_dst(team, call, 0);
        const unsigned char *src = bn_call_src(team, call, 0);
        if (dst != src)
            memcpy(dst, src, call->nbytes);
    }
    bn_operation_leave_all(team, call->out);
}
