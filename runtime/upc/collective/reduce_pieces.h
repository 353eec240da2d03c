/*
 * reduce_pieces.h: a range of elements, piece by piece, so that all elements of a piece can be read directly.
 *
 * If all threads' memory is mapped, there is one piece, and its elements are where the layout says.  Otherwise a piece
 * has as many elements as fit into a buffer; those of far threads are fetched into it, one run of memory per thread.
 */
#ifndef BN_UPC_COLLECTIVE_REDUCE_PIECES_H
#define BN_UPC_COLLECTIVE_REDUCE_PIECES_H

#include "upc/collective/reduce_layout.h"

/* Where the elements of far threads have been fetched to; private to this process */
struct bn_fetched;

struct bn_pieces {
    const struct bn_cyclic *layout;
    size_t first;               /* the current piece: its first element ... */
    size_t elem_count;          /* ... and number of elements */
    size_t left;                /* elements after it */
    struct bn_fetched *fetched; /* null: all are where the layout says */
};

/* Whether all elements can be read and written where the layout says, by every thread */
bool bn_pieces_are_mapped(void);

/* The range first .. first + elem_count - 1, before its first piece.  One range at a time. */
struct bn_pieces bn_pieces_begin(const struct bn_cyclic *layout, size_t first, size_t elem_count);

/* Advances to the next piece, and fetches it; false after the last. */
bool bn_pieces_next(struct bn_pieces *pieces);

/* Writes the current values of all fetched elements of the piece to the array that lies distance bytes (of either sign)
 * from this one. */
void bn_pieces_store(const struct bn_pieces *pieces, ptrdiff_t distance);

/* Where an element of a far thread has been fetched to; for other threads, the address itself. */
unsigned char *bn_fetched_at(const struct bn_fetched *fetched, unsigned char *address);

/* Where to read the elements of a run of the piece (bn_walk_next) */
static inline unsigned char *bn_pieces_read(const struct bn_pieces *pieces, unsigned char *address)
{
    return pieces->fetched ? bn_fetched_at(pieces->fetched, address) : address;
}

/* Where to write the elements of a run to the array that lies distance bytes from this one: in place, or over the
 * fetched elements */
static inline unsigned char *bn_pieces_write(const struct bn_pieces *pieces, unsigned char *address, ptrdiff_t distance)
{
    unsigned char *read = bn_pieces_read(pieces, address);
    return read != address ? read : address + distance;
}

#endif
