/*
 * habit.h: calls that go to the library below without a look.
 *
 * What a call with counts is about is dear to find out, a third of a small call of two processes: the blocks of all
 * members are added up, and members tell each other what they know (node/agree.h).  Where the library has carried out
 * many small ones in a row because it is faster, it gets most of those that come, too: BN_HABIT_BLIND for each
 * BN_HABIT_LOOKS at which somebody looks.  A program that goes on to larger blocks is noticed a few hundred calls late,
 * after more calls than that.
 *
 * Rests on what is decided alike on all members, so that they go blind in the same calls.  Since blind calls cost no
 * look, those of the engine's that are timed to learn who is faster are timed with it.
 */
#ifndef BN_MPI_HOST_HABIT_H
#define BN_MPI_HOST_HABIT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BN_HABIT_CLASS = 12, /* of the largest blocks (bn_size_class), 4 KiB: beyond that a look is nothing beside them */
    BN_HABIT_ROW = 512,  /* calls, before the first goes blind */
    BN_HABIT_LOOKS = 8,
    BN_HABIT_BLIND = 56,
};

/* Of an operation on a communicator.  All zero: none. */
struct bn_habit {
    uint32_t row;    /* small calls of the library's behind one another that somebody has looked at */
    uint32_t blind;  /* that come */
    bool is_learned; /* the last call was one of those by which it is learned who is faster */
};

/** Whether the call that begins goes blind. */
static inline bool bn_habit_is_blind(struct bn_habit *habit)
{
    if (__builtin_expect(habit->blind == 0, 1))
        return false;
    habit->blind--;
    return true;
}

/** A call that somebody has looked at was a small one of the library's, since that is faster; or was not. */
static inline void bn_habit_note(struct bn_habit *habit, bool is_small_of_library)
{
    habit->row = is_small_of_library ? habit->row + 1 : 0;
    if (__builtin_expect(habit->row == BN_HABIT_ROW + BN_HABIT_LOOKS, 0)) {
        habit->row = BN_HABIT_ROW;
        habit->blind = BN_HABIT_BLIND;
    }
}

#endif
