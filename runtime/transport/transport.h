/*
 * transport.h: what moves data between processes that do not share memory, behind one table.
 *
 * A transport starts with the job, gives each process (thread) one symmetric allocation, and then reaches a place in another
 * thread's allocation by its offset.  Words that several threads change by atomics are changed by this table's alone, also
 * where they could be reached by load and store: the atomics of a network adapter and of a processor do not exclude each other.
 *
 * Called by the UPC thread of the process only.  Functions that move data cannot fail: the library ends the job.
 */
#ifndef BN_TRANSPORT_TRANSPORT_H
#define BN_TRANSPORT_TRANSPORT_H

#include "base/status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bn_transport {
    /* Whether a launcher has started this process as part of a job, by its environment; before start. */
    int (*is_launched)(void);

    /* Processes of the job on this node, by its environment; 1 if that does not tell.  Before start. */
    int (*local_count)(void);

    /* Collective.  heap_bytes: what will be allocated.  Afterwards thread and thread_count are right. */
    void (*start)(uint64_t heap_bytes, int *thread_p, int *thread_count_p);

    /* Collective, once: page-aligned memory at one offset for all threads; its address here, or null. */
    void *(*allocate)(uint64_t size_bytes);

    /* Address in this process of a thread's allocation; null if it cannot be reached by load and store. */
    void *(*map)(int thread);

    void (*get)(void *dst, int thread, uint64_t offset, uint64_t size_bytes); /* complete on return */
    void (*put)(int thread, uint64_t offset, const void *src, uint64_t size_bytes); /* src is free on return */

    /* Aligned words.  store: others see the word as a whole, not before what this thread completed before. */
    void (*store)(int thread, uint64_t offset, uint64_t value);
    uint64_t (*load)(int thread, uint64_t offset);
    uint64_t (*swap)(int thread, uint64_t offset, uint64_t value);
    uint64_t (*change)(int thread, uint64_t offset, uint64_t expected, uint64_t value); /* returns what was there */
    uint64_t (*add)(int thread, uint64_t offset, uint64_t value);                       /* returns what was there */

    void (*order)(void);    /* stores and puts to a thread after it come after those before it */
    void (*complete)(void); /* puts and stores are done when it returns */
    void (*poll)(void);     /* answers what others want of this process */
    void (*barrier)(void);  /* for start-up: completes all, waits for all */

    void (*finish)(void);                                  /* collective, the last call */
    void (*abort)(int status) __attribute__((noreturn));   /* ends the job everywhere */
};

extern const struct bn_transport bn_transport_shmem;

#ifdef __cplusplus
}
#endif

#endif
