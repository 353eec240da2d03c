/*
 * runtime/sync/semaphore.c: counting semaphores.
 *
 * The first thread posts as many units as the others need, one or two at a time; thread k takes k units, in one step,
 * ROUNDS times.  Each of them gets its units (else it would sleep for ever), and none is left.
 *
 * run: THREADS=2 ROUNDS=3; THREADS=3 ROUNDS=2
 * long run: THREADS=4 ROUNDS=1
 * mutants: 1 2 3 4 5
 * mutant run: THREADS=3 ROUNDS=1
 */
#include "mutant.h"

#define WAKES_ONE 1          /* P3 wakes one: it may need more units than there are */
#define SLEEPS_IN_ANY_CASE 2 /* W3 does not compare */
#define LOOKS_FIRST 3        /* P2 before P1 */
#define IS_NOT_COUNTED 4     /* W1 left out */
#define TAKES_IN_PARTS 5     /* T1 is a load and a store */

byte value, sleepers;
byte spurious = 1;

#include "futex.h"

inline try_to_take() /* T1 */
{
    if
    :: IS_MUTANT(TAKES_IN_PARTS) ->
        seen = value;
        if
        :: seen >= units -> value = seen - units; has_taken = true
        :: else
        fi
    :: else ->
        atomic {
            if
            :: value >= units -> value = value - units; has_taken = true
            :: else
            fi
        }
    fi
}

proctype poster(byte total)
{
    byte units, seen;
    do
    :: total == 0 -> break
    :: else ->
        if
        :: units = 1
        :: total > 1 -> units = 2
        fi;
        if
        :: IS_MUTANT(LOOKS_FIRST) -> seen = sleepers; atomic { value = value + units }
        :: else ->
            atomic { value = value + units } /* P1 */
            seen = sleepers                  /* P2 */
        fi;
        if
        :: seen > 0 -> futex_wake(!IS_MUTANT(WAKES_ONE)) /* P3 */
        :: else
        fi;
        total = total - units
    od
}

proctype taker(byte units)
{
    byte round, seen;
    bool has_taken;
    do
    :: round == ROUNDS -> break
    :: else ->
        has_taken = false;
        try_to_take();
        if
        :: has_taken
        :: else ->
            if
            :: IS_MUTANT(IS_NOT_COUNTED)
            :: else -> atomic { sleepers++ } /* W1 */
            fi;
            do
            :: true ->
                try_to_take(); /* W2 */
                if
                :: has_taken -> break
                :: else
                fi;
                seen = value;
                if
                :: seen < units -> futex_wait(value, seen) /* W3 */
                :: else
                fi
            od;
            if
            :: IS_MUTANT(IS_NOT_COUNTED)
            :: else -> atomic { sleepers-- } /* W4 */
            fi
        fi;
        round++
    od
}

init {
    byte t = 1;
    atomic {
        run poster(ROUNDS * THREADS * (THREADS - 1) / 2);
        do
        :: t < THREADS -> run taker(t); t++
        :: else -> break
        od
    }
    _nr_pr == 1;
    assert(value == 0 && sleepers == 0)
}
