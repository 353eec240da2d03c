/*
 * columns.h: reductions of vectors in which each member processes some columns: a range of the elements, of all
 * vectors.
 *
 * A vector is a row.  In every algorithm a column is read and written by one member only, which the others tell when
 * its rows are ready.  So that member may overwrite one of the rows with a result, once it has read all elements that
 * the result depends on.
 *
 * Columns are folded from the last row to the first, a piece at a time.  This way all rows but one are read in place,
 * and values are always combined in rank order, whether the operation needs that or not.
 */
#ifndef BN_COLL_COLUMNS_H
#define BN_COLL_COLUMNS_H

#include "coll/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

struct bn_columns {
    struct bn_team *team;
    const struct bn_call *call;
    const struct bn_vector *vector;
    /* Address of an element of a row */
    const unsigned char *(*row_at)(const struct bn_columns *columns, int rank, size_t element);
    bool is_any_order; /* two rows may be combined in either order, if each column is folded by one member */
    size_t piece_elements;
    unsigned char *pieces[2]; /* of private memory */
};

typedef const unsigned char *(*bn_row_at)(const struct bn_columns *columns, int rank, size_t element);

/* A row that lies in src of a member */
const unsigned char *bn_row_in_src(const struct bn_columns *columns, int rank, size_t element);

/* Prepares for a call.  False: there is no memory; this is reported, and kept as the team's status. */
bool bn_columns_begin(struct bn_columns *columns, struct bn_team *team, const struct bn_call *call, bn_row_at row_at);

/* The elements that a member processes if all are divided evenly, in units of a cache line */
struct bn_elements bn_columns_share(const struct bn_columns *columns, int rank);

/* The same where all results go to a root.  For its columns the root moves only the other members' rows; any other
 * member must also move the results to the root.  So the root processes more columns: two thirds in a team of two. */
struct bn_elements bn_columns_share_for(const struct bn_columns *columns, int rank, int root);

/* The part of the result that a member gets in combine_scatter */
struct bn_elements bn_vector_part(const struct bn_vector *vector, int rank);

/* Cuts the next piece off the front of a span. */
struct bn_elements bn_columns_next_piece(const struct bn_columns *columns, struct bn_elements *rest);

/* Computes result = row 0 op ... op row (row_count - 1) for a span of any length. result is in memory of a rank, and
 * may be where that rank's own row lies. */
void bn_columns_fold(const struct bn_columns *columns, struct bn_elements span, int row_count, int rank,
                     unsigned char *result);

/* Writes a piece of combine_prefix's result for a rank, which lies in memory that this member can read, to its
 * destination. */
typedef void (*bn_prefix_write)(const struct bn_columns *columns, int rank, struct bn_elements piece,
                                const unsigned char *result);

/* Computes all results of combine_prefix except rank 0's, for a span of any length. */
void bn_columns_prefixes(const struct bn_columns *columns, struct bn_elements span, bn_prefix_write write);

static inline size_t bn_columns_bytes(const struct bn_columns *columns, size_t elements)
{
    return elements * columns->vector->element_bytes;
}

#ifdef __cplusplus
}
#endif

#endif
