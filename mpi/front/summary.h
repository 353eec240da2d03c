/*
 * summary.h: reads at the beginning what earlier runs have learned, and writes at the end the results of this one.
 */
#ifndef BN_MPI_FRONT_SUMMARY_H
#define BN_MPI_FRONT_SUMMARY_H

#include "front/below.h"
#include "host/lessons.h"

/** The lessons of the file that the options name; the first process reads it for all.  Called by all.
 *  @errors Reported; then there are no lessons. */
const struct bn_lessons *bn_summary_begin(void);

/** Writes the report and the file, if they are wanted.  Called by all, after the last call that is ours. */
void bn_summary_end(void);

#endif
