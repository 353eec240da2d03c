/*
 * trial.h: measures, while the program runs, which of two interchangeable ways of doing the same thing has the higher
 * throughput.
 *
 * Time is divided into epochs by the machine's clock, so that all processes of a machine try the same way at the same
 * time. A trial takes BN_TRIAL_EPOCHS epochs, alternating first, second, second, first...  Each thread counts the work
 * it does, except in the first quarter of an epoch, in which much work of the previous epoch still completes.
 * Neighbouring epochs are compared in pairs, and the median decides; if the first two pairs are unambiguous, the trial
 * ends after them.
 *
 * The next trial comes after BN_TRIAL_SOONEST epochs; each trial that confirms the way doubles the distance, up to
 * BN_TRIAL_LATEST.  After an unambiguous trial the next one is brief: its epochs are a quarter as long, and if its two
 * pairs are unambiguous as well, it ends there; otherwise a full trial follows immediately.  A trial in which too
 * little was done is inconclusive, and epochs become twice as long for the next one; once there is plenty of work
 * again, they become half as long. docs/design/016-mpi-threads.md states the cost.
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
    BN_TRIAL_RUNS, /* not a way: a trial is running, and the clock decides */
};

enum {
    BN_TRIAL_STEP_BITS = 20,     /* log2 of a step in nanoseconds: a quarter of an epoch, initially 1.05 ms */
    BN_TRIAL_LONGER_BITS = 4,    /* a step grows to at most 16 times that */
    BN_TRIAL_BRIEF_BITS = 2,     /* and is a quarter as long in a brief trial */
    BN_TRIAL_EPOCH_BITS = 2,     /* log2 of an epoch in steps: an epoch is initially 4.2 ms */
    BN_TRIAL_EPOCHS = 8,         /* epochs of a trial, in pairs of first and second */
    BN_TRIAL_ROUND = 4,          /* epochs after which a trial may end if it is unambiguous */
    BN_TRIAL_CLEAR_PERCENT = 50, /* so much more done in each pair of a round is unambiguous */
    BN_TRIAL_SOONEST_BITS = 5,   /* log2 of the interval between trials in epochs: initially 134 ms */
    BN_TRIAL_LATEST_BITS = 11,   /* the longest interval: 8.6 s with initial epochs */
    BN_TRIAL_LEAST = 16,         /* a pair with less done than this is ignored */
    BN_TRIAL_PLENTY = 1024,      /* more done than this in a trial allows shorter epochs */
    BN_TRIAL_LOOK = 1024,        /* calls of a thread between two checks whether a trial is due */
    BN_TRIAL_STARTS = 8,         /* non-waiting calls between two readings of the clock in a trial */
    BN_TRIAL_GAIN_PERCENT = 5,   /* the least gain for which the way changes */
};

/* What a thread has counted and not yet handed over; initially all zero */
struct bn_trial_thread {
    uint64_t step;
    uint64_t done;
    uint32_t until_look;
    uint32_t until_clock, way; /* non-waiting calls until the clock is read again in a trial, and their way */
    bool counts;               /* whether work done now is counted */
};

/* All zero: the first way, and a trial soon.  Fields other than `way` are private to trial.c. */
struct bn_trial {
    uint32_t way;                   /* BN_TRIAL_FIRST, SECOND or RUNS */
    uint32_t is_turned;             /* some thread is beginning or ending a trial */
    uint32_t choice;                /* during a trial: the way used before and after it */
    uint32_t longer_bits;           /* log2 of how much longer steps are than initially */
    uint32_t brief_bits;            /* log2 of how much shorter than that they are in this trial */
    uint32_t interval_bits;         /* log2 of the epochs to the next trial; 0: no trial has run yet */
    bool is_clear;                  /* the last trial was unambiguous */
    bool is_settled;                /* there are no trials: bn_trial_settle */
    uint64_t begin;                 /* first epoch of the current or last trial */
    uint64_t done[BN_TRIAL_EPOCHS]; /* work done by all threads in each epoch */
    uint64_t per_second[2];         /* throughput of both ways in the last conclusive trial; 0: there was none */
    uint64_t trials;                /* number of conclusive trials */
};

/** Fixes the way and disables trials.  Must be called before other threads use the trial. */
void bn_trial_settle(struct bn_trial *trial, uint32_t way);

/** Returns the way for the next `done` units of work (0: a poll that may do nothing).  Any thread may call it, with its
 * own `self`.  @cost A load and a decrement if no trial runs, otherwise a reading of the clock. */
static inline uint32_t bn_trial_way(struct bn_trial *trial, struct bn_trial_thread *self, uint32_t done);

/** The same for one unit of work that never waits, so that a few of them hardly outlast an epoch. @cost One reading of
 * the clock per BN_TRIAL_STARTS calls, since a reading takes as long as a one-byte message. */
static inline uint32_t bn_trial_way_of_start(struct bn_trial *trial, struct bn_trial_thread *self);

/** bn_trial_way at a given CLOCK_MONOTONIC time in ns; begins, counts and decides trials. */
uint32_t bn_trial_step(struct bn_trial *trial, struct bn_trial_thread *self, uint32_t done, uint64_t now_ns);

/** The result of a trial, from the work done in its first `epochs` epochs: the better way, or BN_TRIAL_RUNS if too
 * little was done or if the result is ambiguous after only BN_TRIAL_ROUND epochs. */
uint32_t bn_trial_decide(const uint64_t *done, int epochs, uint32_t choice);

/* The slow path, out of line: reads the clock. */
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
