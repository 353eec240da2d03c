/* blocks.c: loops over blocks, piece by piece (banyan/access.h). */
#include <stdbool.h>

#include "banyan/access.h"

static bn_i64 floor_of(bn_i64 n, bn_i64 by)
{
    return n >= 0 ? n / by : -1 - (-1 - n) / by;
}

/* These wrap: the numbers and places of blocks beyond the last one may exceed all numbers, and are not used then. */
static bn_i64 plus(bn_i64 a, bn_i64 b)
{
    return (bn_i64)((bn_u64)a + (bn_u64)b);
}

static bn_i64 times(bn_i64 a, bn_i64 b)
{
    return (bn_i64)((bn_u64)a * (bn_u64)b);
}

/* The first unit of block `number`, less the offset; where that is beyond all numbers, the last one on that side */
static bn_i64 unit_of(const struct bn_blocks *p, bn_i64 number)
{
    const bn_i64 largest = (bn_i64)(~(bn_u64)0 >> 1);
    bn_i64 unit;
    if (!__builtin_mul_overflow(number, p->block, &unit) && !__builtin_sub_overflow(unit, p->offset, &unit))
        return unit;
    return number < 0 ? -largest - 1 : largest;
}

/* The least n whose unit is in block `number` or after it; with a negative factor, the least whose unit is before it */
static bn_i64 edge_of(const struct bn_blocks *p, bn_i64 number)
{
    bn_i64 unit = unit_of(p, number);
    if (p->factor == 1)
        return unit;
    return p->factor > 0 ? floor_of(unit - 1, p->factor) + 1 : floor_of(-unit, -p->factor) + 1;
}

static void locate(const struct bn_blocks *p, bn_i64 number, bn_u64 *where, bn_i64 *shift)
{
    bn_i64 row = bn_floor_threads(number);
    *where = bn_stride((bn_u64)number - (bn_u64)times(row, bn_threads()));
    *shift = times(row - number, p->block);
}

/* Cuts the piece where a neighbouring unit leaves its block, and finds where the neighbouring units are. */
static void cut(struct bn_blocks *p)
{
    for (int i = 0; i < p->near_count && p->n < p->stop; i++) {
        struct bn_beside *near = &p->near[i];
        bn_i64 ahead = plus(p->n - p->from, near->distance);
        bn_i64 blocks = ahead < 0 ? (ahead >= -p->block ? -1 : floor_of(ahead, p->block))
                                  : (ahead < p->block ? 0 : ahead / p->block);
        near->where = p->where;
        near->shift = p->shift;
        if (blocks != 0)
            locate(p, plus(p->number, blocks), &near->where, &near->shift);
        p->stop = bn_min(p->stop, bn_ahead(p->from, (blocks + 1) * p->block - near->distance));
    }
}

/* The first block, from block `number` on, that has an iteration.  Where iterations are further apart than blocks are
 * long, a thread may have none: where a turn begins, seen from the iteration before it, repeats after as many turns as
 * there are units between two iterations, and without an iteration till then there is none at all.  The end does not
 * tell, since it is beyond all iterations if the limit may change. */
static void enter(struct bn_blocks *p)
{
    bn_i64 turns_left = p->step * (p->factor > 0 ? p->factor : -p->factor);
    for (;; p->number = plus(p->number, p->turn)) {
        p->from = edge_of(p, plus(p->number, p->factor < 0));
        p->edge = edge_of(p, plus(p->number, p->factor > 0));
        if (p->from >= p->end || turns_left-- < 0) {
            p->n = p->stop = p->edge = p->end;
            break;
        }
        p->n = bn_next_step(p->start, p->from, p->step);
        p->stop = bn_min(p->edge, p->end);
        if (p->n < p->stop)
            break;
    }
    locate(p, p->number, &p->where, &p->shift);
}

static void begin(struct bn_blocks *p, bn_i64 start, bn_i64 end, bn_i64 offset, bn_i64 block, int is_all)
{
    p->start = start;
    p->end = end;
    p->offset = offset;
    p->block = block;
    p->number = floor_of(p->factor * start + offset, block);
    p->turn = p->factor > 0 ? 1 : -1;
    p->is_plain =
        p->factor == 1 && p->step == 1 && start > -((bn_i64)1 << 62); /* and so unit_of gives `from` exactly */
    if (!is_all) {
        bn_i64 thread = bn_mod_threads(p->number);
        bn_i64 ahead = (bn_mythread() - thread) * p->turn;
        p->number = plus(p->number, (ahead >= 0 ? ahead : ahead + bn_threads()) * p->turn);
        p->turn *= bn_threads();
    }
    enter(p);
    cut(p);
}

void bn_first_piece(struct bn_blocks *p, bn_i64 start, bn_i64 end, bn_i64 offset, bn_i64 block, int is_all)
{
    bn_first_piece_beside(p, start, end, offset, block, is_all, 0, 0);
}

void bn_first_piece_joined(struct bn_blocks *p, bn_i64 start, bn_i64 end, bn_i64 offset, bn_i64 block, int is_all)
{
    bn_first_piece(p, start, end, offset, block, is_all);
    if (is_all || p->n >= p->stop)
        return;
    bn_i64 turns = (floor_of(end - 1 + offset, block) - p->number) / p->turn;
    bn_i64 others = turns * (p->turn - 1) * block; /* units of other threads between the own ones */
    p->from += turns * p->turn * block;            /* to the last block, after which there is none */
    p->edge = p->stop = bn_min(bn_ahead(p->from, block), end) - others;
}

void bn_first_piece_apart(struct bn_blocks *p, bn_i64 start, bn_i64 end, bn_i64 offset, bn_i64 block, int is_all,
                          bn_i64 step, bn_i64 factor)
{
    p->step = step;
    p->factor = factor;
    p->near_count = 0;
    begin(p, start, end, offset, block, is_all);
}

void bn_first_piece_beside(struct bn_blocks *p, bn_i64 start, bn_i64 end, bn_i64 offset, bn_i64 block, int is_all,
                           struct bn_beside *near, int near_count)
{
    p->step = 1;
    p->factor = 1;
    p->near = near;
    p->near_count = near_count;
    begin(p, start, end, offset, block, is_all);
}

/* To the block of the same thread, or of the next one, that `turn` has led to */
static void move(struct bn_blocks *p)
{
    if (p->turn == bn_threads())
        p->shift = plus(p->shift, times(1 - p->turn, p->block));
    else if ((p->where += bn_stride(1)) == bn_span())
        p->where = 0;
    else
        p->shift = plus(p->shift, -p->block);
}

void bn_next_piece(struct bn_blocks *p)
{
    if (p->stop < p->edge && p->stop < p->end) { /* only where cut() has cut */
        p->n = p->stop;
        p->stop = bn_min(p->edge, p->end);
    } else {
        p->number = plus(p->number, p->turn);
        if (p->is_plain) {
            bn_i64 distance;
            bool is_past = __builtin_mul_overflow(p->turn, p->block, &distance);
            p->n = p->from = is_past ? p->end : bn_ahead(p->from, distance);
            p->edge = bn_ahead(p->from, p->block);
            p->stop = bn_min(p->edge, p->end);
            move(p);
        } else {
            enter(p);
        }
    }
    if (p->near_count != 0)
        cut(p);
}
