/*
 * timeline.h: what each process did, and when, in operations over several machines: one file per process.
 *
 * One line of JSON for each entry of the records (wide/record.h) of all communicators:
 *
 *     {"size": 16, "rank": 3, "node": 0, "call": 12, "what": "send", "operation": "broadcast", "other": 4,
 *      "bytes": 49152, "begin_ns": 81226, "end_ns": 81319}
 *
 * Times of one machine are comparable; those of different machines, as far as their clocks agree.
 */
#ifndef BN_MPI_HOST_TIMELINE_H
#define BN_MPI_HOST_TIMELINE_H

#include "wide/wide.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Whether BANYAN_MPI_TIMELINE asks for a timeline. */
bool bn_timeline_is_wanted(void);

/** Appends what this process has recorded as a member of a communicator to its file (host/files.h).
 *  @errors A file that cannot be written is reported. */
void bn_timeline_write(const struct bn_wide *wide, int world_rank);

#ifdef __cplusplus
}
#endif

#endif
