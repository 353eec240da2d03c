/*
 * runtime.h: what the start-up code calls to set up the shared memory, barriers, locks and heaps of a job.
 *
 *     parent                         every thread
 *     ------                         ------------
 *     bn_runtime_create
 *     fork, n times  ------------->  bn_runtime_attach(thread)
 *                                    units' initialise functions
 *                                    bn_runtime_barrier()          the barrier before main
 *                                    main
 *                                    bn_runtime_finish()           the barrier at the end
 */
#ifndef BN_UPC_START_RUNTIME_H
#define BN_UPC_START_RUNTIME_H

#include "banyan/access.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes the segments, lays out the static shared data of all units and sets their handles, makes barriers and heaps.
 * Called once, before the threads are forked.
 *
 * @param units            List of units linked by ->next.
 * @param core_count       Cores that the job may really use on this node; at least 1.
 * @param heap_limit_bytes Shared heap per thread; 0 for a share of the available memory.
 * @errors                 Reported, with a remedy.
 */
bn_status_t bn_runtime_create(const struct bn_unit *units, int thread_count, int core_count, uint64_t heap_limit_bytes);

/** Makes the calling process the thread: sets bn_self.  Called once in each thread, after fork. */
void bn_runtime_attach(int thread);

/** Chooses the kind of barrier for the program and for collectives.  Called by all threads after the first
 * bn_runtime_barrier (upc/context.h), when it is known where they run; until then barriers are central.  Ends the
 * program if the requested kind is impossible. */
void bn_runtime_choose_barriers(void);

/** The barrier at the end of a thread.  Threads that wait for this one in a barrier of the program end with a message
 * instead of waiting forever.  Returns false, reported, if the thread could not write a profile that was requested. */
bool bn_runtime_finish(void);

/** What must happen once when the program ends: closes open files.  Part of bn_runtime_finish. */
void bn_runtime_close(void);

/**
 * Describes in words what lies at a shared address, for a crash report: "element in static object 'a' of thread 3",
 * "the local heap of thread 2", "unallocated shared memory of thread 1", or "" if it is no shared address.  Safe in a
 * signal handler; text is cut to text_bytes.
 */
void bn_runtime_describe_address(uint64_t address, char *text, int text_bytes);

#ifdef __cplusplus
}
#endif

#endif
