/*
 * escape.h: leaving a call of the engine that cannot end, since members have not made the same call.
 *
 * Counts, roots and operations that differ between members are errors of the program that MPI libraries find when a
 * message does not fit.  Here members choose their way by what they know alone, so they may wait for each other for
 * good.  Who waits for long, or is about to use memory of a member whose call differs, leaves: the communicator's error
 * handler is called, and if it returns, the communicator can be freed and nothing else.
 */
#ifndef BN_MPI_FRONT_ESCAPE_H
#define BN_MPI_FRONT_ESCAPE_H

#include "front/call.h"

/** Once, for a communicator whose members are all on one machine. */
void bn_escape_prepare(struct bn_communicator *communicator);

/** The same over several machines, where members that differ and are on one of them end the job; what does not fit
 * between machines is found by its messages. */
void bn_escape_prepare_span(struct bn_communicator *communicator);

/** What a call that has been carried out returns, given how what this member got fits (coll/team.h): MPI_SUCCESS, or an
 * error, which the handler has not been called for. */
int bn_fit_error(const struct bn_args *args, enum bn_fit fit);

#endif
