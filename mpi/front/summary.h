/*
 * summary.h: what earlier runs have learned, at the beginning, and what became of this one, at the end.
 */
#ifndef BN_MPI_FRONT_SUMMARY_H
#define BN_MPI_FRONT_SUMMARY_H

#include "front/below.h"
#include "host/lessons.h"

/** What the first process reads from the file that the options name, in all.  Called by all.
 *  @errors Reported; nothing is known then. */
const struct bn_lessons *bn_summary_begin(void);

/** Writes the report and the file, if they are wanted.  Called by all, when no call is ours any more. */
void bn_summary_end(void);

#endif
