/*
 * transport.h: a table of operations that move data between processes without shared memory.
 *
 * A transport starts with the job, gives each process (thread) one symmetric allocation, and then accesses other
 * threads' allocations by offset.  Words that several threads change atomically must only be changed through this
 * table, even where they could be reached by load and store: atomic operations of a network adapter and of a processor
 * are not atomic with respect to each other.
 *
 * Only the UPC thread of the process may call these functions, or its UPC threads one at a time
 * (pgas/remote/endpoint.h). Functions that move data cannot fail: the library ends the job.
 */
#ifndef BN_TRANSPORT_TRANSPORT_H
#define BN_TRANSPORT_TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The new value of a word w, given a and b, modulo 2^width.  OpenSHMEM's other operations are not used because they are
 * broken in Open MPI 4.1.4: fetch_and, fetch_or and fetch_xor by a single process leave the word unchanged, or clear
 * it. */
enum bn_transport_op {
    BN_TRANSPORT_FETCH,
    BN_TRANSPORT_SWAP,   /* a */
    BN_TRANSPORT_CHANGE, /* b if w equals a */
    BN_TRANSPORT_ADD,    /* w + a */
};

/* Reductions of one value of each thread; the last three not for floating types */
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
 * The library's own collectives among all threads.  Each call is given a turn, and calls that may overlap on any
 * threads must have different turns. dst and src lie in this thread's part of the allocation, at the same offsets on
 * all threads; they and the sizes are multiples of 4 bytes.  On return, no other thread needs this thread's data any
 * more.
 */
enum { BN_TRANSPORT_TURNS = 16 };
struct bn_transport_collectives {
    bool (*prepare)(void); /* collective, once, before the others; false if there is no memory */
    /* Does not write the root's own dst. */
    void (*broadcast)(void *dst, const void *src, uint64_t size_bytes, int root, unsigned turn);
    void (*gather_all)(void *dst, const void *src, uint64_t size_bytes, unsigned turn);
    void (*exchange)(void *dst, const void *src, uint64_t size_bytes, unsigned turn);
    void (*fold_all)(enum bn_transport_fold fold, enum bn_transport_type type, void *value, unsigned turn);
};

struct bn_transport {
    /* The number that a launcher has given this process, and the number of processes, according to the environment; -1
     * and 0 if it does not tell.  Callable before start. */
    int (*launched_rank)(void);
    int (*launched_count)(void);

    /* The number of processes of the job on this node, and which of them this is, according to the environment; 1 and 0
     * if it does not tell.  Callable before start. */
    int (*local_count)(void);
    int (*local_rank)(void);

    /* Why start could not connect the processes, judging from the environment, and what to do about it; null if
     * unknown. Callable before start. */
    const char *(*why_unconnected)(void);

    /* Keeps the library from handling crashes of the program.  Called before others install their handlers. */
    void (*leave_signals)(void);

    /* Collective.  heap_bytes: the bytes that will be allocated.  has_threads: several POSIX threads of the process
     * will make calls, one at a time.  Sets *thread_p and *thread_count_p. */
    void (*start)(uint64_t heap_bytes, bool has_threads, int *thread_p, int *thread_count_p);

    /* Called instead of start if this process cannot take part and has reported why; ends the whole job. */
    void (*give_up)(int status) __attribute__((noreturn));

    /* Collective, once: page-aligned memory at one offset for all threads; its address here, or null. */
    void *(*allocate)(uint64_t size_bytes);

    /* Address in this process of a thread's allocation; null if it cannot be reached by load and store. */
    void *(*map)(int thread);

    void (*get)(void *dst, int thread, uint64_t offset, uint64_t size_bytes);       /* complete on return */
    void (*put)(int thread, uint64_t offset, const void *src, uint64_t size_bytes); /* src may be reused on return */

    /* The same, but the transfer continues after the return: dst and src belong to it until complete. */
    void (*get_begin)(void *dst, int thread, uint64_t offset, uint64_t size_bytes);
    void (*put_begin)(int thread, uint64_t offset, const void *src, uint64_t size_bytes);

    /* Operations on aligned words.  store: others see the word atomically, and not before writes that this thread has
     * completed. */
    void (*store)(int thread, uint64_t offset, uint64_t value);
    uint64_t (*load)(int thread, uint64_t offset);
    uint64_t (*swap)(int thread, uint64_t offset, uint64_t value);
    uint64_t (*change)(int thread, uint64_t offset, uint64_t expected, uint64_t value); /* returns the old value */
    uint64_t (*add)(int thread, uint64_t offset, uint64_t value);                       /* returns the old value */

    /* Any operation of enum bn_transport_op on an aligned word of 4 or 8 bytes; returns the old value and is complete
     * on return. */
    bool (*can_change_narrow)(void); /* whether CHANGE works on 4 bytes */
    uint64_t (*atomic)(enum bn_transport_op op, unsigned bytes, int thread, uint64_t offset, uint64_t a, uint64_t b);

    /* A put followed by a store to a word of the same thread; such stores to a thread are ordered with each other.  src
     * may be changed on return. */
    void (*put_signal)(int thread, uint64_t offset, const void *src, uint64_t size_bytes, uint64_t word_offset,
                       uint64_t value);

    void (*order)(void);    /* orders later stores and puts to a thread after earlier ones */
    void (*complete)(void); /* on return, puts, stores and begun transfers are complete */
    /* Serves requests of others to this process.  Returns whether it yields the core when there is nothing to do. */
    bool (*poll)(void);
    void (*barrier)(void); /* for start-up: completes all transfers and waits for all threads */

    const struct bn_transport_collectives *collectives; /* null if there are none */

    void (*finish)(void);                                /* collective, the last call */
    void (*abort)(int status) __attribute__((noreturn)); /* ends the job everywhere */
};

extern const struct bn_transport bn_transport_shmem;
extern const struct bn_transport_collectives bn_transport_shmem_collectives; /* shmem_collectives.c */

#ifdef __cplusplus
}
#endif

#endif
