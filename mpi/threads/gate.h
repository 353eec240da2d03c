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
 */
#ifndef BN_MPI_THREADS_GATE_H
#define BN_MPI_THREADS_GATE_H

#include "sync/arbiter.h"
#include "threads/library.h"

enum bn_gate_state {
    BN_GATE_UNKNOWN,    /* the library below has not been found yet */
    BN_GATE_OPEN,       /* calls go through */
    BN_GATE_COUNTS,     /* the same, and the instruments run */
    BN_GATE_ARBITRATES, /* one thread at a time */
};

/* What a thread is to the arbiter */
struct bn_gate_self {
    struct bn_arbiter_thread *thread; /* null: it has not been here yet */
    bool is_inside;
};

/* Changes before the program has threads, and after it has none. */
extern enum bn_gate_state bn_gate_state;
extern _Thread_local struct bn_gate_self bn_gate_self __attribute__((tls_model("initial-exec")));
extern struct bn_arbiter bn_gate_arbiter;

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
    return bn_gate_state == BN_GATE_ARBITRATES && !bn_gate_self.is_inside;
}

/** The call may be made.  True: bn_gate_leave is to follow it. */
static inline bool bn_gate_enter(enum bn_arbiter_path path)
{
    bn_gate_look_around();
    if (bn_gate_state == BN_GATE_OPEN || bn_gate_self.is_inside)
        return false;
    bn_gate_go_in(path);
    return true;
}

/** The same for a call that brings new work and would block: false, if it may. */
static inline bool bn_gate_begins(void)
{
    if (!bn_gate_arbitrates())
        return false;
    bn_gate_go_in(BN_PATH_MAIN);
    return true;
}

void bn_gate_leave(void);

/** By who is not inside: bn_arbiter_await, for polls that call MPI. */
void bn_gate_await(bn_arbiter_poll poll, void *context);

/** The same by who is inside, and is again when it returns: others come in only if it has not come at once. */
void bn_gate_await_inside(bn_arbiter_poll poll, void *context);

/** From now on calls are arbitrated, or counted.  By the only thread that calls MPI. */
void bn_gate_begin(enum bn_gate_state state, enum bn_arbiter_policy policy, bool is_watched,
                   const struct bn_arbiter_place *place);

/** Calls go through again. */
void bn_gate_end(void);

#endif
