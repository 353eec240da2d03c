/*
 * remote.h: the symmetric memory of a job over several nodes, and where its parts are.
 *
 * One symmetric allocation holds, for each thread, in this order:
 *
 *     control    words by which threads synchronise (struct bn_control), and the places of barriers
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
    BN_REMOTE_BARRIERS = 4,  /* of the program, of the runtime, of collective calls, of the team */
    BN_GLOBAL_BLOCKS = 4096, /* most blocks of the global heap at a time */
    BN_WORD_LOCKS = 16,
    BN_REMOTE_SEVERAL = -1
};

/* A block of the global heap: offset in it, and bytes */
struct bn_global_block {
    uint64_t offset;
    uint64_t size_bytes;
};

/* The global heap; that of thread 0 is used, by all, under its lock. */
struct bn_global_heap {
    uint64_t lock; /* 0, or thread + 1 */
    uint64_t count;
    struct bn_global_block blocks[BN_GLOBAL_BLOCKS]; /* in use, by offset */
};

/* A message of a barrier, in odd and in even phases; written by one thread */
enum { BN_BARRIER_PARITIES = 2 };
struct bn_barrier_message {
    uint64_t words[BN_BARRIER_PARITIES];
} __attribute__((aligned(BN_LINE_BYTES)));

struct bn_barrier_control {
    uint64_t abandoned;                     /* by a thread that this one would hear */
    uint64_t payloads[BN_BARRIER_PARITIES]; /* of thread 0; at leaders */
    struct bn_barrier_message down __attribute__((aligned(BN_LINE_BYTES)));
    struct bn_barrier_message up[BN_REMOTE_THREADS]; /* by the number of the sender */
};

/* By which threads learn at the start who is near whom (pgas/remote/rounds.h) */
enum { BN_START_ROUNDS = 10 };
struct bn_start_control {
    uint64_t is_there[BN_START_ROUNDS];  /* what has been sent to this thread in a round */
    uint32_t leaders[BN_REMOTE_THREADS]; /* the lowest near thread of this thread, of the next one, and so on */
};

/* Words of one thread that others read and write.  All zero is a valid start. */
struct bn_control {
    uint64_t program;    /* a number by which it is told from others */
    uint64_t rules;      /* bytes of those that thread 0 has for collectives (upc/remote/rules.h); at thread 0 */
    uint64_t ended_by;   /* thread, plus 1, that ends the job, and whether it has said why */
    uint64_t is_claimed; /* a thread of this one's node does; at leaders */
    /* list of blocks of the local heap that others freed: offset + 1 */
    uint64_t freed __attribute__((aligned(BN_LINE_BYTES)));
    struct {
        uint64_t next; /* the waiter behind it, thread + 1 */
        uint64_t grants;
    } lock_waiter __attribute__((aligned(BN_LINE_BYTES)));
    uint64_t word_locks[BN_WORD_LOCKS] __attribute__((aligned(BN_LINE_BYTES))); /* pgas/remote/atomic.h */
    struct bn_global_heap global __attribute__((aligned(BN_LINE_BYTES)));
    struct bn_barrier_control barriers[BN_REMOTE_BARRIERS];
    struct bn_start_control start;
};

#define BN_CONTROL_OFFSET(member) ((uint64_t)offsetof(struct bn_control, member))

/* Of this thread; but for the last ones constant once it has started */
struct bn_remote {
    const struct bn_transport *transport;
    int thread;
    int first_thread, end_thread; /* those of this process */
    int thread_count;
    bool has_far_threads;
    struct bn_wait_policy policy;
    struct bn_control *control; /* of this thread */
    uint64_t control_bytes;     /* where the lower half begins in the allocation */
    uint64_t lower_bytes;
    uint64_t upper_bytes;
    uint64_t window_base;
    struct bn_control *controls[BN_REMOTE_THREADS]; /* of near threads; null for others */
    int leaders[BN_REMOTE_THREADS];                 /* of each thread */
    int node_count;                                 /* threads that lead */
    bool has_writes; /* of this thread to far threads, which are collected or on their way */
    int written;     /* while has_writes: the far thread that was written to, or BN_REMOTE_SEVERAL */
    struct bn_far_counts counts;
};

extern BN_PER_THREAD struct bn_remote bn_remote;

/** Bytes that the symmetric allocation takes for such segments. */
uint64_t bn_remote_bytes(uint64_t static_bytes, uint64_t limit_bytes);

/**
 * Allocates, reserves the window, maps near threads and finds out which threads are near each other.  By the first
 * thread of each process, collectively, after the transport has started.
 *
 * @param segments  Filled in, as bn_segments_create does.
 * @errors          Reported, with a remedy; the caller must end the job.
 */
bn_status_t bn_remote_create(struct bn_segments *segments, const struct bn_transport *transport, int first_thread,
                             int end_thread, int thread_count, uint64_t static_bytes, uint64_t limit_bytes,
                             struct bn_wait_policy policy);

/** Makes bn_remote, which is that of the first thread of the process or a copy of it, and segments the calling
 * thread's. */
void bn_remote_attach(struct bn_segments *segments, int thread);

/** The thread in whose allocation a window address lies, and the offset there.  False for addresses outside the halves,
 * which are bugs of the program: they fault as they do on one machine. */
bool bn_remote_find(uint64_t address, int *thread_p, uint64_t *offset_p);

/** Where the half of a segment begins and ends in the allocation that an offset of bn_remote_find lies in. */
void bn_remote_part(uint64_t offset, uint64_t *first_p, uint64_t *end_p);

/** Notes that this thread has written to a far one: bn_far_pending, and to whom. */
void bn_remote_note_write(int thread);

/** Must be called before a put to a far thread that does not go through pgas/remote/copy.h: keeps the order, and counts
 * it. */
void bn_remote_before_put(int thread, uint64_t address, const void *src, uint64_t size_bytes);

/** The same for one that its receiver waits for (bn_flag_hand_over): this thread need not see to it that it arrives. */
void bn_remote_before_hand_over(uint64_t address, const void *src, uint64_t size_bytes);

/** Sends the writes that are collected (pgas/remote/behind.h), and forgets what was read ahead. */
void bn_remote_let_go(void);

/**
 * Returns in the one thread that may say why the job ends, which must then call bn_remote_end; after bn_remote_create.
 * If several threads call it at the same time, the first of each node is chosen, and of the nodes the one with the
 * lowest thread, provided that they hear of each other within 20 ms.  The others serve the network until the end.
 */
void bn_remote_claim_end(void);

/**
 * Ends the job everywhere with a status.  Tells the other threads first, so that they leave the network alone
 * (bn_remote_check_end): an OpenSHMEM whose peers vanish prints errors without end.
 */
__attribute__((noreturn)) void bn_remote_end(int status);

/** Waits for the end of the process if another thread has ended the job; returns at once otherwise. */
void bn_remote_check_end(void);

/** Makes progress on the network; if all threads are near, only now and then, since a look takes the turn of the others
 *  of this process. */
void bn_remote_poll(void);

/** One step of waiting for other threads: makes progress on the network, and yields.  Begin with *step = 0. */
void bn_remote_step(uint32_t *step);

/** The same if a near thread will write what is waited for, so that no progress on the network is needed.  Progress
 * costs two system calls, which also slow down threads that share the core. */
void bn_remote_step_for_near(uint32_t *step);

#ifdef __cplusplus
}
#endif

#endif
