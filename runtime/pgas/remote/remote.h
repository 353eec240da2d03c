/*
 * remote.h: the symmetric memory of a job over several nodes, and its layout.
 *
 * One symmetric allocation holds, for each thread, in this order:
 *
 *     control    words by which threads synchronise (struct bn_control), including those of barriers
 *     lower      the lower half of its segment: static data, global heap
 *     upper      the upper half: local heap
 *
 * The halves of near threads are also mapped at their window addresses; the allocation as a whole lies where OpenSHMEM
 * put it.
 */
#ifndef BN_PGAS_REMOTE_REMOTE_H
#define BN_PGAS_REMOTE_REMOTE_H

#include "banyan/far.h"
#include "pgas/segment.h"
#include "sync/wait.h"
#include "transport/transport.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BN_REMOTE_BARRIERS = 4,  /* for the program, the runtime, collective calls, and the team */
    BN_GLOBAL_BLOCKS = 4096, /* most blocks of the global heap at a time */
    BN_WORD_LOCKS = 16,
    BN_REMOTE_SEVERAL = -1
};

/* A block of the global heap: offset in it, and bytes */
struct bn_global_block {
    uint64_t offset;
    uint64_t size_bytes;
};

/* The global heap.  All threads use the one of thread 0, under its lock. */
struct bn_global_heap {
    uint64_t lock; /* 0, or thread + 1 */
    uint64_t count;
    struct bn_global_block blocks[BN_GLOBAL_BLOCKS]; /* in use, by offset */
};

/* A message of a barrier, with one word for even and one for odd phases; written by one thread */
enum { BN_BARRIER_PARITIES = 2 };
struct bn_barrier_message {
    uint64_t words[BN_BARRIER_PARITIES];
} __attribute__((aligned(BN_LINE_BYTES)));

struct bn_barrier_control {
    uint64_t abandoned;                     /* an ended thread whose message this one would wait for, and its last
                                               phase; 0: none */
    uint64_t payloads[BN_BARRIER_PARITIES]; /* thread 0's; stored at leaders */
    struct bn_barrier_message down __attribute__((aligned(BN_LINE_BYTES)));
    struct bn_barrier_message up[BN_REMOTE_THREADS]; /* by the number of the sender */
};

/* Used at the start to learn which threads are near each other (pgas/remote/rounds.h) */
enum { BN_START_ROUNDS = 10 };
struct bn_start_control {
    uint64_t is_there[BN_START_ROUNDS];  /* what has been sent to this thread in a round */
    uint32_t leaders[BN_REMOTE_THREADS]; /* the lowest near thread of this thread, of the next one, and so on */
};

/* Words of one thread that others read and write.  All zero is a valid start. */
struct bn_control {
    uint64_t program;    /* fingerprint of the program, which tells different programs apart */
    uint64_t rules;      /* size of thread 0's rules for collectives in bytes (upc/remote/rules.h); at thread 0 */
    uint64_t ended_by;   /* the thread that ends the job, plus 1, and whether it has reported why */
    uint64_t is_claimed; /* whether a thread of this node has claimed the end of the job; at leaders */
    /* head of the list of blocks of the local heap that others freed: offset + 1 */
    uint64_t freed __attribute__((aligned(BN_LINE_BYTES)));
    struct {
        uint64_t next; /* the next waiter, thread + 1 */
        uint64_t grants;
    } lock_waiter __attribute__((aligned(BN_LINE_BYTES)));
    uint64_t word_locks[BN_WORD_LOCKS] __attribute__((aligned(BN_LINE_BYTES))); /* pgas/remote/atomic.h */
    struct bn_global_heap global __attribute__((aligned(BN_LINE_BYTES)));
    struct bn_barrier_control barriers[BN_REMOTE_BARRIERS];
    struct bn_start_control start;
};

#define BN_CONTROL_OFFSET(member) ((uint64_t)offsetof(struct bn_control, member))

/* State of this thread; all but the last members are constant once it has started */
struct bn_remote {
    const struct bn_transport *transport;
    int thread;
    int first_thread, end_thread; /* the threads of this process */
    int thread_count;
    bool has_far_threads;
    struct bn_wait_policy policy;
    struct bn_control *control; /* of this thread */
    uint64_t control_bytes;     /* also the offset of the lower half in the allocation */
    uint64_t lower_bytes;
    uint64_t upper_bytes;
    uint64_t window_base;
    struct bn_control *controls[BN_REMOTE_THREADS]; /* of near threads; null for others */
    int leaders[BN_REMOTE_THREADS];                 /* of each thread */
    int node_count;                                 /* number of leaders */
    bool has_writes; /* whether this thread has writes to far threads that are collected or in transit */
    int written;     /* while has_writes: the far thread that they go to, or BN_REMOTE_SEVERAL */
    struct bn_far_counts counts;
};

extern BN_PER_THREAD struct bn_remote bn_remote;

/** Size of the symmetric allocation for segments of these sizes. */
uint64_t bn_remote_bytes(uint64_t static_bytes, uint64_t limit_bytes);

/**
 * Allocates, reserves the window, maps near threads' memory and finds out which threads are near each other.  Called
 * collectively by the first thread of each process, after the transport has started.
 *
 * @param segments  Filled in, as bn_segments_create does.
 * @errors          Reported, with a remedy; the caller must end the job.
 */
bn_status_t bn_remote_create(struct bn_segments *segments, const struct bn_transport *transport, int first_thread,
                             int end_thread, int thread_count, uint64_t static_bytes, uint64_t limit_bytes,
                             struct bn_wait_policy policy);

/** Adapts bn_remote, which is the first thread's of the process or a copy of it, and segments to the calling thread. */
void bn_remote_attach(struct bn_segments *segments, int thread);

/** Finds the thread in whose allocation a window address lies, and the offset there.  False for addresses outside the
 * halves, which are bugs in the program: they fault as they do on one machine. */
bool bn_remote_find(uint64_t address, int *thread_p, uint64_t *offset_p);

/** Where, in the allocation, the half begins and ends that contains an offset from bn_remote_find. */
void bn_remote_part(uint64_t offset, uint64_t *first_p, uint64_t *end_p);

/** Notes that this thread has written to a far one: sets bn_far_pending, and remembers the thread written to. */
void bn_remote_note_write(int thread);

/** Must be called before a put to a far thread that does not go through pgas/remote/copy.h: keeps the order, and counts
 * it. */
void bn_remote_before_put(int thread, uint64_t address, const void *src, uint64_t size_bytes);

/** The same for a put that its receiver waits for (bn_flag_hand_over), so that this thread need not wait for its
 * arrival. */
void bn_remote_before_hand_over(uint64_t address, const void *src, uint64_t size_bytes);

/** Sends the collected writes (pgas/remote/behind.h), and drops data that were read ahead. */
void bn_remote_let_go(void);

/**
 * Returns only in the one thread that may report why the job ends, which must then call bn_remote_end; after
 * bn_remote_create.  If several threads call it at the same time, it chooses the first of each node, and of those the
 * thread with the lowest number, provided that their claims reach each other within 20 ms.  The other threads serve the
 * network until the end.
 */
void bn_remote_claim_end(void);

/**
 * Ends the job on all nodes with a status.  First tells the other threads, so that they stop using the network
 * (bn_remote_check_end): an OpenSHMEM library whose peers vanish prints errors endlessly.
 */
__attribute__((noreturn)) void bn_remote_end(int status);

/** Waits for the end of the process if another thread has ended the job; returns immediately otherwise. */
void bn_remote_check_end(void);

/** Makes progress on the network.  If all threads are near, it does so only occasionally, because each poll blocks the
 *  other threads of this process. */
void bn_remote_poll(void);

/** One step of waiting for other threads: makes progress on the network and yields.  Start with *step = 0. */
void bn_remote_step(uint32_t *step);

/** The same if the awaited write comes from a near thread, so that no progress on the network is needed.  Progress
 * costs two system calls, which also slow down threads that share the core. */
void bn_remote_step_for_near(uint32_t *step);

#ifdef __cplusplus
}
#endif

#endif
