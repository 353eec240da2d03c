/*
 * hierarchy.h: where the threads of this job are.
 *
 * The machine is read when it is first asked for, since that takes milliseconds and most programs do not need it.  The
 * thread that asks first reads it, into shared memory that all threads use.
 */
#ifndef BN_UPC_HIERARCHY_H
#define BN_UPC_HIERARCHY_H

#include "base/status.h"
#include "topology/hierarchy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the threads share for it */
struct bn_upc_places;

/**
 * Makes room in shared memory.  Called once, before the threads are forked.  If BANYAN_TOPOLOGY describes a machine, it
 * is read here, so that a wrong description ends the job before it has begun.
 *
 * @errors Reported.
 */
bn_status_t bn_upc_places_create(int thread_count, struct bn_upc_places **places_p);

/** Tells the other threads where the caller may run: its affinity mask.  Called by each thread after it was bound and
 * before the first barrier. */
void bn_upc_places_tell(struct bn_upc_places *places, int thread);

/**
 * The threads of the job, by where they run: bound threads exactly, others as far as all that they may use lies in one
 * part of the machine.
 *
 * Any thread may call it after the first barrier, several at the same time.  Never null: if there is no memory, the
 * program ends.
 *
 * @cost Milliseconds for the first caller of the job, during which other callers wait; then one lock.  Callers
 *       that need it often keep the pointer.
 */
const struct bn_hierarchy *bn_upc_hierarchy(void);

#ifdef __cplusplus
}
#endif

#endif
