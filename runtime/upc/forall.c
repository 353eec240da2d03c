/* forall.c: called at the beginning of a loop over the units that this thread owns. */
#include "banyan/access.h"

/* n modulo a positive number, never negative */
static bn_i64 modulo(bn_i64 n, bn_i64 by)
{
    bn_i64 rest = n % by;
    return rest >= 0 ? rest : rest + by;
}

/*
 * Iteration t reaches unit + t * stride.  It is the caller's if t * stride = MYTHREAD - unit (mod THREADS): Euclid's
 * algorithm gives g = gcd(stride, THREADS) and an inverse with inverse * stride = g (mod THREADS); there are solutions
 * if g divides the right side.
 */
struct bn_turns bn_own_turns(bn_i64 unit, bn_i64 stride)
{
    const bn_i64 threads = bn_threads();
    bn_i64 common = threads, rest = modulo(stride, threads);
    bn_i64 before = 0, inverse = 1;
    while (rest != 0) {
        bn_i64 quotient = common / rest;
        bn_i64 next = common - quotient * rest, next_inverse = before - quotient * inverse;
        common = rest;
        rest = next;
        before = inverse;
        inverse = next_inverse;
    }
    bn_i64 distance = modulo(bn_mythread() - unit, threads);
    struct bn_turns turns = {0, 0, 0};
    if (distance % common != 0)
        return turns;
    turns.period = threads / common;
    turns.first = modulo(distance / common * before, turns.period);
    turns.rows = stride / common;
    return turns;
}
