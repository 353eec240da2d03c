/*
 * direct.h: windows whose memory all members have mapped, or reach by the kernel, in which threads transfer by
 * themselves, without the library below and without the arbiter.  docs/design/016-mpi-threads.md, "Direct windows",
 * says why that is right.
 *
 *     struct bn_direct *direct = bn_direct_find(window);       null: the library's
 *     to = bn_direct_place(direct, target, disp, size_bytes);  null: the library says what is wrong
 *     bn_reach_put(&direct->members[target], to, origin, size_bytes);
 */
#ifndef BN_MPI_THREADS_DIRECT_H
#define BN_MPI_THREADS_DIRECT_H

#include "platform/atomic_word.h"
#include "sync/atomic.h"
#include "sync/wait.h"
#include "threads/library.h"

#include <stddef.h>
#include <sys/types.h>

/* Of each member, in memory of all, zeroed */
struct bn_direct_words {
    uint64_t lock __attribute__((aligned(BN_LINE_BYTES)));                /* of MPI_Win_lock: windows.c */
    struct bn_spinlock combining __attribute__((aligned(BN_LINE_BYTES))); /* who combines with its memory */
} __attribute__((aligned(BN_LINE_BYTES)));

/* Why this process may transfer, as bits */
enum { BN_DIRECT_LOCK = 1, BN_DIRECT_LOCK_ALL = 2, BN_DIRECT_START = 4, BN_DIRECT_FENCE = 8 };
enum { BN_DIRECT_PASSIVE = BN_DIRECT_LOCK | BN_DIRECT_LOCK_ALL };

struct bn_direct_member {
    unsigned char *base;
    uint64_t size_bytes, unit;
    struct bn_direct_words *words;
    pid_t process; /* in whose private memory base is; 0: it is mapped here */
    uint32_t access;
};

struct bn_direct {
    MPI_Win memory;   /* has the words, and what MPI_Win_allocate gave */
    uint64_t token;   /* by which other processes see that it is this one that they reach */
    uint32_t access;  /* to all members */
    uint32_t passive; /* how many of LOCK and LOCK_ALL there are in it and in the members */
    int size, rank;
    struct bn_direct_member members[];
};

/* What a thread has found last, and how often it went past the library */
struct bn_direct_self {
    MPI_Win window;
    struct bn_direct *direct;
    uint32_t generation;
    uint32_t count;
};
extern _Thread_local struct bn_direct_self bn_direct_self __attribute__((tls_model("initial-exec")));
extern uint32_t bn_direct_generation; /* another one whenever a window comes or goes; 0: none has come */

/* Library calls of a thread are rare then, but not so rare that nobody drives the library. */
enum { BN_DIRECT_TURNS = 1024 };

/** Of this process and its threads that have ended; of others as far as they have driven the library. */
extern uint64_t bn_direct_count;

/** Drives the library; the first time the thread joins those that the arbiter knows. */
void bn_direct_drive(void);

/** What has ended, or begins to write the report, adds what it has counted. */
void bn_direct_part(void);

struct bn_direct *bn_direct_look_up(MPI_Win window);

/** @cost A comparison, for the window that the thread had last. */
static inline struct bn_direct *bn_direct_find(MPI_Win window)
{
    struct bn_direct_self *self = &bn_direct_self;
    if (__builtin_expect(self->window == window && self->generation == bn_word_see(&bn_direct_generation), 1))
        return self->direct;
    return bn_direct_look_up(window);
}

/** To be called for each call that goes past the library. */
static inline void bn_direct_done(void)
{
    if (__builtin_expect(bn_direct_self.count++ % BN_DIRECT_TURNS == 0, 0))
        bn_direct_drive();
}

static inline uint32_t bn_direct_access(const struct bn_direct *direct, int target)
{
    return bn_word_get(&direct->access) | bn_word_get(&direct->members[target].access);
}

/** Where so many bytes at that displacement are, in the memory of this process or of members[target].process; null: not
 *  in the memory of that member, or this process may not transfer. */
static inline unsigned char *bn_direct_place(const struct bn_direct *direct, int target, MPI_Aint disp, uint64_t bytes)
{
    uint64_t offset;
    if (target < 0 || target >= direct->size || bn_direct_access(direct, target) == 0 || disp < 0)
        return NULL;
    const struct bn_direct_member *member = &direct->members[target];
    if (__builtin_mul_overflow((uint64_t)disp, member->unit, &offset) || bytes > member->size_bytes ||
        offset > member->size_bytes - bytes)
        return NULL;
    return (unsigned char *)((uintptr_t)member->base + (uintptr_t)offset);
}

/** Grants, and ends, access to a member; a negative target: to all. */
void bn_direct_grant(struct bn_direct *direct, int target, uint32_t bit);
void bn_direct_end(struct bn_direct *direct, int target, uint32_t bit);

/** Whether all members are on this machine, wish for such windows, and gave sizes and units that are some; by all of
 *  them. */
bool bn_direct_is_possible(MPI_Comm comm, MPI_Aint size_bytes, MPI_Aint unit);

/** What all members find out together, whether each of them has something. */
bool bn_direct_all_have(MPI_Comm comm, bool has);

/** By all members, in the turn of order.h: memory of so many bytes, at members[rank].base, or that of a window of the
 *  library's, of any flavor (MPI_WIN_CREATE_FLAVOR).  comm is no communicator of the program's.  Null at all of them:
 * it cannot be. */
struct bn_direct *bn_direct_allocate(MPI_Comm comm, MPI_Aint size_bytes, MPI_Aint unit);
struct bn_direct *bn_direct_adopt(MPI_Comm comm, MPI_Win window, int flavor);
void bn_direct_free(struct bn_direct *direct);

/** Before the program has threads, and after it has none */
void bn_direct_begin(MPI_Comm node);
void bn_direct_finish(void);

#endif
