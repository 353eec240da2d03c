/*
 * context.h: all state of a thread of the program, in one place.
 *
 * Each thread has its own context, whether it is a process or shares one (banyan/per_thread.h).
 */
#ifndef BN_UPC_CONTEXT_H
#define BN_UPC_CONTEXT_H

#include "banyan/access.h"
#include "banyan/per_thread.h"
#include "coll/plan.h"
#include "coll/team.h"
#include "pgas/heaps.h"
#include "pgas/segment.h"
#include "platform/copy.h"
#include "sync/barrier.h"
#include "sync/lock.h"
#include "sync/once.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_SHOWN_BYTES = 16, BN_SHOWN_PARITIES = 2 };

/* What a thread shows the others in exchange.h; has a cache line of its own */
struct bn_shown {
    unsigned char value[BN_SHOWN_PARITIES][BN_SHOWN_BYTES] __attribute__((aligned(BN_SHOWN_BYTES)));
} __attribute__((aligned(64)));

/* Memory in a thread's local heap for values beyond BN_SHOWN_BYTES that it shows the others; grows, and is kept */
struct bn_exchange_buffer {
    uint64_t address;
    size_t size_bytes;
};

/* Functions that libraries register for the end of a program that uses them */
struct bn_end_calls {
    void (*before_barrier)(void); /* called on every thread, before the barrier at the end */
    void (*once)(void);           /* called after that barrier on one thread of each node, or on the thread that ends
                                     the job immediately */
};

struct bn_check_thread;
struct bn_upc_places;
struct bn_io_files;

struct bn_context {
    int thread;
    int thread_count;
    int core_count; /* cores that the threads may use */
    const struct bn_unit *units;
    struct bn_wait_policy policy;

    struct bn_segments segments;
    struct bn_heaps heaps;
    struct bn_upc_places *places; /* of all threads: upc/hierarchy.h */

    /* One for the program (upc_barrier), one for the runtime, before main and at the end.  The team has its own. */
    struct bn_barrier *user_barrier;
    struct bn_barrier *runtime_barrier;
    struct bn_barrier_lines *user_lines;
    struct bn_barrier_member user_member;
    struct bn_barrier_member runtime_member;

    void *team_control;          /* shared */
    struct bn_table *coll_table; /* null if there is none */
    struct bn_team team;
    struct bn_plans plans;
    const char *collective; /* name of the last collective function that this thread has called */

    struct bn_check_thread *check; /* for -fcheck; null without */

    struct bn_lock_team locks;
    struct bn_once *once;
    struct bn_once_member once_member;
    struct bn_shown *shown; /* of thread 0 */
    uint64_t shown_stride;  /* bytes from one thread's to the next */
    struct bn_scratch shown_scratch;
    uint32_t exchanges; /* exchanges made so far, that is, uses of shown; modulo 2^32 */
    struct bn_exchange_buffer exchange_buffers[BN_SHOWN_PARITIES];

    struct bn_io_files *io_files;         /* null until a file is opened */
    const struct bn_end_calls *end_calls; /* null if there are none */
};

extern BN_PER_THREAD struct bn_context bn_context;

/* The runtime's own barrier, independent of the program's. */
static inline void bn_runtime_barrier(void)
{
    bn_barrier_pass(bn_context.runtime_barrier, &bn_context.runtime_member);
}

/* The pointer to memory of a heap at an address; null if there was no room (0) */
static inline bn_pts_t bn_pointer_to(uint64_t address)
{
    return address == 0 ? bn_null() : bn_at((const void *)address);
}

/* From now on, a process that this thread forks does not belong to the job. */
void bn_context_expect_forks(void);

/* Ends the process if it was forked by a thread; for calls that have detected that it is between upc_notify and
 * upc_wait. */
void bn_context_refuse_forked(const char *function);

/* Records which collective this thread calls, for messages, and checks that it is not between upc_notify and
 * upc_wait. */
void bn_context_check_collective(const char *function);

#ifdef __cplusplus
}
#endif

#endif
