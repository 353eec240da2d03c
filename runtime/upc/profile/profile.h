/*
 * profile.h: upcrun -profile and -trace: the steps of a run.
 *
 *     bn_profile_check_options      once, when the options are known
 *     bn_profile_create             once, before threads are forked; over a network in each process
 *     bn_profile_begin              every thread, when all have met
 *     bn_profile_end                every thread, when its program has ended
 *     bn_profile_report             every thread, when all have ended; thread 0 writes
 *
 * All but the first do nothing if no profile was requested.
 */
#ifndef BN_UPC_PROFILE_PROFILE_H
#define BN_UPC_PROFILE_PROFILE_H

#include "base/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Sets bn_profile_is_on. @errors BN_ERR_INVALID, reported: unknown trace format. */
bn_status_t bn_profile_check_options(void);

bn_status_t bn_profile_create(int thread_count);
void bn_profile_begin(void);
void bn_profile_end(void);

/** False, reported, in the thread that could not write all of it */
bool bn_profile_report(void);

/** Called by a thread that ends the job while others may still be running: writes what has been recorded for the
 * threads of its node.  Returns only in the first thread of a node that calls it; false, reported, if not all could be
 * written. */
bool bn_profile_report_early(void);

#ifdef __cplusplus
}
#endif

#endif
