/*
 * runtime/pgas/heap.c: slots that are freed by threads to which the heap does not belong.
 *
 * Two slabs of THREADS - 1 slots, all in use; each thread but the owner frees one slot of each slab.  Meanwhile the
 * owner collects as often as it likes.  In the end every slot has come back, and the list is empty and was never torn.
 *
 * TWICE=1: somebody frees a slot for the second time.  That may be refused or ignored, and must not do harm.
 *
 * run: THREADS=2 TWICE=0; THREADS=2 TWICE=1; THREADS=3 TWICE=0; THREADS=3 TWICE=1
 * long run: THREADS=4 TWICE=0
 * mutants: 1 2 3 4 5
 * mutant run: THREADS=3 TWICE=0
 */
#include "mutant.h"

#define CLEARS_LATE 1     /* O3 after O4 */
#define LOOKS_LATE 2      /* O2 after O3: others may have linked the slab again */
#define FREES_IN_PARTS 3  /* F1 is a load and a store */
#define PUSHES_ALWAYS 4   /* F2 left out: a slab may be in the list twice */
#define PUSHES_BLINDLY 5  /* F4 does not compare */

#define SLABS 2
#define SLOTS (THREADS - 1)

byte freed[SLABS];         /* bit set: slot was freed by another thread */
bool is_pending[SLABS];
byte next_pending[SLABS];  /* slab + 1, 0 for none */
byte pending;

byte is_free[SLABS];       /* bit set: slot has come back */

inline push_pending()
{
    do
    :: true ->
        head = pending;
        next_pending[slab] = head; /* F3 */
        atomic { /* F4 */
            if
            :: IF_MUTANT(PUSHES_BLINDLY, true, pending == head) -> pending = slab + 1; break
            :: else
            fi
        }
    od
}

inline free_slot()
{
    if
    :: (is_free[slab] >> slot) & 1 -> goto end_free /* F0 */
    :: else
    fi;
    if
    :: IS_MUTANT(FREES_IN_PARTS) -> old = freed[slab]; freed[slab] = old | (1 << slot)
    :: else -> atomic { old = freed[slab]; freed[slab] = old | (1 << slot) } /* F1 */
    fi;
    if
    :: (old >> slot) & 1
    :: else ->
        if
        :: IS_MUTANT(PUSHES_ALWAYS) -> old = 0
        :: else -> atomic { old = is_pending[slab]; is_pending[slab] = true } /* F2 */
        fi;
        if
        :: old == 0 -> push_pending()
        :: else
        fi
    fi;
end_free:
    skip
}

proctype other(byte slot)
{
    byte slab, old, head;
    do
    :: slab == SLABS -> break
    :: else -> free_slot(); slab++
    od
}

inline give_slots()
{
    atomic { old = freed[slab]; freed[slab] = 0 } /* O4 */
    is_free[slab] = is_free[slab] | old
}

inline collect_pending()
{
    atomic { item = pending; pending = 0 } /* O1 */
    do
    :: item == 0 -> break
    :: else ->
        slab = item - 1;
        if
        :: IS_MUTANT(LOOKS_LATE)
        :: else -> item = next_pending[slab] /* O2 */
        fi;
        if
        :: IS_MUTANT(CLEARS_LATE)
        :: else -> is_pending[slab] = false /* O3 */
        fi;
        if
        :: IS_MUTANT(LOOKS_LATE) -> item = next_pending[slab]
        :: else
        fi;
        give_slots();
        if
        :: IS_MUTANT(CLEARS_LATE) -> is_pending[slab] = false
        :: else
        fi
    od
}

proctype again()
{
    byte slab, slot, old, head;
    free_slot()
}

proctype owner()
{
    byte item, slab, old;
    do
    :: _nr_pr > 2 -> collect_pending()
    :: _nr_pr == 2 -> break
    od;
    collect_pending();
    assert(is_free[0] == (1 << SLOTS) - 1 && is_free[1] == (1 << SLOTS) - 1);
    assert(pending == 0)
}

init {
    byte t = 1;
    atomic {
        run owner();
        do
        :: t < THREADS -> run other(t - 1); t++
        :: else -> break
        od;
        if
        :: TWICE -> run again()
        :: else
        fi
    }
}
