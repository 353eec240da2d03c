/*
 * uses.h: datatypes and operations that a program frees while another of its threads is in a call that uses them, which
 * MPI allows to complete normally.  The engine uses the program's handles until the end of a call, and so do the checks
 * before it, after waiting for other members.  So freeing one waits until no call uses it.
 */
#ifndef BN_MPI_FRONT_USES_H
#define BN_MPI_FRONT_USES_H

#include "front/call.h"

/* Whether several threads may call MPI at once; otherwise nothing is freed during a call. */
extern bool bn_uses_matter;

void bn_uses_begin(void);
/** Frees what is still to be freed. */
void bn_uses_end(void);

void bn_use_enlist(struct bn_args *args);

static inline bool bn_use_is_open(const struct bn_args *args)
{
    return args->use.link || args->use.handed;
}

/** Before a call that may use such handles waits for others; may be repeated.  bn_use_end must follow, also before an
 * error handler is called, which may leave by longjmp. */
static inline void bn_use_begin(struct bn_args *args)
{
    if (__builtin_expect(bn_uses_matter, 0) && !bn_use_is_open(args))
        bn_use_enlist(args);
}

/** Before the library below gets the call, whose error handlers may leave by longjmp.  What has been freed already is
 * kept until bn_use_end, or for ever if that does not follow; what is freed from now on is left to the library. */
void bn_use_hand_down(struct bn_args *args);

/** Frees what the program has freed during the call. */
void bn_use_end(struct bn_args *args);

#endif
