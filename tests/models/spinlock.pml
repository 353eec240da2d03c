/*
 * runtime/sync/spinlock.c: the lock of short critical sections.
 *
 * Mutual exclusion, and nobody sleeps for ever.
 *
 * run: THREADS=2 ROUNDS=3; THREADS=3 ROUNDS=2; THREADS=4 ROUNDS=1
 * mutants: 1 2 3 4
 * mutant run: THREADS=3 ROUNDS=2
 */
#include "mutant.h"

#define TAKES_QUIETLY 1      /* S2 leaves 1: the next release wakes nobody */
#define SLEEPS_IN_ANY_CASE 2 /* S3 does not compare */
#define NEVER_WAKES 3        /* U2 left out */
#define TAKES_IN_PARTS 4     /* S1 is a load and a store */

byte state; /* 0 free, 1 held, 2 held and somebody may sleep */
byte inside;
byte spurious = 1;

#include "futex.h"

proctype thread()
{
    byte round, seen;
    do
    :: round == ROUNDS -> break
    :: else ->
        if
        :: IS_MUTANT(TAKES_IN_PARTS) ->
            seen = state;
            if
            :: seen == 0 -> state = 1
            :: else
            fi
        :: else ->
            atomic { /* S1 */
                seen = state;
                if
                :: seen == 0 -> state = 1
                :: else
                fi
            }
        fi;
        if
        :: seen == 0
        :: else ->
            do
            :: true ->
                atomic { /* S2 */
                    seen = state;
                    state = (IS_MUTANT(TAKES_QUIETLY) && seen == 0 -> 1 : 2)
                }
                if
                :: seen == 0 -> break
                :: else -> futex_wait(state, 2) /* S3 */
                fi
            od
        fi;
        inside++;
        assert(inside == 1);
        inside--;
        atomic { seen = state; state = 0 } /* U1 */
        if
        :: seen == 2 && !IS_MUTANT(NEVER_WAKES) -> futex_wake(false) /* U2 */
        :: else
        fi;
        round++
    od
}

init {
    byte t = 1;
    atomic {
        do
        :: t <= THREADS -> run thread(); t++
        :: else -> break
        od
    }
    _nr_pr == 1;
    assert(state == 0)
}
