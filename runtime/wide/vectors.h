/*
 * vectors.h: pieces of the vectors of a call, for the reductions of this folder.
 */
#ifndef BN_WIDE_VECTORS_H
#define BN_WIDE_VECTORS_H

#include "wide/wide.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The i-th piece of a span, in pieces of piece_count elements; empty after the last one. */
static inline struct bn_elements bn_elements_piece(struct bn_elements span, size_t piece_count, size_t i)
{
    size_t done = i * piece_count;
    size_t left = done < span.count ? span.count - done : 0;
    return (struct bn_elements){span.first + done, left < piece_count ? left : piece_count};
}

/** The number of whole elements in nbytes, at least one */
static inline size_t bn_vector_elements(const struct bn_vector *vector, size_t nbytes)
{
    return nbytes < vector->element_bytes ? 1 : nbytes / vector->element_bytes;
}

static inline size_t bn_elements_bytes(const struct bn_call *call, struct bn_elements span)
{
    return span.count * call->vector->element_bytes;
}

/** Where a span lies in the src or dst of a call. */
static inline unsigned char *bn_elements_at(const struct bn_call *call, uint64_t vector, struct bn_elements span)
{
    return (unsigned char *)vector + span.first * call->vector->element_bytes;
}

/** right[i] = left[i] op right[i] */
static inline void bn_elements_combine(const struct bn_call *call, const void *left, void *right, size_t count)
{
    call->vector->combine(left, right, count, call->vector);
}

/** Combines a span of src of this node's members, into dst of a rank in near. */
bn_status_t bn_wide_combine_near(struct bn_wide *wide, const struct bn_call *call, struct bn_elements span,
                                 int near_root, void *dst);

/** Copies data of a rank in near to the data of all members of this node. */
bn_status_t bn_wide_broadcast_near(struct bn_wide *wide, int near_root, void *data, size_t nbytes);

#ifdef __cplusplus
}
#endif

#endif
