/* runs.c: runs of iterations in which an index follows the variable of the loop (banyan/access.h). */
#include <stdbool.h>

#include "banyan/access.h"

static void cut(struct bn_loop_run *run, bn_u64 length)
{
    if (length < (bn_u64)run->stop - (bn_u64)run->n)
        run->stop = run->n + (bn_i64)length;
}

static bn_u64 magnitude(bn_i64 x)
{
    return x < 0 ? 0 - (bn_u64)x : (bn_u64)x;
}

/* x is below 0: C divides towards 0, so the remainder counts up from 1 - by to 0, and then on if that is 0 itself. */
static bn_u64 length_below_zero(bn_u64 x, bn_u64 by)
{
    return x < by ? x + by : x % by + 1;
}

bn_i64 bn_run_remainder(struct bn_loop_run *run, bn_i64 x, bn_i64 by, int is_unsigned)
{
    bn_u64 divisor = is_unsigned ? (bn_u64)by : magnitude(by);
    if (divisor == 0)
        return 0;
    bool is_below = !is_unsigned && x < 0;
    bn_u64 number = is_below ? magnitude(x) : (bn_u64)x;
    bn_u64 rest = number % divisor;
    cut(run, is_below ? length_below_zero(number, divisor) : divisor - rest);
    if (is_unsigned && number != 0)
        cut(run, 0 - number); /* after which x is 0 again */
    return (bn_i64)(is_below ? 0 - rest : rest) - run->n;
}

int bn_run_choice(struct bn_loop_run *run, bn_i64 x, bn_i64 y, unsigned relation, int is_unsigned)
{
    bool holds_below = (relation & 1) != 0, holds_equal = (relation & 2) != 0, holds_above = (relation & 4) != 0;
    if (is_unsigned && (x < 0 || y < 0)) { /* rare: x may wrap */
        cut(run, 1);
        return (bn_u64)x < (bn_u64)y ? holds_below : x == y ? holds_equal : holds_above;
    }
    if (x < y) {
        bn_u64 left = (bn_u64)y - (bn_u64)x;
        cut(run, left + (holds_below == holds_equal));
        return holds_below;
    }
    if (x == y && holds_equal != holds_above)
        cut(run, 1);
    return x == y ? holds_equal : holds_above;
}

bn_i64 bn_run_single(struct bn_loop_run *run, bn_i64 value)
{
    cut(run, 1);
    return value - run->n;
}
