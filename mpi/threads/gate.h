/*
 * gate.h: the arbiter in front of the MPI library below.
 *
 *     bool is_inside = bn_gate_enter(BN_PATH_MAIN);
 *     result = bn_real.Isend(...);
 *     if (is_inside)
 *         bn_gate_leave();
 *
 * A callback of the program that the library calls inside may call MPI: it is inside already, and its calls go straight
 * to the library, those that block, too.
 *
 * With BN_GATE_LEARNS the library below keeps its threads apart itself, and calls of some uses come in past the arbiter
 * if that gets more done (sync/trial.h): bn_gate_enter_for.
 */
#ifndef BN_MPI_THREADS_GATE_H
#define BN_MPI_THREADS_GATE_H

#include "sync/arbiter.h"
#include "sync/trial.h"
#include "threads/idups.h"
#include "threads/library.h"

enum bn_gate_state {
    BN_GATE_UNKNOWN,    /* the library below has not been found yet */
    BN_GATE_OPEN,       /* calls go through */
    BN_GATE_COUNTS,     /* the same, and the instruments run */
    BN_GATE_ARBITRATES, /* one thread at a time */
    BN_GATE_LEARNS,     /* the same, but where past it is faster */
};

/* What threads do that may come in past the arbiter; for each the faster way is found. */
enum bn_gate_use {
    BN_USE_STREAM,   /* messages that are started and completed by calls of their own */
    BN_USE_MESSAGE,  /* messages and probes, each of which a call waits for */
    BN_USE_TRANSFER, /* one-sided transfers by the library */
    BN_USE_COUNT,
    BN_USE_OTHER = BN_USE_COUNT, /* always by the arbiter */
};

/* Where a thread is */
enum bn_gate_place {
    BN_GATE_OUTSIDE,
    BN_GATE_INSIDE, /* let in by the arbiter */
    BN_GATE_PAST,   /* in the library, past the arbiter */
};

/* What becomes of a sched_yield by the library: yields.c */
enum bn_gate_yields {
    BN_YIELDS_NOW,    /* it is made */
    BN_YIELDS_LATER,  /* this one is put off */
    BN_YIELDS_IS_DUE, /* one was put off, the next ones are made */
};

/* What a thread is to the arbiter */
struct bn_gate_self {
    enum bn_gate_place place;
    enum bn_gate_yields yields;
    struct bn_trial_thread trials[BN_USE_COUNT];
    struct bn_arbiter_thread *thread; /* null: it has not been here yet */
};

/* Changes before the program has threads, and after it has none. */
extern enum bn_gate_state bn_gate_state;
extern _Thread_local struct bn_gate_self bn_gate_self __attribute__((tls_model("initial-exec")));
extern struct bn_arbiter bn_gate_arbiter;
/* First: by the arbiter; second: past it.  Settled but to learn, when what is past it stays until the other gets more
 * done. */
extern struct bn_trial bn_gate_trials[BN_USE_COUNT];

/* Out of line: the library is there afterwards. */
void bn_gate_find(void);
void bn_gate_go_in(enum bn_arbiter_path path);

/** Before a call that needs no arbiter. */
static inline void bn_gate_look_around(void)
{
    if (__builtin_expect(bn_gate_state == BN_GATE_UNKNOWN, 0))
        bn_gate_find();
}

/** Whether what blocks is to be made of what does not: not for who is inside already. */
static inline bool bn_gate_arbitrates(void)
{
    return bn_gate_state >= BN_GATE_ARBITRATES && bn_gate_self.place == BN_GATE_OUTSIDE;
}

/** The call may be made.  True: bn_gate_leave is to follow it. */
static inline bool bn_gate_enter(enum bn_arbiter_path path)
{
    bn_gate_look_around();
    if (bn_gate_state == BN_GATE_OPEN || bn_gate_self.place != BN_GATE_OUTSIDE)
        return false;
    bn_gate_go_in(path);
    return true;
}

/** Such a call, which is no more than a look if done is 0, goes past the arbiter if that is its way now; false: it is
 *  not.  Not while copies of communicators are under way: who is inside looks after these. */
static inline bool bn_gate_passes(enum bn_gate_use use, enum bn_arbiter_path path, uint32_t done)
{
    if (use == BN_USE_OTHER || bn_gate_self.place != BN_GATE_OUTSIDE)
        return false;
    struct bn_trial *trial = &bn_gate_trials[use];
    struct bn_trial_thread *self = &bn_gate_self.trials[use];
    bool is_start = use == BN_USE_STREAM && path == BN_PATH_MAIN;
    uint32_t way = is_start ? bn_trial_way_of_start(trial, self) : bn_trial_way(trial, self, done);
    if (way != BN_TRIAL_SECOND || bn_word64_get(&bn_idups_under_way) != 0)
        return false;
    bn_gate_self.place = BN_GATE_PAST;
    return true;
}

/** The same for the call that most are: past it, and no trial runs.  False: whatever else there is. */
static inline __attribute__((always_inline)) bool bn_gate_passes_at_once(enum bn_gate_use use)
{
    if (use == BN_USE_OTHER || bn_word_get(&bn_gate_trials[use].way) != BN_TRIAL_SECOND ||
        bn_gate_self.trials[use].until_look == 0 || bn_word64_get(&bn_idups_under_way) != 0 ||
        bn_gate_self.place != BN_GATE_OUTSIDE)
        return false;
    bn_gate_self.trials[use].until_look--;
    bn_gate_self.place = BN_GATE_PAST;
    return true;
}

/* The beginning of an entry point that only hands its arguments on otherwise: messages of a byte take the library some
 * hundred nanoseconds, of which not even registers are to be saved. */
#define BN_GATE_PASS_AT_ONCE(use, call)                                                                                \
    if (bn_gate_passes_at_once(use)) {                                                                                 \
        __typeof__(call) result_past = call;                                                                           \
        bn_gate_self.place = BN_GATE_OUTSIDE;                                                                          \
        return result_past;                                                                                            \
    }

/** bn_gate_enter for a call of a use. */
static inline bool bn_gate_enter_for(enum bn_gate_use use, enum bn_arbiter_path path, uint32_t done)
{
    return bn_gate_passes(use, path, done) || bn_gate_enter(path);
}

/** The same for a call that brings new work and would block. */
static inline bool bn_gate_enter_blocking(enum bn_gate_use use)
{
    return bn_gate_passes(use, BN_PATH_PROGRESS, 1) ||
           bn_gate_enter(bn_gate_state >= BN_GATE_ARBITRATES ? BN_PATH_MAIN : BN_PATH_PROGRESS);
}

/** By who has just come in so: whether what blocks is to be made of what does not. */
static inline bool bn_gate_waits(bool is_inside)
{
    return is_inside && bn_gate_self.place == BN_GATE_INSIDE && bn_gate_state >= BN_GATE_ARBITRATES;
}

/* Out of line: by who was let in */
void bn_gate_come_out(void);

static inline void bn_gate_leave(void)
{
    if (__builtin_expect(bn_gate_self.place == BN_GATE_PAST, 1))
        bn_gate_self.place = BN_GATE_OUTSIDE;
    else
        bn_gate_come_out();
}

/** By who is not inside: bn_arbiter_await, for polls that call MPI. */
void bn_gate_await(bn_arbiter_poll poll, void *context);

/** The same by who is inside, and is again when it returns: others come in only if it has not come at once. */
void bn_gate_await_inside(bn_arbiter_poll poll, void *context);

/** From now on calls are arbitrated, counted, or both ways are tried.  By the only thread that calls MPI. */
void bn_gate_begin(enum bn_gate_state state, enum bn_arbiter_policy policy, bool is_watched,
                   const struct bn_arbiter_place *place);

/** Behind that, where no two threads will ever call MPI at once: what has a use goes past the arbiter. */
void bn_gate_settle_for_one(void);

/** Whether it is so. */
bool bn_gate_settles_for_one(void);

/** Calls go through again. */
void bn_gate_end(void);

#endif
