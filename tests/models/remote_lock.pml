/*
 * runtime/pgas/remote/lock.c: the queue lock of several nodes.
 *
 * Each thread takes the lock TURNS times, or leaves it at an attempt.  Mutual exclusion; first come, first served (a
 * queue of ids that is no part of the lock notes the order of A3); each thread gets it (else a thread would wait for
 * ever).
 *
 * run: THREADS=2 TURNS=3; THREADS=3 TURNS=2; THREADS=4 TURNS=1
 * mutants: 1 2 3 4 5 6
 * mutant run: THREADS=3 TURNS=2
 */
#include "mutant.h"

#define FREES_BLINDLY 1     /* R2 stores 0 without looking whether somebody has queued */
#define FORGETS_NEXT 2      /* B2 stores HELD without looking whether somebody has queued */
#define KEEPS_OLD_NEXT 3    /* A2 left out */
#define LEAVES_LOCK_NEXT 4  /* B1 left out */
#define SKIPS_LINK 5        /* R3 left out: frees the lock where the link is missing */
#define LINKS_EARLY 6       /* A4 before A3 */

#define HELD 255

byte tail, lock_next;              /* the lock */
byte next[THREADS + 1];            /* the waiters, by id: thread + 1 */
byte granted[THREADS + 1];
byte turn[THREADS + 1];

chan queue = [THREADS] of { byte };
byte inside;
byte taken;

inline link_to_predecessor()
{
    if
    :: seen == HELD -> lock_next = id
    :: else -> next[seen] = id
    fi
}

inline become_holder()
{
    following = next[id];
    if
    :: IS_MUTANT(LEAVES_LOCK_NEXT)
    :: else -> lock_next = following /* B1 */
    fi;
    if
    :: following != 0
    :: else ->
        atomic { /* B2 */
            if
            :: IF_MUTANT(FORGETS_NEXT, true, tail == id) -> tail = HELD; has_changed = true
            :: else -> has_changed = false
            fi
        }
        if
        :: has_changed
        :: else ->
            next[id] != 0; /* B3 */
            lock_next = next[id]
        fi
    fi
}

inline acquire()
{
    do
    :: true ->
        seen = tail;
        if
        :: seen == 0 ->
            atomic { /* A1 */
                if
                :: tail == 0 -> tail = HELD; assert(len(queue) == 0); break
                :: else
                fi
            }
        :: else ->
            if
            :: IS_MUTANT(KEEPS_OLD_NEXT)
            :: else -> next[id] = 0 /* A2 */
            fi;
            if
            :: IS_MUTANT(LINKS_EARLY) -> link_to_predecessor()
            :: else
            fi;
            atomic { /* A3 */
                if
                :: tail == seen -> tail = id; queue ! id; has_changed = true
                :: else -> has_changed = false
                fi
            }
            if
            :: has_changed ->
                if
                :: IS_MUTANT(LINKS_EARLY)
                :: else -> link_to_predecessor() /* A4 */
                fi;
                turn[id]++;
                granted[id] >= turn[id]; /* A5 */
                assert(granted[id] == turn[id]);
                become_holder();
                break
            :: else
            fi
        fi
    od
}

inline grant(first)
{
    atomic {
        queue ? following;
        assert(following == first);
        granted[first]++ /* R4 */
    }
}

inline release()
{
    following = lock_next; /* R1 */
    if
    :: following == 0 ->
        atomic { /* R2 */
            if
            :: IF_MUTANT(FREES_BLINDLY, true, tail == HELD) -> tail = 0; has_changed = true
            :: else -> has_changed = false
            fi
        }
        if
        :: has_changed
        :: !has_changed && IS_MUTANT(SKIPS_LINK) -> tail = 0
        :: else ->
            lock_next != 0; /* R3 */
            first = lock_next;
            grant(first)
        fi
    :: else ->
        first = following;
        grant(first)
    fi
}

proctype thread(byte id)
{
    byte seen, following, first, done;
    bool has_changed;
    do
    :: done == TURNS -> break
    :: done < TURNS ->
        if
        :: acquire()
        :: atomic { tail == 0 -> tail = HELD } /* an attempt; A1 */
        :: atomic { tail != 0 -> done++ };     /* an attempt that fails */
            goto next_turn
        fi;
        inside++;
        assert(inside == 1);
        taken++;
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
    assert(tail == 0 && lock_next == 0 && len(queue) == 0)
}
