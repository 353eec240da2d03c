/*
 * escape.h: leaving a call of the engine that cannot end because members have not made the same call.
 *
 * Counts, roots and operations that differ between members are errors of the program, which MPI libraries notice when a
 * message does not fit.  In the engine each member chooses its algorithm by what it knows itself, so members with
 * different calls might wait for each other forever.  A member that has waited for long, or is about to use the memory
 * of a member whose call differs, therefore leaves: the error handler of the communicator is called, and if it returns,
 * the communicator can only be freed.
 */
#ifndef BN_MPI_FRONT_ESCAPE_H
#define BN_MPI_FRONT_ESCAPE_H

#include "front/call.h"

/** Sets this up for a communicator whose members are all on one machine.  Once. */
void bn_escape_prepare(struct bn_communicator *communicator);

/** The same over several machines: there, differing calls of members on one machine abort the job, and differences
 * between machines are noticed by their messages (messages.h). */
void bn_escape_prepare_span(struct bn_communicator *communicator);

/** The result of a call that has been carried out, given how well the data fitted on this member (coll/team.h):
 * MPI_SUCCESS, or an error for which the error handler has not been called yet. */
int bn_fit_error(const struct bn_args *args, enum bn_fit fit);

#endif
