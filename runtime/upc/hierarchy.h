/*
 * hierarchy.h: where the threads of this job are.
 *
 * The machine's topology is read when it is first needed, because that takes milliseconds and most programs do not need
 * it.  The first thread that needs it reads it into shared memory that all threads use.
 */
#ifndef BN_UPC_HIERARCHY_H
#define BN_UPC_HIERARCHY_H

#include "base/status.h"
#include "topology/hierarchy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* State that the threads share for it */
struct bn_upc_places;

/**
 * Allocates the shared memory.  Called once, before the threads are forked.  If BANYAN_TOPOLOGY describes a machine,
 * the description is read here, so that a wrong one ends the job before it has begun.
 *
 * @errors Reported.
 */
bn_status_t bn_upc_places_create(int thread_count, struct bn_upc_places **places_p);

/** Publishes the caller's affinity mask.  Called by each thread after it was bound and before the first barrier. */
void bn_upc_places_tell(struct bn_upc_places *places, int thread);

/**
 * The hierarchy of the job's threads, by where they run.  A bound thread is located exactly; any other only down to the
 * smallest part of the machine that contains all cores it may use.
 *
 * Any thread may call this after the first barrier, several at the same time.  Never null: if there is no memory, the
 * program ends.
 *
 * @cost Milliseconds for the first caller in the job, during which other callers wait; after that, one lock.  Callers
 *       that need it often should keep the pointer.
 */
const struct bn_hierarchy *bn_upc_hierarchy(void);

#ifdef __cplusplus
}
#endif

#endif
