/*
 * operation.h: the collective operations, and the arguments of one call.
 *
 * n is the size of the team, b the number of bytes of a block; memory of rank r lies at the address plus r * stride.
 *
 *     broadcast    dst of every rank = src, b bytes at the root                        src: address at the root
 *     scatter      dst of rank r = block r of src, n blocks at the root                src: address at the root
 *     gather       block r of dst, n blocks at the root = src of rank r                dst: address at the root
 *     gather_all   block i of dst of every rank = src of rank i
 *     exchange     block i of dst of rank j = block j of src of rank i
 *     permute      dst of rank perm(r) = src of rank r; perm is one int on each rank
 *     reduce       the root learns value(0) op value(1) op ... op value(n - 1)
 *     reduce_all   every rank learns it
 *     prefix       rank r learns value(0) op ... op value(r - 1)
 *     scatter_v, gather_v, gather_all_v, exchange_v
 *                  the same with blocks of different sizes: see struct bn_block_table
 *     barrier      nothing moves; its kind is that of all barriers of the team, also within other operations
 *
 * Operations on vectors, one in the src of each rank, b bytes long, element by element (call->vector):
 *
 *     combine           dst of the root = src(0) op src(1) op ... op src(n - 1)
 *     combine_all       dst of every rank = that, bitwise equal on all ranks
 *     combine_scatter   dst of rank r = its part of that: counts[r] elements, after those of the ranks before it
 *     combine_prefix    dst of rank r = src(0) op ... op src(r); exclusive: up to src(r - 1), and nothing for rank 0
 *
 * All other addresses are those of rank 0's part. src and dst do not overlap, except that src and dst of a vector
 * operation may be the same on any rank; a src that is not also a dst is only read.  After a vector operation the
 * content of dst beyond the rank's part is undefined.
 *
 * In teams that announce their buffers, dst and src are the member's own, wherever they lie, and 0 where it has none.
 * Each member announces them before anything else (bn_team_announce_call), and any member that has heard from it in
 * this operation may look them up.  All calls are entered with BN_SYNC_MY, under which nobody touches the memory of a
 * member that it has not heard from.  In these teams members may also disagree about nbytes: a member that gets another
 * size than it asked for finds that in team->fit if the call ends; if the call cannot end, host.differs is called.
 */
#ifndef BN_COLL_OPERATION_H
#define BN_COLL_OPERATION_H

#include "coll/team.h"

#ifdef __cplusplus
extern "C" {
#endif

enum bn_operation {
    BN_BROADCAST,
    BN_SCATTER,
    BN_GATHER,
    BN_GATHER_ALL,
    BN_EXCHANGE,
    BN_PERMUTE,
    BN_REDUCE,
    BN_REDUCE_ALL,
    BN_PREFIX,
    BN_BARRIER,
    BN_UPC_OPERATION_COUNT, /* those above are UPC's; MPI has more */
    BN_SCATTER_V = BN_UPC_OPERATION_COUNT,
    BN_GATHER_V,
    BN_GATHER_ALL_V,
    BN_EXCHANGE_V,
    BN_COMBINE,
    BN_COMBINE_ALL,
    BN_COMBINE_SCATTER,
    BN_COMBINE_PREFIX,
    BN_OPERATION_COUNT
};

/*
 * When access to data may begin, at entry, and when it must have ended, at exit:
 *
 *     ALL   begins once all members have entered; when a member returns, no data are accessed any more
 *     MY    to data of a member, begins once it has entered; when it returns, its own data are not accessed any more
 *     NO    begins once the first member has entered; ends when the last has returned
 */
enum bn_sync { BN_SYNC_ALL, BN_SYNC_MY, BN_SYNC_NO, BN_SYNC_COUNT };

/* Types of values, as far as an underlying library may know them */
enum bn_value_type {
    BN_VALUE_OTHER,
    BN_VALUE_INT,
    BN_VALUE_UINT,
    BN_VALUE_LONG,
    BN_VALUE_ULONG,
    BN_VALUE_FLOAT,
    BN_VALUE_DOUBLE,
    BN_VALUE_LONG_DOUBLE,
};

/* What the members reduce: one value each, of one type */
struct bn_fold {
    void
        *value; /* in: this member's value; out: the result if this member learns it, else undefined. 16-byte aligned */
    bool is_given;     /* whether there is a value; on return, whether there is a result */
    bool keeps_order;  /* values must stay in rank order: the operation does not commute */
    size_t size_bytes; /* at most BN_FOLD_MAX_BYTES */
    void (*combine)(void *left, const void *right, const struct bn_fold *fold); /* *left = *left op *right */
    unsigned long op;                                                           /* for combine */
    void (*func)(void);                                                         /* for combine */
    enum bn_value_type type;
    bool is_empty; /* no member gives a value, and all of them know it */
};
enum { BN_FOLD_MAX_BYTES = 16 };

/*
 * Where the blocks of an array lie, by rank, in bytes from its beginning; there may be gaps between them, and dst's
 * blocks do not overlap.  A sender and its receiver give the same size; nobody else needs to know it.  If their sizes
 * differ, only the smaller number of bytes moves, and the receiver finds the mismatch in team->fit, unless it asked for
 * nothing.
 *
 *     scatter_v      src_parts at the root; own_bytes: what this member gets
 *     gather_v       dst_parts at the root; own_bytes: what it gives
 *     gather_all_v   dst_parts; own_bytes: what it gives
 *     exchange_v     both
 *
 * nbytes is what all members know about the sizes, for the choice of an algorithm: 1 if they know nothing.  For teams
 * of up to 1024 members.
 */
struct bn_block_table {
    const size_t *bytes, *offsets;
};

/* What the members combine: vectors of equal length.  Elements are aligned to the largest power of two, up to 16, that
 * divides their size. */
struct bn_vector {
    size_t element_bytes;
    size_t count;         /* elements of each; nbytes of the call is count * element_bytes */
    bool keeps_order;     /* vectors must stay in rank order: the operation does not commute */
    bool is_exclusive;    /* of combine_prefix */
    const size_t *counts; /* of combine_scatter: elements of each rank, count in all; the same on all members */
    /* right[i] = left[i] op right[i] for count elements, which are those of src and dst or copies of them */
    void (*combine)(const void *left, void *right, size_t count, const struct bn_vector *vector);
    void *context; /* for combine */
};

/* Elements first .. first + count - 1 of such a vector */
struct bn_elements {
    size_t first, count;
};

struct bn_call {
    uint64_t dst, src;
    uint64_t perm;
    size_t nbytes; /* of a block; with 0 the members only synchronise */
    int root;
    enum bn_sync in, out;
    struct bn_fold *fold; /* of reduce, reduce_all, prefix, which use only root and fold */
    const struct bn_block_table *src_parts, *dst_parts; /* of the _v operations; else null */
    size_t own_bytes;                                   /* of the _v operations */
    const struct bn_vector *vector;                     /* of combine, combine_all, combine_scatter, combine_prefix */
    bool is_from_dst; /* the root's src is its dst, which holds what was gathered there */
};

/* Where dst or src of a rank lies, in teams that announce their buffers */
unsigned char *bn_call_announced(const struct bn_team *team, const struct bn_call *call, int rank, bool is_dst);

/** Where src of a rank begins, for operations in which each rank has one. */
static inline unsigned char *bn_call_src(const struct bn_team *team, const struct bn_call *call, int rank)
{
    return __builtin_expect(team->announces, 0) ? bn_call_announced(team, call, rank, call->is_from_dst)
                                                : bn_team_at(team, call->src, rank);
}

/** Where dst of a rank begins, for operations in which each rank has one. */
static inline unsigned char *bn_call_dst(const struct bn_team *team, const struct bn_call *call, int rank)
{
    return __builtin_expect(team->announces, 0) ? bn_call_announced(team, call, rank, true)
                                                : bn_team_at(team, call->dst, rank);
}

/** The same for operations in which only the root has one. */
static inline unsigned char *bn_call_src_at_root(const struct bn_team *team, const struct bn_call *call)
{
    return __builtin_expect(team->announces, 0) ? bn_call_src(team, call, call->root) : (unsigned char *)call->src;
}

static inline unsigned char *bn_call_dst_at_root(const struct bn_team *team, const struct bn_call *call)
{
    return __builtin_expect(team->announces, 0) ? bn_call_dst(team, call, call->root) : (unsigned char *)call->dst;
}

/* "broadcast", ... as in BANYAN_COLL_BROADCAST */
const char *bn_operation_name(enum bn_operation operation);

/* What a member has in src or dst: nothing, a block (or a vector), or one for each member, one after another */
enum bn_extent { BN_EXTENT_NONE, BN_EXTENT_BLOCK, BN_EXTENT_ALL };

/* The role of the root: none; src is the root's alone; dst, or the result of values, is the root's alone */
enum bn_root_role { BN_ROOT_NONE, BN_ROOT_GIVES, BN_ROOT_GETS };

/* What an operation moves, and between whom.  Blocks of the _v operations differ in size, and members get only a part
 * of the vector of combine_scatter. */
struct bn_flow {
    enum bn_root_role root;
    enum bn_extent src, dst; /* both none: nothing moves, or only values (call->fold) */
    bool has_values;
};

extern const struct bn_flow bn_operation_flows[BN_OPERATION_COUNT];

static inline struct bn_flow bn_operation_flow(enum bn_operation operation)
{
    return bn_operation_flows[operation];
}

/** Whether there are blocks, whose size the caller chooses. */
static inline bool bn_operation_has_blocks(enum bn_operation operation)
{
    return bn_operation_flow(operation).src != BN_EXTENT_NONE;
}

/** The size of src or dst for blocks of equal size; SIZE_MAX if it cannot be expressed. */
static inline size_t bn_extent_bytes(enum bn_extent extent, size_t nbytes, int member_count)
{
    size_t count = extent == BN_EXTENT_NONE ? 0 : extent == BN_EXTENT_BLOCK ? 1 : (size_t)member_count;
    size_t total;
    return __builtin_mul_overflow(nbytes, count, &total) ? SIZE_MAX : total;
}

/** The size of the largest array that any member needs for it; 0 if there is none. */
static inline size_t bn_operation_bytes(enum bn_operation operation, size_t nbytes, int member_count)
{
    struct bn_flow flow = bn_operation_flow(operation);
    return bn_extent_bytes(flow.src > flow.dst ? flow.src : flow.dst, nbytes, member_count);
}

/** Waits as the entry mode demands; true if all members have entered. */
static inline bool bn_operation_enter(struct bn_team *team, enum bn_sync in)
{
    if (in != BN_SYNC_ALL)
        return false;
    bn_team_barrier(team);
    return true;
}

/** The same where a member cannot know whose data it will touch: BN_SYNC_MY then waits for everybody. */
static inline void bn_operation_enter_all(struct bn_team *team, enum bn_sync in)
{
    if (in != BN_SYNC_NO)
        bn_team_barrier(team);
}

/** Waits as the exit mode demands, where a member cannot know that the others are done. */
static inline void bn_operation_leave(struct bn_team *team, enum bn_sync out)
{
    if (out == BN_SYNC_ALL)
        bn_team_barrier(team);
}

/** The same where a member cannot know who touches its data: BN_SYNC_MY then waits for everybody. */
static inline void bn_operation_leave_all(struct bn_team *team, enum bn_sync out)
{
    if (out != BN_SYNC_NO)
        bn_team_barrier(team);
}

#ifdef __cplusplus
}
#endif

#endif
