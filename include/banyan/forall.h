/*
 * forall.h: upc_forall: the iterations that a thread carries out (facts 1.12).  access.h includes it.
 */
#ifndef BN_FORALL_H
#define BN_FORALL_H

/*
 * upc_forall. bn_forall_depth counts the upc_forall loops with an affinity that this thread is in; only the outermost
 * one tests it.  Emitted as
 *     { int bn_outer __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter();
 *       for (...) if (bn_outer | (affinity test)) body }
 * so that the affinity expression is evaluated in every iteration and the depth is restored on every way out.
 */
extern BN_PER_THREAD int bn_forall_depth;

BN_INLINE int bn_forall_enter(void)
{
    return bn_forall_depth++;
}

BN_INLINE void bn_forall_leave(const int *outer)
{
    bn_forall_depth = *outer;
}

/*
 * The result of setjmp. A longjmp leaves upc_forall loops without the cleanup above, so the call is emitted as
 *     ({ const volatile int bn_outer = bn_forall_depth; bn_forall_back(bn_outer, setjmp(...)); })
 */
BN_INLINE int bn_forall_back(int outer, int result)
{
    bn_forall_depth = outer;
    return result;
}

/*
 * The share of a thread in a loop over units that are dealt out in blocks (blocks of one unit: cyclic).
 *
 * bn_ahead: start + distance, or the largest number on overflow. bn_wrapping_sum: the same without overflow, otherwise
 * any number, for one addition. bn_first_cyclic: if iteration start names `unit` and each further iteration the next
 * unit, the first iteration that names a unit of the caller. bn_turns: how many of index, index + THREADS, ... are
 * below end. bn_next_step: the first of start, start + step, ... that is at least `least`. bn_steps: how many of from,
 * from + step, ... are below end.
 */
BN_INLINE bn_i64 bn_ahead(bn_i64 start, bn_i64 distance)
{
    bn_i64 sum;
    return __builtin_add_overflow(start, distance, &sum) ? (bn_i64)(~(bn_u64)0 >> 1) : sum;
}

BN_INLINE bn_i64 bn_wrapping_sum(bn_i64 start, bn_i64 distance)
{
    return (bn_i64)((bn_u64)start + (bn_u64)distance);
}

BN_INLINE bn_i64 bn_first_cyclic(bn_i64 start, bn_i64 unit)
{
    bn_i64 distance = bn_mythread() - bn_mod_threads(unit);
    return bn_ahead(start, distance >= 0 ? distance : distance + bn_threads());
}

BN_INLINE bn_i64 bn_turns(bn_i64 index, bn_i64 end)
{
    return index < end ? (bn_i64)bn_div_threads((bn_u64)(end - 1 - index)) + 1 : 0;
}

BN_INLINE bn_i64 bn_steps(bn_i64 from, bn_i64 end, bn_i64 step)
{
    return from < end ? (end - 1 - from) / step + 1 : 0;
}

/*
 * The units that the caller owns among unit, unit + stride, unit + 2 * stride, ..., where units are dealt out one by
 * one: the first is number `first` of this sequence, followed by every period-th one; from one to the next, the row
 * within the caller's part grows by `rows`.  All 0 if the caller owns none; otherwise the period is positive.  Costs
 * about 50 ns.
 */
struct bn_turns {
    bn_i64 first;
    bn_i64 period;
    bn_i64 rows;
};
struct bn_turns bn_own_turns(bn_i64 unit, bn_i64 stride);

/*
 * A loop over blocks of units that go round the threads, in pieces.  Iteration n names unit factor * n + offset; unit u
 * lies in block floor(u / block), and block b on thread b mod THREADS. A piece is a run of consecutive iterations in
 * one block of the caller, or, if is_all is not 0, in any block.  A call advances to the next piece, so that the
 * emitted C is short and the back end sees one plain loop over memory.
 *
 *     for (bn_first_piece(&p, start, end, offset, block, is_all); p.n < p.stop; bn_next_piece(&p))
 *         for (n = p.n; n < p.stop; ++n) ...
 *
 * In an array of such units, with elements of elem bytes, unit u of the piece is at
 *     its handle + where + (shift + u) * elem
 *
 * Where iterations also name units at constant distances from their own, a piece ends as soon as one of these leaves
 * its block; bn_beside then says for each distance where these units are (bn_first_piece_beside; step and factor are
 * 1).
 */
struct bn_beside {
    bn_i64 distance; /* set by the caller */
    bn_u64 where;
    bn_i64 shift;
};

struct bn_blocks {
    bn_i64 n;     /* the first iteration of this piece */
    bn_i64 stop;  /* one past its last one; if it is not larger than n, there are no more pieces */
    bn_u64 where; /* distance from thread 0's memory to the owner's */
    bn_i64 shift; /* to be added to the number of a unit to get its number in the owner's memory */
    /* The remaining members are used by the functions only. */
    bn_i64 start, end, step, factor, offset, block;
    bn_i64 number;     /* of the block */
    bn_i64 turn;       /* distance from the number of a block to that of the next */
    bn_i64 from, edge; /* iterations of the block, ignoring the loop's start and end */
    struct bn_beside *near;
    int near_count;
    int is_plain; /* iterations are as far apart as their units, so the next block is found without a division */
};
void bn_first_piece(struct bn_blocks *p, bn_i64 start, bn_i64 end, bn_i64 offset, bn_i64 block, int is_all);
void bn_first_piece_apart(struct bn_blocks *p, bn_i64 start, bn_i64 end, bn_i64 offset, bn_i64 block, int is_all,
                          bn_i64 step, bn_i64 factor);
/*
 * Joins all pieces into one, unless is_all is set, for bodies that name only their own units: a thread's blocks follow
 * one another in its memory.  From the second block on, n is not the iteration number; it just keeps counting.
 */
void bn_first_piece_joined(struct bn_blocks *p, bn_i64 start, bn_i64 end, bn_i64 offset, bn_i64 block, int is_all);
void bn_first_piece_beside(struct bn_blocks *p, bn_i64 start, bn_i64 end, bn_i64 offset, bn_i64 block, int is_all,
                           struct bn_beside *near, int near_count);
void bn_next_piece(struct bn_blocks *p);

/*
 * A run of iterations of a loop that counts up by one. Each function returns by how much an index is ahead of the
 * variable at the start of the run, n, and shortens the run to the iterations for which that stays the same.
 * bn_run_remainder: the index is the remainder of x by `by`, where x grows by one with each iteration; a program that
 * uses it does not divide by 0. bn_run_single: the index is `value`, which does not change. bn_run_choice only returns
 * whether x, which grows, is below y (if `relation` contains 1), equal to it (2) or above it (4).
 */
struct bn_loop_run {
    bn_i64 n;
    bn_i64 stop;
};
bn_i64 bn_run_remainder(struct bn_loop_run *run, bn_i64 x, bn_i64 by, int is_unsigned);
int bn_run_choice(struct bn_loop_run *run, bn_i64 x, bn_i64 y, unsigned relation, int is_unsigned);
bn_i64 bn_run_single(struct bn_loop_run *run, bn_i64 value);

BN_INLINE bn_i64 bn_min(bn_i64 a, bn_i64 b)
{
    return a < b ? a : b;
}

BN_INLINE bn_i64 bn_max(bn_i64 a, bn_i64 b)
{
    return a > b ? a : b;
}

BN_INLINE bn_i64 bn_min_unsigned(bn_u64 a, bn_i64 b)
{
    return a < (bn_u64)b ? (bn_i64)a : b;
}

BN_INLINE bn_i64 bn_next_step(bn_i64 start, bn_i64 least, bn_i64 step)
{
    return least <= start ? start : start + (least - start + step - 1) / step * step;
}

BN_INLINE int bn_here_int(bn_i64 affinity)
{
    return bn_mod_threads(affinity) == bn_mythread();
}

BN_INLINE int bn_here_uint(bn_u64 affinity)
{
    return affinity % (bn_u64)bn_threads() == (bn_u64)bn_mythread();
}

BN_INLINE int bn_here_pts(bn_pts_t p)
{
    return p.thread == (bn_u32)bn_mythread();
}

#endif
