/*
 * trial.h: two ways to do the same thing, either of which may be gone at any time, and which of them gets more done:
 * found out while the program does it.
 *
 * Time is cut into epochs by the clock of the machine, so processes of one machine try the same way at once.  A trial
 * takes BN_TRIAL_EPOCHS of them, by turns first, second, second, first...; each thread counts what it does, but for the
 * first quarter of an epoch, in which much of the last one still ends.  Pairs of neighbours are compared, and the
 * median decides; if the first two leave no doubt, it is over after these.  The next trial comes after BN_TRIAL_SOONEST
 * epochs, and after twice as many each time that one confirms the way, up to BN_TRIAL_LATEST.  Behind one that left no
 * doubt the next is brief: its epochs are a quarter as long, and if two pairs of these leave no doubt either, that is
 * all; else a whole one follows at once.  One in which too little was done says nothing, and the next one's epochs are
 * twice as long; when there is plenty again, half as long.  docs/design/016-mpi-threads.md has what that costs.
 *
 *     if (bn_trial_way(&trial, &self->trial, 1) == BN_TRIAL_FIRST)
 *         ...
 */
#ifndef BN_SYNC_TRIAL_H
#define BN_SYNC_TRIAL_H

#include "platform/atomic_word.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BN_TRIAL_FIRST,
    BN_TRIAL_SECOND,
    BN_TRIAL_RUNS, /* no way: the clock decides */
};

enum {
    BN_TRIAL_STEP_BITS = 20,     /* of nanoseconds: a quarter of an epoch, at first 1.05 ms */
    BN_TRIAL_LONGER_BITS = 4,    /* at most 16 times as much */
    BN_TRIAL_BRIEF_BITS = 2,     /* a quarter of that in a brief trial */
    BN_TRIAL_EPOCH_BITS = 2,     /* of steps: an epoch is at first 4.2 ms */
    BN_TRIAL_EPOCHS = 8,         /* pairs of first and second */
    BN_TRIAL_ROUND = 4,          /* epochs, after which there may be no doubt left */
    BN_TRIAL_CLEAR_PERCENT = 50, /* more done in each pair of a round leaves none */
    BN_TRIAL_SOONEST_BITS = 5,   /* of epochs: at first 134 ms from one trial to the next */
    BN_TRIAL_LATEST_BITS = 11,   /* at first 8.6 s */
    BN_TRIAL_LEAST = 16,         /* less done in a pair says nothing */
    BN_TRIAL_PLENTY = 1024,      /* done in a trial is enough for shorter epochs */
    BN_TRIAL_LOOK = 1024,        /* calls of a thread between two looks whether there is to be a trial */
    BN_TRIAL_STARTS = 8,         /* calls that wait for nothing between two looks at the clock in a trial */
    BN_TRIAL_GAIN_PERCENT = 5,   /* less gained is no reason to change */
};

/* What a thread has counted and not handed over; all zero in the beginning */
struct bn_trial_thread {
    uint64_t step;
    uint64_t done;
    uint32_t until_look;
    uint32_t until_clock, way; /* of calls that wait for nothing, in a trial */
    bool counts;               /* what is done now */
};

/* All zero: the first way, and a trial soon.  Fields but `way` are for trial.c. */
struct bn_trial {
    uint32_t way;                   /* BN_TRIAL_FIRST, SECOND or RUNS */
    uint32_t is_turned;             /* by somebody: begun, or ended */
    uint32_t choice;                /* while one runs: the way before and behind it */
    uint32_t longer_bits;           /* steps are so much longer than at first */
    uint32_t brief_bits;            /* and in this trial so much shorter than that */
    uint32_t interval_bits;         /* of epochs, to the next one; 0: there has been none */
    bool is_clear;                  /* the last one has left no doubt */
    bool is_settled;                /* there are none: bn_trial_settle */
    uint64_t begin;                 /* epoch of this, or the last, trial */
    uint64_t done[BN_TRIAL_EPOCHS]; /* in each of them, by all threads */
    uint64_t per_second[2];         /* of both ways, by the last trial that has decided; 0: none has */
    uint64_t trials;                /* that have decided */
};

/** That way, and no trials.  By who alone uses it yet. */
void bn_trial_settle(struct bn_trial *trial, uint32_t way);

/** Which way that much more (0: a look, which nothing may come of) goes now.  Any thread, with a `self` of its own.
 *  @cost A load and a decrement if no trial runs, else a reading of the clock. */
static inline uint32_t bn_trial_way(struct bn_trial *trial, struct bn_trial_thread *self, uint32_t done);

/** The same for one more that waits for nothing, so that a few of them hardly outlast an epoch.
 *  @cost A reading of the clock for each BN_TRIAL_STARTS, since that takes as long as a message of a byte. */
static inline uint32_t bn_trial_way_of_start(struct bn_trial *trial, struct bn_trial_thread *self);

/** The same at a time of CLOCK_MONOTONIC in ns; begins, counts and decides trials. */
uint32_t bn_trial_step(struct bn_trial *trial, struct bn_trial_thread *self, uint32_t done, uint64_t now_ns);

/** What a trial decides, by what has been done in so many epochs of it: that way, or BN_TRIAL_RUNS if too little was,
 *  or, after BN_TRIAL_ROUND, if there is doubt. */
uint32_t bn_trial_decide(const uint64_t *done, int epochs, uint32_t choice);

/* Out of line: reads the clock. */
uint32_t bn_trial_look(struct bn_trial *trial, struct bn_trial_thread *self, uint32_t done);

static inline uint32_t bn_trial_way(struct bn_trial *trial, struct bn_trial_thread *self, uint32_t done)
{
    uint32_t way = bn_word_get(&trial->way);
    if (__builtin_expect(way != BN_TRIAL_RUNS && self->until_look > 0, 1)) {
        self->until_look--;
        return way;
    }
    return bn_trial_look(trial, self, done);
}

static inline uint32_t bn_trial_way_of_start(struct bn_trial *trial, struct bn_trial_thread *self)
{
    if (bn_word_get(&trial->way) != BN_TRIAL_RUNS || self->until_clock == 0)
        return bn_trial_way(trial, self, 1);
    self->until_clock--;
    self->done += self->counts;
    return self->way;
}

#ifdef __cplusplus
}
#endif

#endif
