#include "upc/collective/reduce_runs.h"

#include <string.h>

/* A run for each block costs less than copying where blocks are larger than this, or fewer; it also costs less than a
 * run for each thread where threads hold fewer blocks than this. */
enum { MAX_BLOCK_BYTES = 64, MIN_BLOCKS = 4, MIN_BLOCKS_EACH = 4 };

static void begin(struct bn_run_cursor *runs, const struct bn_cyclic *layout, size_t first, size_t elem_count)
{
    bool is_gathered = !bn_is_one_block(layout) && layout->block_elems <= MAX_BLOCK_BYTES / layout->elem_bytes &&
                       elem_count >= MIN_BLOCKS * layout->block_elems;
    runs->pieces = bn_pieces_begin(layout, first, elem_count);
    runs->walk = (struct bn_walk){.layout = layout};
    runs->buffer_blocks = is_gathered ? sizeof runs->buffer / (layout->block_elems * layout->elem_bytes) : 0;
    runs->gathered_blocks = 0;
    runs->is_by_thread = false;
    runs->thread = layout->thread_count;
}

void bn_run_cursor_read(struct bn_run_cursor *runs, const struct bn_cyclic *layout, size_t first, size_t elem_count,
                        bool keeps_order)
{
    begin(runs, layout, first, elem_count);
    runs->distance = 0;
    runs->is_written = false;
    runs->is_by_thread = !keeps_order && !bn_is_one_block(layout) &&
                         elem_count >= MIN_BLOCKS_EACH * layout->thread_count * layout->block_elems;
}

void bn_run_cursor_write(struct bn_run_cursor *runs, const struct bn_cyclic *layout, size_t first, size_t elem_count,
                         ptrdiff_t distance)
{
    begin(runs, layout, first, elem_count);
    runs->distance = distance;
    runs->is_written = true;
}

/* Copies blocks that lie at equal distances, column by column of units, each with a single instruction. */
static inline __attribute__((always_inline)) void copy_units(unsigned char *to, size_t to_step,
                                                             const unsigned char *from, size_t from_step,
                                                             size_t block_bytes, size_t block_count, size_t unit_bytes)
{
    for (size_t column = 0; column < block_bytes; column += unit_bytes) {
#pragma GCC unroll 4
        for (size_t i = 0; i < block_count; i++)
            memcpy(to + i * to_step + column, from + i * from_step + column, unit_bytes);
    }
}

static void copy_blocks(unsigned char *to, size_t to_step, const unsigned char *from, size_t from_step,
                        size_t block_bytes, size_t block_count)
{
    switch (block_bytes & -block_bytes) { /* the largest power of two that divides it */
    case 1: copy_units(to, to_step, from, from_step, block_bytes, block_count, 1); break;
    case 2: copy_units(to, to_step, from, from_step, block_bytes, block_count, 2); break;
    case 4: copy_units(to, to_step, from, from_step, block_bytes, block_count, 4); break;
    case 8: copy_units(to, to_step, from, from_step, block_bytes, block_count, 8); break;
    default: copy_units(to, to_step, from, from_step, block_bytes, block_count, 16); break;
    }
}

/* Gathers the blocks into the buffer, thread by thread, since those of a thread lie one behind the other. */
static void gather(struct bn_run_cursor *runs)
{
    const struct bn_cyclic *layout = runs->walk.layout;
    size_t block_bytes = layout->block_elems * layout->elem_bytes;
    size_t rows = runs->gathered_blocks / layout->thread_count;
    size_t rest = runs->gathered_blocks % layout->thread_count;
    struct bn_walk walk = runs->gathered;
    for (size_t turn = 0; turn < layout->thread_count && bn_walk_next(&walk); turn++)
        copy_blocks(runs->buffer + turn * block_bytes, layout->thread_count * block_bytes,
                    bn_pieces_read(&runs->pieces, walk.run.address), block_bytes, block_bytes, rows + (turn < rest));
}

static void scatter(struct bn_run_cursor *runs)
{
    const struct bn_cyclic *layout = runs->walk.layout;
    size_t block_bytes = layout->block_elems * layout->elem_bytes;
    size_t rows = runs->gathered_blocks / layout->thread_count;
    size_t rest = runs->gathered_blocks % layout->thread_count;
    struct bn_walk walk = runs->gathered;
    for (size_t turn = 0; turn < layout->thread_count && bn_walk_next(&walk); turn++)
        copy_blocks(bn_pieces_write(&runs->pieces, walk.run.address, runs->distance), block_bytes,
                    runs->buffer + turn * block_bytes, layout->thread_count * block_bytes, block_bytes,
                    rows + (turn < rest));
}

/* How many blocks to gather from here: whole ones, and none where there are few */
static size_t count_blocks(const struct bn_run_cursor *runs)
{
    size_t block_elems = runs->walk.layout->block_elems;
    if (runs->buffer_blocks == 0 || runs->walk.within != 0 || runs->walk.left < MIN_BLOCKS * block_elems)
        return 0;
    size_t block_count = runs->walk.left / block_elems;
    return block_count < runs->buffer_blocks ? block_count : runs->buffer_blocks;
}

static void skip_blocks(struct bn_walk *walk, size_t block_count)
{
    size_t thread = walk->thread + block_count;
    walk->left -= block_count * walk->layout->block_elems;
    walk->row += thread / walk->layout->thread_count;
    walk->thread = thread % walk->layout->thread_count;
}

/* Ends the piece, and begins the next one. */
static bool next_piece(struct bn_run_cursor *runs)
{
    if (runs->is_written && runs->pieces.elem_count != 0)
        bn_pieces_store(&runs->pieces, runs->distance);
    if (!bn_pieces_next(&runs->pieces))
        return false;
    runs->walk = bn_walk_begin(runs->pieces.layout, runs->pieces.first, runs->pieces.elem_count);
    return true;
}

/* What the next thread holds of the piece, or of the next piece */
static bool take_thread(struct bn_run_cursor *runs)
{
    const struct bn_cyclic *layout = runs->pieces.layout;
    do {
        if (runs->thread == layout->thread_count) {
            if (!bn_pieces_next(&runs->pieces))
                return false;
            runs->thread = 0;
        }
        runs->run = bn_cyclic_part(layout, runs->pieces.first, runs->pieces.elem_count, runs->thread++);
    } while (runs->run.elem_count == 0);
    runs->run.address = bn_pieces_read(&runs->pieces, runs->run.address);
    return true;
}

bool bn_run_cursor_go_on(struct bn_run_cursor *runs)
{
    if (runs->is_by_thread)
        return take_thread(runs);
    if (runs->is_written && runs->gathered_blocks != 0)
        scatter(runs);
    if (runs->walk.left == 0 && !next_piece(runs))
        return false;
    runs->gathered_blocks = count_blocks(runs);
    if (runs->gathered_blocks == 0) {
        bn_run_cursor_take_block(runs);
        return true;
    }
    runs->gathered = runs->walk;
    gather(runs);
    skip_blocks(&runs->walk, runs->gathered_blocks);
    runs->run = (struct bn_elem_run){runs->buffer, runs->gathered_blocks * runs->walk.layout->block_elems};
    runs->out = runs->buffer;
    return true;
}
