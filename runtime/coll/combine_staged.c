/*
 * combine_staged.c: reductions of vectors whose rows pass through memory that all members see, a piece at a time.
 *
 * A member that processes some columns needs these columns of all rows.  So each member copies one piece of each
 * member's share into its stage, folds its own piece of all rows where they are staged, and leaves results that others
 * need in its stage, too.  Nobody touches any other memory of another member, so nobody needs to ask for permission.
 *
 * A stage has two halves, used in turn.  A member that announces that it has folded piece k has already brought piece k
 * + 1, into the half of piece k - 1; it could, because it had heard that all members had folded piece k - 1.  It has
 * also taken the results of piece k - 1, so that the others may overwrite these with the results of piece k + 1.
 *
 * If one member has no room for a stage, all members use the direct algorithm.
 */
#include "coll/algorithms.h"
#include "coll/columns.h"
#include "coll/plan.h"
#include "platform/copy.h"

/* The slots announce each stage, together with its first pieces */
enum { STAGED = 1, ROUNDS_MAX = 1 << (BN_TEAM_STEP_BITS - 2) };

struct stages {
    struct bn_columns columns; /* must come first: row_in_stage gets only a pointer to it */
    enum bn_operation operation;
    uint64_t place;        /* of this member's stage; 0: there is no room */
    size_t piece_elements; /* elements of a share that are processed in one round */
    size_t slot_bytes;     /* room for a piece: slot r of a half is for the share of rank r, and the member's own slot
                              for the results; after these comes a slot for each rank's prefix */
    size_t half_bytes;
    uint32_t round, round_count;
    unsigned char *dst; /* null: this member gets nothing */
    size_t dst_first;   /* the element that lies at dst */
};

/* Step that a member announces once it has folded the piece of a round and brought the next one */
static uint32_t step_folded(uint32_t round)
{
    return round + 1;
}

static struct bn_elements share_of(const struct stages *stages, int rank)
{
    return stages->operation == BN_COMBINE_SCATTER ? bn_vector_part(stages->columns.vector, rank)
                                                   : bn_columns_share(&stages->columns, rank);
}

/* The piece of a share in a round; empty if the share is too short */
static struct bn_elements piece_of(const struct stages *stages, int rank, uint32_t round)
{
    struct bn_elements share = share_of(stages, rank);
    size_t before = (size_t)round * stages->piece_elements;
    size_t rest = share.count > before ? share.count - before : 0;
    return (struct bn_elements){share.first + before, rest < stages->piece_elements ? rest : stages->piece_elements};
}

static unsigned char *slot_at(const struct stages *stages, int rank, uint32_t round, int slot)
{
    const struct bn_team *team = stages->columns.team;
    uint64_t stage = stages->place & ~team->process;
    if (rank != team->rank)
        bn_slot_take(team, rank, &stage, sizeof stage);
    return (unsigned char *)stage + round % 2 * stages->half_bytes + (size_t)slot * stages->slot_bytes;
}

static const unsigned char *row_in_stage(const struct bn_columns *columns, int rank, size_t element)
{
    const struct stages *stages = (const struct stages *)columns;
    int own = columns->team->rank;
    if (rank == own)
        return bn_row_in_src(columns, rank, element);
    size_t within = element - piece_of(stages, own, stages->round).first;
    return slot_at(stages, rank, stages->round, own) + bn_columns_bytes(columns, within);
}

static void bring(struct stages *stages, uint32_t round)
{
    const struct bn_columns *columns = &stages->columns;
    for (int rank = 0; rank < columns->team->size; rank++) {
        struct bn_elements piece = piece_of(stages, rank, round);
        if (rank != columns->team->rank)
            memcpy(slot_at(stages, columns->team->rank, round, rank),
                   bn_row_in_src(columns, columns->team->rank, piece.first), bn_columns_bytes(columns, piece.count));
    }
}

static unsigned char *dst_at(const struct stages *stages, size_t element)
{
    return stages->dst + bn_columns_bytes(&stages->columns, element - stages->dst_first);
}

/* Leaves the prefix in the stage, or writes it to this member's own dst. */
static void write_prefix(const struct bn_columns *columns, int rank, struct bn_elements piece,
                         const unsigned char *result)
{
    const struct stages *stages = (const struct stages *)columns;
    const struct bn_team *team = columns->team;
    size_t within = bn_columns_bytes(columns, piece.first - piece_of(stages, team->rank, stages->round).first);
    unsigned char *slot = slot_at(stages, team->rank, stages->round, team->size + rank);
    memcpy(rank == team->rank ? dst_at(stages, piece.first) : slot + within, result,
           bn_columns_bytes(columns, piece.count));
}

static void fold(const struct stages *stages)
{
    const struct bn_columns *columns = &stages->columns;
    const struct bn_team *team = columns->team;
    struct bn_elements piece = piece_of(stages, team->rank, stages->round);
    unsigned char *slot = slot_at(stages, team->rank, stages->round, team->rank);
    switch (stages->operation) {
    case BN_COMBINE:
        bn_columns_fold(columns, piece, team->size, team->rank, stages->dst ? dst_at(stages, piece.first) : slot);
        break;
    case BN_COMBINE_ALL:
        bn_columns_fold(columns, piece, team->size, team->rank, slot);
        memcpy(dst_at(stages, piece.first), slot, bn_columns_bytes(columns, piece.count));
        break;
    case BN_COMBINE_SCATTER:
        bn_columns_fold(columns, piece, team->size, team->rank, dst_at(stages, piece.first));
        break;
    default: bn_columns_prefixes(columns, piece, write_prefix); break;
    }
}

/* Takes the results that the others have left in a round. */
static void take(const struct stages *stages, uint32_t round)
{
    const struct bn_team *team = stages->columns.team;
    bool is_prefix = stages->operation == BN_COMBINE_PREFIX;
    if (!stages->dst || stages->operation == BN_COMBINE_SCATTER || (is_prefix && team->rank == 0))
        return;
    for (int distance = 1; distance < team->size; distance++) {
        int from = bn_team_rotate(team, team->rank, distance);
        struct bn_elements piece = piece_of(stages, from, round);
        if (piece.count > 0)
            bn_copy(dst_at(stages, piece.first),
                    slot_at(stages, from, round, is_prefix ? team->size + team->rank : from),
                    bn_columns_bytes(&stages->columns, piece.count));
    }
}

static void walk(struct stages *stages)
{
    struct bn_team *team = stages->columns.team;
    for (stages->round = 0; stages->round < stages->round_count; stages->round++) {
        uint32_t round = stages->round;
        if (round > 0) {
            bn_team_hear_all(team, step_folded(round - 1));
            take(stages, round - 1);
        }
        if (round + 1 < stages->round_count)
            bring(stages, round + 1);
        fold(stages);
        bn_team_say(team, step_folded(round));
    }
    bn_team_hear_all(team, step_folded(stages->round_count - 1));
    take(stages, stages->round_count - 1);
}

/* Finds where results go.  In combine_scatter, if src is dst, they are computed where their columns lie. */
static void find_dst(struct stages *stages, struct bn_team *team, const struct bn_call *call)
{
    stages->dst_first = 0;
    if (stages->operation != BN_COMBINE)
        stages->dst = bn_call_dst(team, call, team->rank);
    else
        stages->dst = team->rank == call->root ? bn_call_dst_at_root(team, call) : NULL;
    if (stages->operation == BN_COMBINE_SCATTER && stages->dst != bn_call_src(team, call, team->rank))
        stages->dst_first = bn_vector_part(call->vector, team->rank).first;
}

/* row_bytes: how much of a row is staged at a time; more if the number of rounds would become too large */
static void deal_out(struct stages *stages, size_t row_bytes)
{
    const struct bn_vector *vector = stages->columns.vector;
    size_t members = (size_t)stages->columns.team->size;
    size_t largest = 0;
    for (size_t rank = 0; rank < members; rank++) {
        size_t count =
            stages->operation == BN_COMBINE_SCATTER ? vector->counts[rank] : share_of(stages, (int)rank).count;
        largest = count > largest ? count : largest;
    }
    size_t wanted = row_bytes / members / vector->element_bytes;
    size_t least = largest / ROUNDS_MAX + 1;
    stages->piece_elements = wanted > least ? wanted : least;
    if (stages->piece_elements > largest)
        stages->piece_elements = largest;
    stages->round_count = (uint32_t)((largest + stages->piece_elements - 1) / stages->piece_elements);
    stages->slot_bytes =
        (bn_columns_bytes(&stages->columns, stages->piece_elements) + BN_LINE_BYTES - 1) & ~(size_t)(BN_LINE_BYTES - 1);
    stages->half_bytes = members * stages->slot_bytes * (stages->operation == BN_COMBINE_PREFIX ? 2 : 1);
}

/* Stages the first piece; false on all members if one of them has no stage. */
static bool open_stage(struct stages *stages, struct bn_team *team, const struct bn_plan *plan,
                       const struct bn_call *call)
{
    bool has_all = true;
    stages->place = 0;
    if (bn_columns_begin(&stages->columns, team, call, row_in_stage)) {
        stages->columns.is_any_order = team->size == 2 && !call->vector->keeps_order;
        find_dst(stages, team, call);
        deal_out(stages, 2 * plan->tuning->piece_bytes);
        stages->place = bn_team_buffer_get(team, 2 * stages->half_bytes);
    }
    if (stages->place != 0)
        bring(stages, 0);
    bn_slot_fill(team, team->rank, &stages->place, sizeof stages->place, STAGED);
    for (int rank = 0; rank < team->size; rank++) {
        uint64_t place;
        bn_slot_await(team, rank, STAGED);
        bn_slot_take(team, rank, &place, sizeof place);
        has_all = has_all && place != 0;
    }
    return has_all;
}

/* What walk() does not do: moves the part of combine_scatter to its place, and gives rank 0 its prefix, which is its
 * own vector. */
static void finish(const struct stages *stages, const struct bn_call *call)
{
    const struct bn_columns *columns = &stages->columns;
    const struct bn_team *team = columns->team;
    struct bn_elements part = {0, 0};
    if (stages->operation == BN_COMBINE_SCATTER && stages->dst_first == 0)
        part = bn_vector_part(columns->vector, team->rank);
    if (part.count > 0)
        memmove(stages->dst, dst_at(stages, part.first), bn_columns_bytes(columns, part.count));
    const unsigned char *src = bn_call_src(team, call, team->rank);
    if (stages->operation == BN_COMBINE_PREFIX && team->rank == 0 && !columns->vector->is_exclusive &&
        stages->dst != src)
        memcpy(stages->dst, src, call->nbytes);
}

/* run_direct: used if one member has no stage */
static void run(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call,
                enum bn_operation operation,
                void (*run_direct)(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call))
{
    struct stages stages = {.operation = operation};
    bn_operation_enter(team, call->in);
    bn_team_begin(team);
    if (!open_stage(&stages, team, plan, call)) {
        struct bn_call direct = *call;
        direct.in = BN_SYNC_NO;
        run_direct(team, plan, &direct);
        return;
    }
    walk(&stages);
    finish(&stages, call);
    bn_team_barrier(team); /* nobody reads the stage any more */
    bn_team_buffer_done(team);
}

void bn_combine_staged(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    run(team, plan, call, BN_COMBINE, bn_combine_direct);
}

void bn_combine_all_staged(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    run(team, plan, call, BN_COMBINE_ALL, bn_combine_all_direct);
}

void bn_combine_scatter_staged(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    run(team, plan, call, BN_COMBINE_SCATTER, bn_combine_scatter_direct);
}

void bn_combine_prefix_staged(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    run(team, plan, call, BN_COMBINE_PREFIX, bn_combine_prefix_direct);
}
