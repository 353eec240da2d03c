/*
 * runtime/sync/arbiter_driven.c: of the threads that wait for something, one looks for all.
 *
 * Each thread waits TURNS times for something; whether it has come is left open at each look.  There is one driver at a
 * time; nobody looks for a thread after its thing has come, nor for one that is not waiting; no thread waits for ever
 * while nobody looks.  Being told is one step, since event.pml is about that.
 *
 * run: THREADS=2 TURNS=3; THREADS=3 TURNS=2
 * long run: THREADS=4 TURNS=1
 * mutants: 1 2 3 4 5 6
 * mutant run: THREADS=3 TURNS=2
 */
#include "mutant.h"

#define LEAVES_BLINDLY 1    /* D4 stores null without looking whether somebody has come */
#define TELLS_NOBODY 2      /* D5 left out */
#define POSTS_TO_NOBODY 3   /* D1 left out: who finds null posts itself and waits */
#define KEEPS_TOLD 4        /* who was told stays in the line */
#define TAKES_IN_TWO_STEPS 5 /* D3 is a load and a store */
#define DROPS_LINE 6        /* D5 does not hand the line on */

#define DRIVER 9

byte posted;
byte next[THREADS + 1];
byte told[THREADS + 1];
bool waits[THREADS + 1];
chan line = [THREADS] of { byte }; /* the driver's own */
byte drivers;

inline post()
{
    do
    :: before = posted;
        next[id] = before;
        atomic { /* D1, D2 */
            if
            :: posted == before ->
                posted = (before == 0 && !IS_MUTANT(POSTS_TO_NOBODY) -> DRIVER : id);
                break
            :: else
            fi
        }
    od
}

inline gather()
{
    if
    :: posted == DRIVER
    :: else ->
        if
        :: IS_MUTANT(TAKES_IN_TWO_STEPS) -> other = posted; posted = DRIVER
        :: else -> atomic { other = posted; posted = DRIVER } /* D3 */
        fi;
        do
        :: other == DRIVER || other == 0 -> break
        :: else -> line ! other; other = next[other]
        od
    fi
}

inline look()
{
    if
    :: has_come = true
    :: skip
    fi;
    count = len(line);
    do
    :: count == 0 -> break
    :: else ->
        count--;
        line ? other;
        assert(waits[other]);
        if
        :: waits[other] = false;
            told[other] = 1;
            if
            :: IS_MUTANT(KEEPS_TOLD) -> line ! other
            :: else
            fi
        :: line ! other
        fi
    od
}

inline hand_over()
{
    has_left = false;
    if
    :: len(line) == 0 ->
        atomic { /* D4 */
            if
            :: posted == DRIVER || IS_MUTANT(LEAVES_BLINDLY) -> drivers--; posted = 0; has_left = true
            :: else
            fi
        }
    :: else
    fi;
    if
    :: has_left
    :: else ->
        gather();
        line ? other;
        do
        :: IS_MUTANT(DROPS_LINE) && len(line) > 0 -> line ? count
        :: else -> break
        od;
        drivers--;
        if
        :: IS_MUTANT(TELLS_NOBODY)
        :: else -> told[other] = 2 /* D5 */
        fi
    fi
}

proctype thread(byte id)
{
    byte before, other, count, done;
    bool has_come, has_left;
    do
    :: done == TURNS -> break
    :: done < TURNS ->
        has_come = false;
        waits[id] = true;
        post();
        if
        :: before == 0 && !IS_MUTANT(POSTS_TO_NOBODY)
        :: else -> told[id] != 0
        fi;
        if
        :: told[id] == 1
        :: else ->
            drivers++;
            assert(drivers == 1);
            do
            :: has_come -> break
            :: else -> gather(); look()
            od;
            waits[id] = false;
            hand_over()
        fi;
        told[id] = 0;
        done++
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
    assert(posted == 0 && drivers == 0 && len(line) == 0)
}
