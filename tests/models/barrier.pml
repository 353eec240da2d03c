/*
 * runtime/sync/barrier.c: the split-phase barrier with values.
 *
 * Each thread notifies and waits PHASES times and gives a value, 1 or 2, or none, as it likes.  Nobody passes before
 * all have notified; the word that a thread compares its values with is that of its phase: the first that was given, or
 * of a pair the one that the other gave.  Then what it reports follows from the word, by arithmetic that
 * tests/unit/runtime/sync/barrier_test.cc checks.  Waiting for an event is one step; see event.pml.
 *
 * PAIR=1: each of two threads has a flag of its own.
 *
 * run: THREADS=2 PHASES=3 PAIR=1; THREADS=2 PHASES=3 PAIR=0; THREADS=3 PHASES=2 PAIR=0
 * long run: THREADS=4 PHASES=1 PAIR=0
 * mutants: 1 2 3 4 5
 * mutant run: THREADS=2 PHASES=3 PAIR=0
 * mutants: 6 7
 * mutant run: THREADS=2 PHASES=3 PAIR=1
 */
#include "mutant.h"

#define KEEPS_CONSENSUS 1  /* N4 left out */
#define EMPTIES_LATE 2     /* N4 after N5 */
#define MOVES_LATE 3       /* N3 after N5 */
#define GIVES_LATE 4       /* N1 after N2 */
#define COUNTS_IN_PARTS 5  /* N2 is a load and a store */
#define HAS_ONE_WORD 6     /* a pair has one word, not one for even and one for odd phases */
#define TELLS_EARLY 7      /* X2 before X1 */

#define NONE 0

byte arrivals, consensus;            /* the counter */
byte released, released_consensus;   /* its event and what lies beside it */
byte flag[2], word[4];               /* of a pair: events, and two words each */

byte notified[PHASES + 1];           /* threads that have notified the phase */
byte expected[PHASES + 1];           /* the first value given in the phase */
byte given[2 * (PHASES + 1)];        /* by each thread of a pair */

inline note_value()
{
    if
    :: value != NONE && expected[phase] == NONE -> expected[phase] = value
    :: else
    fi
}

inline give_value() /* N1 */
{
    atomic {
        note_value();
        if
        :: value != NONE && consensus == NONE -> consensus = value
        :: else
        fi
    }
}

inline count_arrival() /* N2 */
{
    if
    :: IS_MUTANT(COUNTS_IN_PARTS) -> place = arrivals + 1; arrivals = place
    :: else -> atomic { arrivals++; place = arrivals }
    fi
}

inline notify_all()
{
    if
    :: IS_MUTANT(GIVES_LATE)
    :: else -> give_value()
    fi;
    atomic { notified[phase]++ }
    count_arrival();
    if
    :: IS_MUTANT(GIVES_LATE) -> give_value()
    :: else
    fi;
    if
    :: place == THREADS * phase ->
        if
        :: IS_MUTANT(MOVES_LATE)
        :: else -> released_consensus = consensus /* N3 */
        fi;
        if
        :: IS_MUTANT(KEEPS_CONSENSUS) || IS_MUTANT(EMPTIES_LATE) || IS_MUTANT(MOVES_LATE)
        :: else -> consensus = NONE /* N4 */
        fi;
        released = phase; /* N5 */
        if
        :: IS_MUTANT(EMPTIES_LATE) -> consensus = NONE
        :: IS_MUTANT(MOVES_LATE) -> released_consensus = consensus; consensus = NONE
        :: else
        fi
    :: else
    fi
}

#define WORD(thread, phase) word[2 * (thread) + (IS_MUTANT(HAS_ONE_WORD) -> 0 : (phase) % 2)]

inline notify_pair()
{
    given[2 * phase + me] = value;
    notified[phase]++;
    if
    :: IS_MUTANT(TELLS_EARLY) -> flag[me] = phase; WORD(me, phase) = value
    :: else ->
        WORD(me, phase) = value; /* X1 */
        flag[me] = phase         /* X2 */
    fi
}

proctype thread(byte me)
{
    byte phase = 1, value, place;
    do
    :: phase > PHASES -> break
    :: else ->
        if
        :: value = NONE
        :: value = 1
        :: value = 2
        fi;
        if
        :: PAIR ->
            notify_pair();
            flag[1 - me] >= phase; /* C1 */
            assert(notified[phase] == THREADS);
            place = WORD(1 - me, phase); /* C2 */
            assert(place == given[2 * phase + 1 - me])
        :: else ->
            notify_all();
            released >= phase; /* C1 */
            assert(notified[phase] == THREADS);
            place = released_consensus; /* C2 */
            assert(place == expected[phase])
        fi;
        phase++
    od
}

init {
    byte t = 0;
    atomic {
        do
        :: t < THREADS -> run thread(t); t++
        :: else -> break
        od
    }
    _nr_pr == 1
}
