/*
 * columns.h: reductions of vectors, in which each member sees to some columns: a range of the elements, of all vectors.
 *
 * A vector is a row.  Whatever the way is, a column is read and written by one member, which the others tell when its
 * rows are there.  So it may write a result to where one of the rows lay, once it has read all that depends on it.
 *
 * Columns are folded from the last row to the first, a piece at a time: then each row but one is read where it lies,
 * and the result has the order of the members whether the operation needs that or not.
 */
#ifndef BN_COLL_COLUMNS_H
#define BN_COLL_COLUMNS_H

#include "coll/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Elements first .. first + count - 1 */
struct bn_span {
    size_t first, count;
};

struct bn_columns {
    struct bn_team *team;
    const struct bn_call *call;
    const struct bn_vector *vector;
    /* The place of an element of a row */
    const unsigned char *(*row_at)(const struct bn_columns *columns, int rank, size_t element);
    bool is_any_order; /* of two rows, where each column is folded by one member */
    size_t piece_elements;
    unsigned char *pieces[2]; /* of private memory */
};

typedef const unsigned char *(*bn_row_at)(const struct bn_columns *columns, int rank, size_t element);

/* A row where src of a member is */
const unsigned char *bn_row_in_src(const struct bn_columns *columns, int rank, size_t element);

/* Of a call.  False: there is no memory, which is reported, and kept as the team's status. */
bool bn_columns_begin(struct bn_columns *columns, struct bn_team *team, const struct bn_call *call, bn_row_at row_at);

/* What a member sees to where the elements are dealt out, a line of the cache at a time */
struct bn_span bn_columns_share(const struct bn_columns *columns, int rank);

/* The same where all results go to a root.  Of a column the others bring one row in and the result out, for each row
 * that the root brings in; so it sees to more: of two members, two thirds. */
struct bn_span bn_columns_share_for(const struct bn_columns *columns, int rank, int root);

/* What is the part of a member in combine_scatter */
struct bn_span bn_vector_part(const struct bn_vector *vector, int rank);

/* The next piece of a span, which is cut off its front */
struct bn_span bn_columns_next_piece(const struct bn_columns *columns, struct bn_span *rest);

/* Elements of result = row 0 op ... op row (row_count - 1), of a span of any length: at a place of memory of a rank,
 * where its own row may lie. */
void bn_columns_fold(const struct bn_columns *columns, struct bn_span span, int row_count, int rank,
                     unsigned char *result);

/* Brings the result of combine_prefix for a rank, a piece that this member can read, to where it goes */
typedef void (*bn_prefix_write)(const struct bn_columns *columns, int rank, struct bn_span piece,
                                const unsigned char *result);

/* All results of combine_prefix, of a span of any length, but that of rank 0. */
void bn_columns_prefixes(const struct bn_columns *columns, struct bn_span span, bn_prefix_write write);

static inline size_t bn_columns_bytes(const struct bn_columns *columns, size_t elements)
{
    return elements * columns->vector->element_bytes;
}

#ifdef __cplusplus
}
#endif

#endif
