/*
 * combine_gathered.c: a reduction to a root, which folds all rows as they arrive through the stages of the other
 * members.
 *
 * The others leave their rows in their stages and go on after the last piece: only the root waits for other members.
 * Each byte moves once and is read once.  In combine_staged.c more cores fold, but the results move once more, and all
 * members synchronise three times.
 */
#include "coll/algorithms.h"
#include "coll/columns.h"
#include "coll/plan.h"
#include "coll/stage.h"
#include "platform/copy.h"

struct gathering {
    struct bn_columns columns; /* must come first: row_in_stage gets only a pointer to it */
    uint32_t round;
    struct bn_elements piece; /* the piece of that round */
};

static const unsigned char *row_in_stage(const struct bn_columns *columns, int rank, size_t element)
{
    const struct gathering *gathering = (const struct gathering *)columns;
    struct bn_team *team = columns->team;
    if (rank == team->rank)
        return bn_row_in_src(columns, rank, element);
    bn_team_hear(team, rank, gathering->round + 1);
    return bn_stage_piece(team, rank, gathering->round) + bn_columns_bytes(columns, element - gathering->piece.first);
}

static void post(struct bn_team *team, const struct bn_call *call, uint32_t round, struct bn_elements piece)
{
    size_t element_bytes = call->vector->element_bytes;
    unsigned char *memory = bn_stage_claim(team, round, call->root);
    memcpy(memory, bn_call_src(team, call, team->rank) + piece.first * element_bytes, piece.count * element_bytes);
    bn_team_say(team, round + 1);
}

static void fold(struct gathering *gathering)
{
    const struct bn_columns *columns = &gathering->columns;
    struct bn_team *team = columns->team;
    unsigned char *dst = bn_call_dst_at_root(team, columns->call);
    bn_columns_fold(columns, gathering->piece, team->size, team->rank,
                    dst + bn_columns_bytes(columns, gathering->piece.first));
    bn_slot_fill(team, team->rank, NULL, 0, gathering->round + 1);
}

/* One operation: elements from *first_p on, as many as fit into its rounds of piece_elements each */
static void move(struct gathering *gathering, struct bn_team *team, const struct bn_call *call, size_t piece_elements,
                 size_t *first_p)
{
    uint32_t round = 0;
    bn_team_begin(team);
    for (; round < BN_STAGE_ROUNDS && *first_p < call->vector->count; round++) {
        size_t rest = call->vector->count - *first_p;
        gathering->round = round;
        gathering->piece = (struct bn_elements){*first_p, rest < piece_elements ? rest : piece_elements};
        if (team->rank == call->root)
            fold(gathering);
        else
            post(team, call, round, gathering->piece);
        *first_p += gathering->piece.count;
    }
    team->stage_turn += round;
}

void bn_combine_by_stage(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)
{
    struct gathering gathering;
    size_t piece_elements = BN_STAGE_PIECE_BYTES / call->vector->element_bytes;
    if (piece_elements == 0) {
        bn_combine_staged(team, plan, call);
        return;
    }
    if (team->rank == call->root && !bn_columns_begin(&gathering.columns, team, call, row_in_stage))
        return;
    if (team->rank == call->root)
        gathering.columns.is_any_order = team->size == 2 && !call->vector->keeps_order;
    bn_operation_enter(team, call->in);
    for (size_t first = 0; first < call->vector->count;)
        move(&gathering, team, call, piece_elements, &first);
    bn_operation_leave(team, call->out);
}
