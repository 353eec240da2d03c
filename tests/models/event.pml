/*
 * runtime/sync/wait.c: waiting for an event with sleep and wake-up.
 *
 * One thread publishes the values 1, 2, ... of the event, the others wait for each of them.  A wake-up that were lost
 * is a thread that sleeps for ever: an end state that spin reports.  The looks of a waiter before it sleeps are left
 * out, since they change nothing; that it may find the value at once is in the first step.
 *
 * run: THREADS=2 ROUNDS=3; THREADS=3 ROUNDS=2; THREADS=4 ROUNDS=2
 * mutants: 1 2 3 4
 * mutant run: THREADS=3 ROUNDS=1
 */
#include "mutant.h"

#define COMES_TOO_EARLY 1    /* P2 before P1: looks for sleepers, then publishes; also what a missing fence would do */
#define SLEEPS_IN_ANY_CASE 2 /* W3 does not compare */
#define IS_NOT_COUNTED 3     /* W1 left out */
#define WAKES_ONE 4          /* P3 wakes one of the sleepers */

byte value, sleepers;
byte payload; /* what the publisher did before the event */
byte spurious = 1;

#include "futex.h"

proctype publisher()
{
    byte round = 1, seen;
    do
    :: round > ROUNDS -> break
    :: else ->
        payload = round;
        if
        :: IS_MUTANT(COMES_TOO_EARLY) -> seen = sleepers; value = round
        :: else ->
            value = round;   /* P1 */
            seen = sleepers  /* P2 */
        fi;
        if
        :: seen > 0 -> futex_wake(!IS_MUTANT(WAKES_ONE)) /* P3 */
        :: else
        fi;
        round++
    od
}

proctype waiter()
{
    byte round = 1, seen;
    do
    :: round > ROUNDS -> break
    :: else ->
        if
        :: value >= round
        :: true ->
            if
            :: IS_MUTANT(IS_NOT_COUNTED)
            :: else -> sleepers++ /* W1 */
            fi;
            do
            :: true ->
                seen = value; /* W2 */
                if
                :: seen >= round -> break
                :: else -> futex_wait(value, seen) /* W3 */
                fi
            od;
            if
            :: IS_MUTANT(IS_NOT_COUNTED)
            :: else -> sleepers-- /* W4 */
            fi
        fi;
        assert(payload >= round);
        round++
    od
}

init {
    byte t = 1;
    atomic {
        run publisher();
        do
        :: t < THREADS -> run waiter(); t++
        :: else -> break
        od
    }
    _nr_pr == 1;
    assert(sleepers == 0)
}
