/*
 * reduce_runs.h: a range of elements, run by run, wherever they lie.
 *
 * Large blocks are read and written in place, one a run.  Small ones, each of which lies on another thread than the one
 * before, are gathered into a buffer, so that a run is as many of them as the buffer holds; results are put there too,
 * and scattered when the next run is asked for.  If the order does not matter, a run is all that one thread holds.
 */
#ifndef BN_UPC_COLLECTIVE_REDUCE_RUNS_H
#define BN_UPC_COLLECTIVE_REDUCE_RUNS_H

#include "upc/collective/reduce_pieces.h"

#include <stddef.h>

enum { BN_RUNS_BUFFER_BYTES = 4096 };

struct bn_run_cursor {
    struct bn_elem_run run; /* the elements to read now */
    void *out;              /* where the results belong, for a range that is written */

    ptrdiff_t distance;
    bool is_written;
    struct bn_pieces pieces;
    struct bn_walk walk;     /* over the piece */
    bool is_by_thread;       /* the elements come in any order, those of one thread after those of another */
    size_t thread;           /* then: whose are next */
    size_t buffer_blocks;    /* else: how many blocks may be gathered at a time; 0: none are */
    struct bn_walk gathered; /* where those in the buffer begin, ... */
    size_t gathered_blocks;  /* ... and how many there are */
    unsigned char buffer[BN_RUNS_BUFFER_BYTES] __attribute__((aligned(64)));
};

/* The range first .. first + elem_count - 1, before its first run.  One range at a time. */
void bn_run_cursor_read(struct bn_run_cursor *runs, const struct bn_cyclic *layout, size_t first, size_t elem_count,
                        bool keeps_order);

/* The same in order, where each run also has results: of the array that lies distance bytes from this one (of either
 * sign) */
void bn_run_cursor_write(struct bn_run_cursor *runs, const struct bn_cyclic *layout, size_t first, size_t elem_count,
                         ptrdiff_t distance);

/* A run in place: the next block, or what there is of it */
static inline void bn_run_cursor_take_block(struct bn_run_cursor *runs)
{
    bn_walk_next(&runs->walk);
    runs->run = (struct bn_elem_run){bn_pieces_read(&runs->pieces, runs->walk.run.address), runs->walk.run.elem_count};
    runs->out = bn_pieces_write(&runs->pieces, runs->walk.run.address, runs->distance);
}

/* The rest of bn_run_cursor_next: the next piece, small blocks, or what a thread holds */
bool bn_run_cursor_go_on(struct bn_run_cursor *runs);

/* Goes on to the next run, with all results of the last one at their places; false behind the last. */
static inline bool bn_run_cursor_next(struct bn_run_cursor *runs)
{
    if (runs->buffer_blocks != 0 || runs->walk.left == 0)
        return bn_run_cursor_go_on(runs);
    bn_run_cursor_take_block(runs);
    return true;
}

#endif
