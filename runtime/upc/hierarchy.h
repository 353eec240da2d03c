/*
 * hierarchy.h: where the threads of this job are.
 *
 * The machine is read when somebody asks for the first time, since reading takes milliseconds and most programs do not
 * need it.  Whoever asks first reads; the result lies in shared memory, and all use it.
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

/** Tells the others where the calling thread may run: its affinity mask.  Called by each thread before the first
 *  barrier, after it was bound. */
void bn_upc_places_tell(struct bn_upc_places *places, int thread);

/**
 * The threads of the job by their places: those that were bound where they are, others as far as what they may use lies
 * in one part of the machine.  Threads are its members.
 *
 * May be called by any thread after the first barrier, by several at the same time.  Never null: without memory for it,
 * the program ends.
 *
 * @cost Milliseconds for the first caller of the job, who makes others wait that ask meanwhile; then one lock.  Callers
 *       that need it often keep the pointer.
 */
const struct bn_hierarchy *bn_upc_hierarchy(void);

#ifdef __cplusplus
}
#endif

#endif
