/*
 * runtime/sync/lock.c: the lock that whoever runs may take, and the line of those who could not.
 *
 * Each thread takes the lock TURNS times, or leaves it at an attempt.  Mutual exclusion; once the first in line has
 * claimed the lock, nobody takes it before that thread; those in line get it in the order of A3 (a queue of ids that is
 * no part of the lock notes it); each thread gets it (else a thread would wait or sleep for ever).  When the first in
 * line looks, claims or goes to sleep is left open.  Waiting to be first is one step here, since event.pml is about
 * that.
 *
 * run: THREADS=2 TURNS=3; THREADS=3 TURNS=1
 * long run: THREADS=3 TURNS=2; THREADS=4 TURNS=1
 * mutants: 1 2 3 4 5 6 7 8 9
 * mutant run: THREADS=3 TURNS=2
 */
#include "mutant.h"

#define DROPS_CLAIM 1        /* R2 stores 0 */
#define FORGETS_SLEEPER 2    /* R3 left out */
#define SLEEPS_IN_ANY_CASE 3 /* F4 does not compare */
#define ENDS_LINE_BLINDLY 4  /* L1 stores 0 without looking whether somebody has come */
#define KEEPS_OLD_NEXT 5     /* A2 left out */
#define SKIPS_LINK 6         /* L2 and L3 left out where the link is missing */
#define SLEEPS_BLINDLY 7     /* F3 is a store of what was seen, and SLEEPING */
#define PASSES_CLAIM 8       /* A1 looks at HELD only */
#define TAKES_BLINDLY 9      /* F1 does not compare */

#define HELD 1
#define CLAIMED 2
#define SLEEPING 4

byte state, tail;        /* the lock */
byte next[THREADS + 1];  /* the waiters, by id: thread + 1 */
byte first[THREADS + 1];
byte turn[THREADS + 1];

chan queue = [THREADS] of { byte };
byte claimer;
byte inside;
byte spurious = 1;

#include "futex.h"

#define IS_FREE IF_MUTANT(PASSES_CLAIM, (state & HELD) == 0, state == 0)

inline stand_in_line()
{
    if
    :: IS_MUTANT(KEEPS_OLD_NEXT)
    :: else -> next[id] = 0 /* A2 */
    fi;
    atomic { before = tail; tail = id; queue ! id } /* A3 */
    if
    :: before == 0
    :: else ->
        turn[id]++;
        next[before] = id;     /* A4 */
        first[id] >= turn[id]; /* A5 */
        assert(first[id] == turn[id])
    fi
}

inline take_as_first()
{
    atomic { /* F1 */
        if
        :: IF_MUTANT(TAKES_BLINDLY, true, state == seen) ->
            state = HELD;
            has_taken = true;
            assert(claimer == 0 || claimer == id);
            claimer = 0;
            queue ? before;
            assert(before == id)
        :: else
        fi
    }
}

inline sleep_as_first()
{
    seen = state;
    if
    :: (seen & HELD) == 0
    :: else ->
        has_changed = true;
        if
        :: seen & SLEEPING
        :: else ->
            atomic { /* F3 */
                if
                :: IF_MUTANT(SLEEPS_BLINDLY, true, state == seen) -> state = seen | SLEEPING
                :: else -> has_changed = false
                fi
            }
        fi;
        if
        :: has_changed -> futex_wait(state, (seen | SLEEPING)) /* F4 */
        :: else
        fi
    fi
}

inline take_at_last()
{
    has_taken = false;
    has_claimed = false;
    do
    :: has_taken -> break
    :: !has_taken ->
        seen = state;
        if
        :: (seen & HELD) == 0 -> take_as_first()
        :: (seen & HELD) != 0 && !has_claimed ->
            has_claimed = true;
            atomic { state = state | CLAIMED; claimer = id } /* F2 */
        :: (seen & HELD) != 0 -> sleep_as_first()
        fi
    od
}

inline leave_line()
{
    following = next[id];
    if
    :: following != 0
    :: else ->
        atomic { /* L1 */
            if
            :: IF_MUTANT(ENDS_LINE_BLINDLY, true, tail == id) -> tail = 0; has_changed = true
            :: else -> has_changed = false
            fi
        }
        if
        :: has_changed || IS_MUTANT(SKIPS_LINK)
        :: else ->
            next[id] != 0; /* L2 */
            following = next[id]
        fi
    fi;
    if
    :: following != 0 -> first[following]++ /* L3 */
    :: else
    fi
}

inline release()
{
    atomic { /* R1 */
        if
        :: state == HELD -> state = 0; has_changed = true
        :: else -> has_changed = false
        fi
    }
    if
    :: has_changed
    :: else ->
        atomic { seen = state; state = (IS_MUTANT(DROPS_CLAIM) -> 0 : seen & CLAIMED) } /* R2 */
        if
        :: (seen & SLEEPING) && !IS_MUTANT(FORGETS_SLEEPER) -> futex_wake(false) /* R3 */
        :: else
        fi
    fi
}

proctype thread(byte id)
{
    byte seen, before, following, done;
    bool has_changed, has_taken, has_claimed;
    do
    :: done == TURNS -> break
    :: done < TURNS ->
        if
        :: atomic { IS_FREE -> state = HELD; assert(claimer == 0) } /* at once, or an attempt; A1 */
        :: stand_in_line(); take_at_last(); leave_line()
        :: atomic { state != 0 -> done++ };                         /* an attempt that fails */
            goto next_turn
        fi;
        inside++;
        assert(inside == 1);
        inside--;
        release();
        done++;
next_turn:
        skip
    od
}

init {
    byte t = 1;
    atomic {
        do
        :: t <= THREADS -> run thread(t); t++
        :: else -> break
        od
    }
    _nr_pr == 1;
    assert(state == 0 && tail == 0 && len(queue) == 0)
}
