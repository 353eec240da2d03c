/*
 * gate.h: the arbiter in front of the MPI library below.
 *
 *     bool is_inside = bn_gate_enter(BN_PATH_MAIN);
 *     result = bn_below.Isend(...);
 *     if (is_inside)
 *         bn_gate_leave();
 *
 * A callback of the program that the library calls inside may call MPI.  It is inside already, so its calls go straight
 * to the library, even blocking ones.
 *
 * With BN_GATE_LEARNS the library below is thread-safe itself, and calls of some uses bypass the arbiter if that gets
 * more done (sync/trial.h): bn_gate_enter_for.
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
    BN_GATE_COUNTS,     /* the same, with the instruments on */
    BN_GATE_ARBITRATES, /* one thread at a time */
    BN_GATE_LEARNS,     /* the same, except where bypassing the arbiter is faster */
};

/* Uses of MPI that may bypass the arbiter; for each of them trials find out whether that is faster. */
enum bn_gate_use {
    BN_USE_STREAM,   /* messages started and completed by separate calls */
    BN_USE_MESSAGE,  /* messages and probes that a single call carries out */
    BN_USE_TRANSFER, /* one-sided transfers made by the library */
    BN_USE_COUNT,
    BN_USE_OTHER = BN_USE_COUNT, /* never bypasses the arbiter */
};

/* Where a thread is */
enum bn_gate_place {
    BN_GATE_OUTSIDE,
    BN_GATE_INSIDE, /* let in by the arbiter */
    BN_GATE_PAST,   /* in the library, having bypassed the arbiter */
};

/* How a sched_yield by the library is handled: yields.c */
enum bn_gate_yields {
    BN_YIELDS_NOW,    /* it is carried out */
    BN_YIELDS_LATER,  /* the next one is put off */
    BN_YIELDS_IS_DUE, /* one was put off; further ones are carried out */
};

/* State of a thread */
struct bn_gate_self {
    enum bn_gate_place place;
    enum bn_gate_yields yields;
    struct bn_trial_thread trials[BN_USE_COUNT];
    struct bn_arbiter_thread *thread; /* null: it has not joined yet */
};

/* Changes only before the program has threads and after it has none. */
extern enum bn_gate_state bn_gate_state;
extern _Thread_local struct bn_gate_self bn_gate_self __attribute__((tls_model("initial-exec")));
extern struct bn_arbiter bn_gate_arbiter;
/* First way: through the arbiter; second: bypassing it.  Unless ways are to be learned, these are settled; when
 * learning, calls begin with the bypass and keep it until the arbiter gets more done. */
extern struct bn_trial bn_gate_trials[BN_USE_COUNT];

/* Out of line; bn_gate_find finds the library. */
void bn_gate_find(void);
void bn_gate_go_in(enum bn_arbiter_path path);

/** Before a call that needs no arbiter. */
static inline void bn_gate_look_around(void)
{
    if (__builtin_expect(bn_gate_state == BN_GATE_UNKNOWN, 0))
        bn_gate_find();
}

/** Whether blocking calls are replaced by nonblocking ones; not for a thread that is inside already. */
static inline bool bn_gate_arbitrates(void)
{
    return bn_gate_state >= BN_GATE_ARBITRATES && bn_gate_self.place == BN_GATE_OUTSIDE;
}

/** Returns when the call may be made.  True: bn_gate_leave must follow it. */
static inline bool bn_gate_enter(enum bn_arbiter_path path)
{
    bn_gate_look_around();
    if (bn_gate_state == BN_GATE_OPEN || bn_gate_self.place != BN_GATE_OUTSIDE)
        return false;
    bn_gate_go_in(path);
    return true;
}

/** Whether a call bypasses the arbiter; if so, it is then past it.  done: 0 for a call that only polls.  Never while an
 *  MPI_Comm_idup is in progress, since only threads that are inside poll for that. */
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

/** Fast path for the most frequent case: the call bypasses the arbiter, and no trial is running.  False: any other
 * case. */
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

/* The fast path of an entry point whose slow path is a function of its own: the library needs only some hundred
 * nanoseconds for a message of a byte, so not even saving registers is affordable. */
#define BN_GATE_PASS_AT_ONCE(use, call)                                                                                \
    if (bn_gate_passes_at_once(use)) {                                                                                 \
        __typeof__(call) result_past = call;                                                                           \
        bn_gate_self.place = BN_GATE_OUTSIDE;                                                                          \
        return result_past;                                                                                            \
    }

/** bn_gate_enter for a call of a certain use. */
static inline bool bn_gate_enter_for(enum bn_gate_use use, enum bn_arbiter_path path, uint32_t done)
{
    return bn_gate_passes(use, path, done) || bn_gate_enter(path);
}

/** The same for a call that starts new work and would block. */
static inline bool bn_gate_enter_blocking(enum bn_gate_use use)
{
    return bn_gate_passes(use, BN_PATH_PROGRESS, 1) ||
           bn_gate_enter(bn_gate_state >= BN_GATE_ARBITRATES ? BN_PATH_MAIN : BN_PATH_PROGRESS);
}

/** After entering in this way: whether the blocking call must be replaced by nonblocking ones. */
static inline bool bn_gate_waits(bool is_inside)
{
    return is_inside && bn_gate_self.place == BN_GATE_INSIDE && bn_gate_state >= BN_GATE_ARBITRATES;
}

/* Out of line; for threads that the arbiter has let in */
void bn_gate_come_out(void);

static inline void bn_gate_leave(void)
{
    if (__builtin_expect(bn_gate_self.place == BN_GATE_PAST, 1))
        bn_gate_self.place = BN_GATE_OUTSIDE;
    else
        bn_gate_come_out();
}

/** bn_arbiter_await, for polls that call MPI.  Outside. */
void bn_gate_await(bn_arbiter_poll poll, void *context);

/** The same from inside, returning inside; lets other threads in only if the first poll fails. */
void bn_gate_await_inside(bn_arbiter_poll poll, void *context);

/** From now on calls are arbitrated or counted, or ways are learned.  By the only thread that calls MPI. */
void bn_gate_begin(enum bn_gate_state state, enum bn_arbiter_policy policy, bool is_watched,
                   const struct bn_arbiter_place *place);

/** After that, if no two threads will ever call MPI at once: lets all calls that have a use bypass the arbiter. */
void bn_gate_settle_for_one(void);

/** Whether that was called. */
bool bn_gate_settles_for_one(void);

/** From now on calls go straight to the library again. */
void bn_gate_end(void);

#endif
