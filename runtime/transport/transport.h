/*
 * transport.h: what moves data between processes that do not share memory, behind one table.
 *
 * A transport starts with the job, gives each process (thread) one symmetric allocation, and then reaches a place in
 * another thread's allocation by its offset.  Words that several threads change by atomics are changed by this table's
 * alone, also where they could be reached by load and store: the atomics of a network adapter and of a processor do not
 * exclude each other.
 *
 * Called by the UPC thread of the process only.  Functions that move data cannot fail: the library ends the job.
 */
#ifndef BN_TRANSPORT_TRANSPORT_H
#define BN_TRANSPORT_TRANSPORT_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of a word w, given a and b, modulo 2^width.  The others that OpenSHMEM has are wrong in Open MPI 4.1.4:
 * fetch_and, fetch_or and fetch_xor of one process alone do not change the word, or clear it. */
enum bn_transport_op {
    BN_TRANSPORT_FETCH,
    BN_TRANSPORT_SWAP,   /* a */
    BN_TRANSPORT_CHANGE, /* b if it is a */
    BN_TRANSPORT_ADD,    /* w + a */
};

/* Folds of one value of each thread; the last three not of floating types */
enum bn_transport_fold {
    BN_FOLD_SUM,
    BN_FOLD_PRODUCT,
    BN_FOLD_LEAST,
    BN_FOLD_MOST,
    BN_FOLD_AND,
    BN_FOLD_OR,
    BN_FOLD_XOR
};
enum bn_transport_type { BN_TYPE_INT, BN_TYPE_LONG, BN_TYPE_FLOAT, BN_TYPE_DOUBLE, BN_TYPE_LONG_DOUBLE };

/*
 * Collectives among all threads, as the library has them.  Each call takes a turn, and no two that may overlap anywhere
 * have the same. dst and src lie in this thread's part of the allocation, at the same offsets on all threads; they and
 * sizes are multiples of 4 bytes. On return a thread's own data are done with.
 */
enum { BN_TRANSPORT_TURNS = 16 };
struct bn_transport_collectives {
    bool (*prepare)(void); /* collective, once, before the others; false if there is no memory */
    void (*broadcast)(void *dst, const void *src, uint64_t size_bytes, int root,
                      unsigned turn); /* not to the root's own dst */
    void (*gather_all)(void *dst, const void *src, uint64_t size_bytes, unsigned turn);
    void (*exchange)(void *dst, const void *src, uint64_t size_bytes, unsigned turn);
    void (*fold_all)(enum bn_transport_fold fold, enum bn_transport_type type, void *value, unsigned turn);
};

struct bn_transport {
    /* The number that a launcher has given this process, and of how many, by its environment: -1 and 0 where that does
     * not tell. Before start. */
    int (*launched_rank)(void);
    int (*launched_count)(void);

    /* Processes of the job on this node, by its environment; 1 if that does not tell.  Before start. */
    int (*local_count)(void);

    /* Why start could not connect the processes, as far as their environment tells, and what to do; null if it does
     * not.  Before start. */
    const char *(*why_unconnected)(void);

    /* Keeps the library from handling crashes of the program.  Before others install their handlers. */
    void (*leave_signals)(void);

    /* Collective.  heap_bytes: what will be allocated.  Afterwards thread and thread_count are right. */
    void (*start)(uint64_t heap_bytes, int *thread_p, int *thread_count_p);

    /* Instead of start, where this process cannot take part and has said why: ends the job everywhere. */
    void (*give_up)(int status) __attribute__((noreturn));

    /* Collective, once: page-aligned memory at one offset for all threads; its address here, or null. */
    void *(*allocate)(uint64_t size_bytes);

    /* Address in this process of a thread's allocation; null if it cannot be reached by load and store. */
    void *(*map)(int thread);

    void (*get)(void *dst, int thread, uint64_t offset, uint64_t size_bytes);       /* complete on return */
    void (*put)(int thread, uint64_t offset, const void *src, uint64_t size_bytes); /* src is free on return */

    /* The same, under way on return: dst and src belong to the transfer until complete. */
    void (*get_begin)(void *dst, int thread, uint64_t offset, uint64_t size_bytes);
    void (*put_begin)(int thread, uint64_t offset, const void *src, uint64_t size_bytes);

    /* Aligned words.  store: others see the word as a whole, not before what this thread completed before. */
    void (*store)(int thread, uint64_t offset, uint64_t value);
    uint64_t (*load)(int thread, uint64_t offset);
    uint64_t (*swap)(int thread, uint64_t offset, uint64_t value);
    uint64_t (*change)(int thread, uint64_t offset, uint64_t expected, uint64_t value); /* returns what was there */
    uint64_t (*add)(int thread, uint64_t offset, uint64_t value);                       /* returns what was there */

    /* All of enum bn_transport_op on an aligned word of 4 or 8 bytes; returns what was there, and is done then. */
    bool (*can_change_narrow)(void); /* whether CHANGE works on 4 bytes */
    uint64_t (*atomic)(enum bn_transport_op op, unsigned bytes, int thread, uint64_t offset, uint64_t a, uint64_t b);

    /* A put, and a store to a word of the same thread that comes after it, and after earlier such stores there; src is
     * free on return. */
    void (*put_signal)(int thread, uint64_t offset, const void *src, uint64_t size_bytes, uint64_t word_offset,
                       uint64_t value);

    void (*order)(void);    /* stores and puts to a thread after it come after those before it */
    void (*complete)(void); /* puts, stores and what has begun are done when it returns */
    bool (*poll)(void); /* answers what others want of this process; whether it gives the core away where nobody wanted
                           anything */
    void (*barrier)(void); /* for start-up: completes all, waits for all */

    const struct bn_transport_collectives *collectives;

    void (*finish)(void);                                /* collective, the last call */
    void (*abort)(int status) __attribute__((noreturn)); /* ends the job everywhere */
};

extern const struct bn_transport bn_transport_shmem;
extern const struct bn_transport_collectives bn_transport_shmem_collectives; /* shmem_collectives.c */

#ifdef __cplusplus
}
#endif

#endif
