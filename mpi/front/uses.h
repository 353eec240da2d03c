/*
 * uses.h: datatypes and operations that a program frees while another of its threads is in a call that uses them, which
 * MPI allows to complete normally.  The engine uses the program's handles until the end of a call, so freeing one waits
 * until no call uses it.
 */
#ifndef BN_MPI_FRONT_USES_H
#define BN_MPI_FRONT_USES_H

#include "front/call.h"

/* A call in the engine that uses handles which may be freed */
struct bn_use {
    const struct bn_args *args;
    struct bn_use *next, **link; /* in the list of all; link is null once the use has ended */
    struct bn_use *outer;        /* of the call that this thread is in, too: a combining function may call MPI */
};

/* Whether several threads may call MPI at once; otherwise nothing is freed during a call. */
extern bool bn_uses_matter;

void bn_uses_begin(void);
/** Frees what is still to be freed. */
void bn_uses_end(void);

bool bn_use_enlist(struct bn_use *use, const struct bn_args *args);

/** Before the engine carries out a call.  True: bn_use_end must follow it. */
static inline bool bn_use_begin(struct bn_use *use, const struct bn_args *args)
{
    return __builtin_expect(bn_uses_matter, 0) && bn_use_enlist(use, args);
}

/** Frees what the program has freed during the call. */
void bn_use_end(struct bn_use *use);

/** Ends the use of the call that this thread is in, before an error handler is called, which may leave by longjmp. */
void bn_use_end_before_handler(void);

#endif
