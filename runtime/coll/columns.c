#include "coll/columns.h"

#include "base/log.h"
#include "coll/plan.h"
#include "platform/copy.h"

const unsigned char *bn_row_in_src(const struct bn_columns *columns, int rank, size_t element)
{
    return bn_call_src(columns->team, columns->call, rank) + bn_columns_bytes(columns, element);
}

bool bn_columns_begin(struct bn_columns *columns, struct bn_team *team, const struct bn_call *call, bn_row_at row_at)
{
    size_t element_bytes = call->vector->element_bytes;
    size_t piece_bytes = team->plans->tuning.piece_bytes;
    size_t piece_elements = element_bytes < piece_bytes ? piece_bytes / element_bytes : 1;
    if (!bn_team_pieces_get(team, piece_elements * element_bytes)) {
        bn_log_error("there is no memory to combine elements of %zu bytes", element_bytes);
        team->status = BN_ERR_MEMORY;
        return false;
    }
    *columns = (struct bn_columns){
        .team = team,
        .call = call,
        .vector = call->vector,
        .row_at = row_at,
        .piece_elements = piece_elements,
        .pieces = {team->pieces.memory, team->pieces.memory + team->pieces.piece_bytes},
    };
    return true;
}

/* Cuts all elements into parts parts, in whole cache lines, and returns those from first_part up to end_part. */
static struct bn_elements deal_out(const struct bn_columns *columns, size_t first_part, size_t end_part, size_t parts)
{
    size_t element_bytes = columns->vector->element_bytes;
    size_t alignment = element_bytes & -element_bytes;
    size_t line_elements = alignment < BN_LINE_BYTES ? BN_LINE_BYTES / alignment : 1;
    size_t lines = (columns->vector->count + line_elements - 1) / line_elements;
    size_t first = lines * first_part / parts * line_elements;
    size_t end = lines * end_part / parts * line_elements;
    if (end > columns->vector->count)
        end = columns->vector->count;
    return (struct bn_elements){first, end - first};
}

struct bn_elements bn_columns_share(const struct bn_columns *columns, int rank)
{
    return deal_out(columns, (size_t)rank, (size_t)rank + 1, (size_t)columns->team->size);
}

struct bn_elements bn_columns_share_for(const struct bn_columns *columns, int rank, int root)
{
    size_t members = (size_t)columns->team->size;
    size_t first = (size_t)rank * (members - 1) + (rank > root);
    return deal_out(columns, first, first + members - 1 + (rank == root), members * (members - 1) + 1);
}

struct bn_elements bn_vector_part(const struct bn_vector *vector, int rank)
{
    size_t first = 0;
    for (int i = 0; i < rank; i++)
        first += vector->counts[i];
    return (struct bn_elements){first, vector->counts[rank]};
}

struct bn_elements bn_columns_next_piece(const struct bn_columns *columns, struct bn_elements *rest)
{
    size_t count = rest->count < columns->piece_elements ? rest->count : columns->piece_elements;
    struct bn_elements piece = {rest->first, count};
    rest->first += count;
    rest->count -= count;
    return piece;
}

/* Returns where a piece of a row can be read; if it must be copied, the copy stays in memory until the next call. */
static const unsigned char *bring(const struct bn_columns *columns, int rank, struct bn_elements piece,
                                  unsigned char *memory)
{
    const unsigned char *row = columns->row_at(columns, rank, piece.first);
    if (bn_is_mapped(row))
        return row;
    bn_copy(memory, row, bn_columns_bytes(columns, piece.count));
    return memory;
}

/* The row that the result starts with, and that is combined with the others from right to left.  If two rows may be
 * combined in either order, it is the one that is in place already, or else the one that must be copied anyway. */
static int find_last(const struct bn_columns *columns, int row_count, int rank_there)
{
    if (row_count != 2 || !columns->is_any_order)
        return row_count - 1;
    return rank_there >= 0 ? rank_there : 1 - columns->team->rank;
}

static void fold_piece(const struct bn_columns *columns, struct bn_elements piece, int row_count, int rank,
                       unsigned char *result)
{
    const struct bn_vector *vector = columns->vector;
    size_t piece_bytes = bn_columns_bytes(columns, piece.count);
    int rank_there = result == columns->row_at(columns, rank, piece.first) ? rank : -1;
    int last = find_last(columns, row_count, rank_there);
    bool is_apart = !bn_is_mapped(result) || (rank_there >= 0 && rank_there != last);
    unsigned char *folded = is_apart ? columns->pieces[0] : result;
    if (is_apart || rank_there != last)
        bn_copy(folded, columns->row_at(columns, last, piece.first), piece_bytes);
    for (int i = 1; i < row_count; i++) {
        int left = last >= i ? last - i : last - i + row_count;
        vector->combine(bring(columns, left, piece, columns->pieces[1]), folded, piece.count, vector);
    }
    if (is_apart)
        bn_copy(result, folded, piece_bytes);
}

void bn_columns_fold(const struct bn_columns *columns, struct bn_elements span, int row_count, int rank,
                     unsigned char *result)
{
    for (struct bn_elements rest = span; rest.count > 0;) {
        struct bn_elements piece = bn_columns_next_piece(columns, &rest);
        fold_piece(columns, piece, row_count, rank, result + bn_columns_bytes(columns, piece.first - span.first));
    }
}

/* Goes from left to right: the result so far is combined into a copy of the next row.  A result may overwrite the row
 * of the same rank, so an exclusive result is written only after that row has been read. */
static void fold_prefixes(const struct bn_columns *columns, struct bn_elements piece, bn_prefix_write write)
{
    const struct bn_vector *vector = columns->vector;
    size_t piece_bytes = bn_columns_bytes(columns, piece.count);
    const unsigned char *folded = bring(columns, 0, piece, columns->pieces[0]);
    for (int rank = 1; rank < columns->team->size; rank++) {
        unsigned char *next = columns->pieces[rank % 2];
        bool is_needed = !vector->is_exclusive || rank + 1 < columns->team->size;
        if (is_needed)
            bn_copy(next, columns->row_at(columns, rank, piece.first), piece_bytes);
        if (vector->is_exclusive)
            write(columns, rank, piece, folded);
        if (is_needed)
            vector->combine(folded, next, piece.count, vector);
        if (!vector->is_exclusive)
            write(columns, rank, piece, next);
        folded = next;
    }
}

void bn_columns_prefixes(const struct bn_columns *columns, struct bn_elements span, bn_prefix_write write)
{
    for (struct bn_elements rest = span; rest.count > 0;)
        fold_prefixes(columns, bn_columns_next_piece(columns, &rest), write);
}
