/*
 * habit.h: blind calls, which go to the library below without being analysed.
 *
 * Analysing the arguments of a call with counts is expensive, about a third of the time of a small call between two
 * processes: the blocks of all members are added up, and members tell each other what they know (node/agree.h).  Once
 * the library has carried out many small calls in a row because it is faster, most of the following ones go to it
 * blind: BN_HABIT_BLIND calls after each BN_HABIT_LOOKS analysed ones.  When a program moves on to larger blocks, this
 * is noticed a few hundred calls late, but only after the program has made more small calls than that.
 *
 * All members go blind in the same calls, since the counters depend only on decisions that are the same on all of
 * them.  Blind calls skip the analysis, so while trials compare the engine with the library, the analysis counts as
 * part of the engine's time.
 */
#ifndef BN_MPI_HOST_HABIT_H
#define BN_MPI_HOST_HABIT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BN_HABIT_CLASS = 12, /* largest size class (bn_size_class), 4 KiB: beyond it the analysis does not matter */
    BN_HABIT_ROW = 512,  /* small calls in a row before the first blind one */
    BN_HABIT_LOOKS = 8,
    BN_HABIT_BLIND = 56,
};

/* State per operation and communicator; all zero is the initial state. */
struct bn_habit {
    uint32_t row;    /* analysed small calls in a row that went to the library */
    uint32_t blind;  /* blind calls still to come */
    bool is_learned; /* the last call was a trial (ledger.h) */
};

/** Whether the call that begins goes blind; counts it if so. */
static inline bool bn_habit_is_blind(struct bn_habit *habit)
{
    if (__builtin_expect(habit->blind == 0, 1))
        return false;
    habit->blind--;
    return true;
}

/** Records an analysed call, and whether it was small and went to the library because that is faster. */
static inline void bn_habit_note(struct bn_habit *habit, bool is_small_of_library)
{
    habit->row = is_small_of_library ? habit->row + 1 : 0;
    if (__builtin_expect(habit->row == BN_HABIT_ROW + BN_HABIT_LOOKS, 0)) {
        habit->row = BN_HABIT_ROW;
        habit->blind = BN_HABIT_BLIND;
    }
}

#endif
