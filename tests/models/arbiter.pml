/*
 * runtime/sync/arbiter_gang.c: two gangs, the main path and the progress loop, that hand an outer lock on.
 *
 * MAIN threads enter TURNS times by the main path and PROGRESS threads by the progress loop.  Mutual exclusion; within
 * a gang they come in in the order in which they asked (a queue that is no part of the arbiter notes it); a thread of
 * the progress loop that waits for the outer lock sees at most BOUND + 1 turns of the main path; nobody waits for ever.
 * Waiting for one's ticket is one step, since event.pml is about that.
 *
 * run: MAIN=1 PROGRESS=1 TURNS=4; MAIN=2 PROGRESS=1 TURNS=3; MAIN=2 PROGRESS=2 TURNS=1; MAIN=3 PROGRESS=1 TURNS=2
 * mutants: 1 2 3 4 5 6 7
 * mutant run: MAIN=2 PROGRESS=2 TURNS=2
 */
#include "mutant.h"

#define TAKES_NO_OUTER 1     /* G2 left out in the progress loop */
#define FORGETS_TO_CLEAR 2   /* H2 leaves has_outer */
#define GIVES_OWN_FIRST 3    /* H3 before H2 */
#define HAS_NO_BOUND 4       /* H1 keeps while the gang wants it */
#define KEEPS_FOR_NOBODY 5   /* H1 does not ask whether the gang wants it */
#define FORGETS_TO_SET 6     /* G2 does not set has_outer */
#define DRAWS_IN_TWO_STEPS 7 /* the ticket is no atomic addition */

#define BOUND 1
#define OUTER 2

byte next[3], serving[3]; /* the locks: of each gang, and the outer one */
bool has_outer[2];
byte turns[2];

chan asked[2] = [4] of { byte };
byte inside, passed;

#define IS_WANTED(lock) (next[lock] != serving[lock] + 1)
#define LIMIT (gang == 0 -> BOUND : 0)

inline ticket_enter(lock)
{
    if
    :: IS_MUTANT(DRAWS_IN_TWO_STEPS) ->
        own = next[lock];
        next[lock] = own + 1
    :: else ->
        atomic {
            own = next[lock];
            next[lock]++;
            if
            :: lock < OUTER -> asked[lock] ! id
            :: else
            fi
        }
    fi;
    serving[lock] == own
}

inline enter()
{
    ticket_enter(gang); /* G1 */
    if
    :: has_outer[gang] || (IS_MUTANT(TAKES_NO_OUTER) && gang == 1)
    :: else ->
        ticket_enter(OUTER); /* G2 */
        has_outer[gang] = !IS_MUTANT(FORGETS_TO_SET);
        turns[gang] = 0
    fi
}

inline give_up_outer()
{
    has_outer[gang] = IS_MUTANT(FORGETS_TO_CLEAR);
    serving[OUTER]++ /* H2 */
}

inline leave()
{
    keeps = (IS_WANTED(gang) || IS_MUTANT(KEEPS_FOR_NOBODY)) &&
            (turns[gang] < LIMIT || IS_MUTANT(HAS_NO_BOUND) || !IS_WANTED(OUTER)); /* H1 */
    if
    :: IS_MUTANT(GIVES_OWN_FIRST) -> serving[gang]++
    :: else
    fi;
    if
    :: keeps -> turns[gang]++
    :: else -> give_up_outer()
    fi;
    if
    :: IS_MUTANT(GIVES_OWN_FIRST)
    :: else -> serving[gang]++ /* H3 */
    fi
}

inline be_inside()
{
    inside++;
    assert(inside == 1);
    if
    :: IS_MUTANT(DRAWS_IN_TWO_STEPS)
    :: else ->
        asked[gang] ? first;
        assert(first == id)
    fi;
    if
    :: gang == 0 && IS_WANTED(OUTER) -> passed++
    :: else -> passed = 0
    fi;
    assert(passed <= BOUND + 1);
    inside--
}

proctype thread(byte id; byte gang)
{
    byte own, first, done;
    bool keeps;
    do
    :: done == TURNS -> break
    :: done < TURNS ->
        enter();
        be_inside();
        leave();
        done++
    od
}

init {
    byte t;
    atomic {
        do
        :: t < MAIN -> run thread(t, 0); t++
        :: t >= MAIN && t < MAIN + PROGRESS -> run thread(t, 1); t++
        :: else -> break
        od
    }
    _nr_pr == 1;
    assert(!has_outer[0] && !has_outer[1] && next[OUTER] == serving[OUTER])
}
