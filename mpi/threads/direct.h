/*
 * direct.h: direct windows, whose memory all members have mapped or reach through the kernel.  In them threads transfer
 * data themselves, without the library below and without the arbiter.  docs/design/016-mpi-threads.md, "Direct
 * windows", explains why that is correct.
 *
 *     struct bn_direct *direct = bn_direct_find(window);       null: not a direct one
 *     to = bn_direct_place(direct, target, disp, size_bytes);  null: the library must report the error
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

/* One per member, in memory that all members have mapped; initially zero */
struct bn_direct_words {
    uint64_t lock __attribute__((aligned(BN_LINE_BYTES)));                /* for MPI_Win_lock: windows.c */
    struct bn_spinlock combining __attribute__((aligned(BN_LINE_BYTES))); /* held while combining with its memory */
} __attribute__((aligned(BN_LINE_BYTES)));

/* The kinds of epochs in which this process may transfer, as bits */
enum { BN_DIRECT_LOCK = 1, BN_DIRECT_LOCK_ALL = 2, BN_DIRECT_START = 4, BN_DIRECT_FENCE = 8 };
enum { BN_DIRECT_PASSIVE = BN_DIRECT_LOCK | BN_DIRECT_LOCK_ALL };

struct bn_direct_member {
    unsigned char *base;
    uint64_t size_bytes, unit;
    struct bn_direct_words *words;
    pid_t process; /* whose private memory base points into; 0: it is mapped here */
    uint32_t access;
};

struct bn_direct {
    MPI_Win memory;   /* contains the words, and the memory that MPI_Win_allocate returned, unless there is a slot */
    int slot;         /* of the words that all processes here have mapped since the start (slots.h); negative: none */
    uint32_t access;  /* to all members */
    uint32_t passive; /* number of LOCK and LOCK_ALL bits in `access` and in the members */
    int size, rank;
    struct bn_direct_member members[];
};

/* The window that a thread used last, and the number of its calls that bypassed the library */
struct bn_direct_self {
    MPI_Win window;
    struct bn_direct *direct;
    uint32_t generation;
    uint32_t count;
};
extern _Thread_local struct bn_direct_self bn_direct_self __attribute__((tls_model("initial-exec")));
extern uint32_t bn_direct_generation; /* changes when a window is made or freed; 0: there was none yet */

/* After this many direct calls a thread drives the library once, so that the library still makes progress. */
enum { BN_DIRECT_TURNS = 1024 };

/** Direct calls of this process: all of ended threads; of others, those before they last drove the library. */
extern uint64_t bn_direct_count;

/** Drives the library; the first time, the thread joins the arbiter. */
void bn_direct_drive(void);

/** Adds the calling thread's count to bn_direct_count: when it ends, or before the report is written. */
void bn_direct_part(void);

struct bn_direct *bn_direct_look_up(MPI_Win window);

/** A direct window, or null.  @cost A comparison, for the window that the thread used last */
static inline struct bn_direct *bn_direct_find(MPI_Win window)
{
    struct bn_direct_self *self = &bn_direct_self;
    if (__builtin_expect(self->window == window && self->generation == bn_word_see(&bn_direct_generation), 1))
        return self->direct;
    return bn_direct_look_up(window);
}

/** To be called for each call that bypasses the library. */
static inline void bn_direct_done(void)
{
    if (__builtin_expect(bn_direct_self.count++ % BN_DIRECT_TURNS == 0, 0))
        bn_direct_drive();
}

static inline uint32_t bn_direct_access(const struct bn_direct *direct, int target)
{
    return bn_word_get(&direct->access) | bn_word_get(&direct->members[target].access);
}

/** The address of bytes at a displacement, in this process or in members[target].process; null: they are not within the
 *  member's memory, or this process has no access at present. */
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

/** Begin and end access to a member; negative target: to all members. */
void bn_direct_grant(struct bn_direct *direct, int target, uint32_t bit);
void bn_direct_end(struct bn_direct *direct, int target, uint32_t bit);

/** Whether all members are on this machine, enable direct windows, and passed valid sizes and units.  Collective. */
bool bn_direct_is_possible(MPI_Comm comm, MPI_Aint size_bytes, MPI_Aint unit);

/** Whether `has` is true on all members.  Collective. */
bool bn_direct_all_have(MPI_Comm comm, bool has);

/** Make a direct window: with new memory, at members[rank].base, or with the memory of a window of the library, of any
 *  flavor (MPI_WIN_CREATE_FLAVOR); base: what MPI_Win_create was given or MPI_Win_allocate returned.  Collective,
 *  in the turn of order.h; comm must not be a communicator of the program.  Null on all members: not possible. */
struct bn_direct *bn_direct_allocate(MPI_Comm comm, MPI_Aint size_bytes, MPI_Aint unit);
struct bn_direct *bn_direct_adopt(MPI_Comm comm, MPI_Win window, int flavor, void *base);
void bn_direct_free(struct bn_direct *direct);

/** Called by all processes of a machine before the program has threads, and when it has none any more.  wants: whether
 *  there may be direct windows. */
void bn_direct_begin(MPI_Comm node, bool wants);
void bn_direct_finish(void);

#endif
