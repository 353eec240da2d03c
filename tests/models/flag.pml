/*
 * runtime/sync/flag.c: waiting for a flag with sleep and wake-up.
 *
 * As event.pml, but what is slept on is not the number, of which a futex sees a half that may stay as it is, but a turn
 * that the writer takes when somebody sleeps.
 *
 * run: THREADS=2 ROUNDS=3; THREADS=3 ROUNDS=2
 * long run: THREADS=4 ROUNDS=2
 * mutants: 1 2 3 4 5 6 7
 * mutant run: THREADS=3 ROUNDS=1
 */
#include "mutant.h"

#define COMES_TOO_EARLY 1       /* P2 before P1: looks for sleepers, then writes the number */
#define SLEEPS_ON_THE_NUMBER 7  /* W4 compares a half of the number that stays as it is; P3 left out */
#define SLEEPS_IN_ANY_CASE 2    /* W4 does not compare */
#define IS_NOT_COUNTED 3        /* W1 left out */
#define WAKES_ONE 4             /* P4 wakes one of the sleepers */
#define LOOKS_FIRST 5           /* W3 before W2 */
#define TAKES_ITS_TURN_LATE 6   /* P4 before P3 */

byte number, sleepers, turn;
byte payload; /* what the writer did before it raised the flag */
byte spurious = 1;

#include "futex.h"

inline take_turn()
{
    if
    :: IS_MUTANT(SLEEPS_ON_THE_NUMBER)
    :: else -> turn++ /* P3 */
    fi
}

proctype writer()
{
    byte round = 1, seen;
    do
    :: round > ROUNDS -> break
    :: else ->
        payload = round;
        if
        :: IS_MUTANT(COMES_TOO_EARLY) -> seen = sleepers; number = round
        :: else ->
            number = round;  /* P1 */
            seen = sleepers  /* P2 */
        fi;
        if
        :: seen > 0 ->
            if
            :: IS_MUTANT(TAKES_ITS_TURN_LATE) -> futex_wake(true); take_turn()
            :: else ->
                take_turn();
                futex_wake(!IS_MUTANT(WAKES_ONE)) /* P4 */
            fi
        :: else
        fi;
        round++
    od
}

proctype waiter()
{
    byte round = 1, seen;
    bool is_there;
    do
    :: round > ROUNDS -> break
    :: else ->
        if
        :: number >= round
        :: true ->
            if
            :: IS_MUTANT(IS_NOT_COUNTED)
            :: else -> sleepers++ /* W1 */
            fi;
            do
            :: true ->
                if
                :: IS_MUTANT(LOOKS_FIRST) -> is_there = number >= round; seen = turn
                :: else ->
                    seen = turn;              /* W2 */
                    is_there = number >= round /* W3 */
                fi;
                if
                :: is_there -> break
                :: else -> futex_wait(turn, seen) /* W4 */
                fi
            od;
            if
            :: IS_MUTANT(IS_NOT_COUNTED)
            :: else -> sleepers-- /* W5 */
            fi
        fi;
        assert(payload >= round);
        round++
    od
}

init {
    byte t = 1;
    atomic {
        run writer();
        do
        :: t < THREADS -> run waiter(); t++
        :: else -> break
        od
    }
    _nr_pr == 1;
    assert(sleepers == 0)
}
