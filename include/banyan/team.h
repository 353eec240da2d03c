/*
 * team.h: teams of cooperating processes on one machine: shared memory, messages, and collectives on any memory.
 *
 * For C and C++ programs other than UPC programs; link with -lbanyan-team (pkg-config banyan-team).  Manual:
 * docs/callers.md.
 *
 *     banyan_team *team;
 *     if (banyan_team_join("solver", rank, 4, 60.0, &team) != BANYAN_OK)
 *         fprintf(stderr, "%s\n", banyan_error());
 *     banyan_allreduce(team, NULL, x, 1000, BANYAN_FLOAT64, BANYAN_SUM);      in place, any memory
 *     banyan_team_leave(team);
 *
 * All members of a team call the same collectives in the same order.  A call returns when the memory passed to it may
 * be reused.  Only one thread at a time may call functions on a team; a process may be in several teams, and different
 * threads may use different ones.
 *
 * Errors are returned as a status and never end the process; banyan_error describes in words what happened and what to
 * do.  An invalid argument (BANYAN_ARGUMENT) leaves the team unchanged on the member that passed it; the other members
 * wait until it makes a valid call.  If a collective returns BANYAN_LOST, BANYAN_TIMEOUT, BANYAN_INTERRUPTED or
 * BANYAN_MISMATCH, the team can only be left: the contents of the output buffers are undefined, and the other members
 * get BANYAN_LOST within a second, in that call or the next.
 */
#ifndef BANYAN_TEAM_H
#define BANYAN_TEAM_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

typedef struct banyan_team banyan_team;

typedef enum banyan_status {
    BANYAN_OK,
    BANYAN_ARGUMENT,    /* invalid argument; nothing was done */
    BANYAN_MEMORY,      /* out of memory of some kind */
    BANYAN_SYSTEM,      /* the system refused a resource that teams need */
    BANYAN_TIMEOUT,     /* other members did not arrive in time */
    BANYAN_REFUSED,     /* the others are joining a different team: size, rank or version differ; or a process joined
                         * twice */
    BANYAN_LOST,        /* a member has ended, has left, or has given up */
    BANYAN_INTERRUPTED, /* the function passed to banyan_team_on_wait asked for it */
    BANYAN_BUSY,        /* another thread of this process is in a call on this team */
    BANYAN_FORKED,      /* this process was forked by the member; it must join a team of its own */
    BANYAN_MISMATCH     /* members made different calls, or passed different sizes or roots */
} banyan_status;

/** The error message of the last failed call on this thread: one line, valid until the next call fails. */
const char *banyan_error(void);

/** The name of a status: "BANYAN_OK", ... */
const char *banyan_status_name(banyan_status status);

/* ---- Teams ---- */

enum { BANYAN_ANY_RANK = -1, BANYAN_SIZE_MAX = 512, BANYAN_NAME_MAX = 63 };

/**
 * Joins a team of `size` processes of the same user on this machine, as `rank` (0 to size - 1, or BANYAN_ANY_RANK on
 * all), and returns when all have joined.  All members pass the same name; once the team exists, the name may be used
 * for another team. However the processes end, nothing remains in any file system.
 *
 * If name is null, rank and size are ignored and come from the launcher that started this process (upcrun -team or
 * upcrun python3, mpirun, srun).  Without a launcher the result is a team of one.
 *
 * Having more members than cores is a supported, normal case.  Memory is committed only when it is touched.
 *
 * @errors _ARGUMENT, _TIMEOUT (after timeout_s seconds, regardless of signals; the message says who is missing; 0 for
 * no limit), _REFUSED, _SYSTEM, _MEMORY, _LOST (a member ended or gave up meanwhile).
 */
banyan_status banyan_team_join(const char *name, int rank, int size, double timeout_s, banyan_team **team_p);

/** Generates a name that no other team has, to be passed on to processes that this one starts. */
const char *banyan_team_new_name(char name[BANYAN_NAME_MAX + 1]);

/** Splits the team: members with the same color (0 or more) form a new team, ranked by key, then by rank.  A member
 * with color -1 joins no new team, and its *team_p is null.  Collective. */
banyan_status banyan_team_split(banyan_team *team, int color, int key, banyan_team **team_p);

/** Leaves a team, even one that has lost a member; null is ignored.  Not collective.  Memory from banyan_alloc is lost
 * to this process and must not be used any more. */
void banyan_team_leave(banyan_team *team);

/** Declares that this member makes no more calls, so that the others do not wait for it; its memory stays valid until
 * banyan_team_leave.  Not collective. */
void banyan_team_retire(banyan_team *team);

/** For a null team: -1, 0 and "". */
int banyan_team_rank(const banyan_team *team);
int banyan_team_size(const banyan_team *team);
const char *banyan_team_name(const banyan_team *team);

/** Makes collectives that wait longer than this end with BANYAN_TIMEOUT; 0 (the default) and 1e9 or more mean no limit.
 *
 * @errors _ARGUMENT: negative, not a number, or no team. */
banyan_status banyan_team_set_timeout(banyan_team *team, double timeout_s);

/** Sets a function that is called a few times a second while a thread waits in a collective; if it returns true, the
 * call ends with BANYAN_INTERRUPTED.  With a null gives_up nothing is called; with a null team this does nothing. */
void banyan_team_on_wait(banyan_team *team, bool (*gives_up)(void *context), void *context);

/* ---- Shared memory ---- */

/** Allocates zeroed memory, aligned to 64 bytes, that all members see at the returned address.  Not collective.
 * Returns null and sets banyan_error if there is no room. */
void *banyan_alloc(banyan_team *team, size_t bytes);

/** The same, but one allocation for all members, who all get its address.  Collective. */
banyan_status banyan_alloc_shared(banyan_team *team, size_t bytes, void **memory_p);

/** Frees memory that any member has allocated; null is ignored. */
void banyan_free(banyan_team *team, void *memory);

/** Whether a range of bytes lies in such memory. */
bool banyan_is_shared(const banyan_team *team, const void *memory, size_t bytes);

/**
 * From now on, blocks of 16 KiB to 32 MiB that a loaded library allocates by posix_memalign are placed in such memory,
 * so that collectives on them copy less ("libc10.so" allocates the tensors of PyTorch).  BANYAN_ADOPT limits the total
 * (default 256M).  The library frees the blocks as before, and may do so after the team has been left; a forked child
 * has copies.  Existing blocks stay where they are.  Not collective; only one team of a process at a time.  Does
 * nothing on a team of one.
 *
 * @errors _SYSTEM: no such library is loaded, or it does not call these functions.  _BUSY: another team has adopted a
 * library.
 */
banyan_status banyan_adopt(banyan_team *team, const char *library);

/* ---- Moving blocks.  `bytes` is the size of one block, the same on all members.  Buffers may be any memory. ---- */

banyan_status banyan_barrier(banyan_team *team);

/** Every member's buffer = the buffer of root. */
banyan_status banyan_broadcast(banyan_team *team, void *buffer, size_t bytes, int root);

/** recv = block `rank` of root's send buffer, which has one block for each member; send is ignored on other members.
 * If recv is null at root, its block stays where it is. */
banyan_status banyan_scatter(banyan_team *team, const void *send, void *recv, size_t bytes, int root);

/** Block r of recv at root = send of rank r.  If send is null at root, its block is already in place. */
banyan_status banyan_gather(banyan_team *team, const void *send, void *recv, size_t bytes, int root);

/** Block r of every member's recv = send of rank r.  If send is null, the member's own block is already in place. */
banyan_status banyan_allgather(banyan_team *team, const void *send, void *recv, size_t bytes);

/** Block r of recv = this member's block of rank r's send.  If send is null, the blocks to send are in recv. */
banyan_status banyan_alltoall(banyan_team *team, const void *send, void *recv, size_t bytes);

/* The same with blocks of different sizes: bytes and offsets (in bytes, from the beginning of the buffer, in any order,
 * with or without gaps) have an entry for each member. */
banyan_status banyan_scatterv(banyan_team *team, const void *send, const size_t *bytes, const size_t *offsets,
                              void *recv, size_t recv_bytes, int root);
banyan_status banyan_gatherv(banyan_team *team, const void *send, size_t send_bytes, void *recv, const size_t *bytes,
                             const size_t *offsets, int root);
/* Here bytes must be the same on all members. */
banyan_status banyan_allgatherv(banyan_team *team, const void *send, void *recv, const size_t *bytes,
                                const size_t *offsets);
banyan_status banyan_alltoallv(banyan_team *team, const void *send, const size_t *send_bytes,
                               const size_t *send_offsets, void *recv, const size_t *recv_bytes,
                               const size_t *recv_offsets);

/* ---- Reductions of vectors: count elements, the same on all members ---- */

typedef enum banyan_type {
    BANYAN_INT8,
    BANYAN_INT16,
    BANYAN_INT32,
    BANYAN_INT64,
    BANYAN_UINT8,
    BANYAN_UINT16,
    BANYAN_UINT32,
    BANYAN_UINT64,
    BANYAN_FLOAT16, /* IEEE 754, as 16 bits */
    BANYAN_BFLOAT16,
    BANYAN_FLOAT32,
    BANYAN_FLOAT64,
    BANYAN_COMPLEX64, /* two floats of 32 bits */
    BANYAN_COMPLEX128,
    BANYAN_BOOL, /* a byte, 0 or 1 */
    BANYAN_TYPE_COUNT
} banyan_type;

typedef enum banyan_op {
    BANYAN_SUM, /* for BANYAN_BOOL: or */
    BANYAN_PROD,
    BANYAN_MIN, /* a NaN wins, in MIN and in MAX */
    BANYAN_MAX,
    BANYAN_BAND, /* these three: integers and bool only */
    BANYAN_BOR,
    BANYAN_BXOR,
    BANYAN_OP_COUNT
} banyan_op;

size_t banyan_type_bytes(banyan_type type);

/*
 * Buffers must be aligned to their elements.  If send is null or equal to recv, the operation is in place.  Results are
 * bitwise identical on all members; 16-bit floats are rounded in each step.  Prefix reductions combine in the order of
 * ranks.
 */

/** Stores the result in recv at root.  On other members recv is ignored, and send must not be null. */
banyan_status banyan_reduce(banyan_team *team, const void *send, void *recv, size_t count, banyan_type type,
                            banyan_op op, int root);
banyan_status banyan_allreduce(banyan_team *team, const void *send, void *recv, size_t count, banyan_type type,
                               banyan_op op);
/** recv = this member's part of the result: counts[rank] elements, which follow those of the ranks before it.  In
 * place: recv holds the whole input, and the part goes to its beginning; the rest of recv is undefined afterwards. */
banyan_status banyan_reduce_scatter(banyan_team *team, const void *send, void *recv, const size_t *counts,
                                    banyan_type type, banyan_op op);
/** recv = reduction over ranks 0 to this one.  banyan_exscan: 0 to the rank before this one; on rank 0 nothing is
 * written. */
banyan_status banyan_scan(banyan_team *team, const void *send, void *recv, size_t count, banyan_type type,
                          banyan_op op);
banyan_status banyan_exscan(banyan_team *team, const void *send, void *recv, size_t count, banyan_type type,
                            banyan_op op);

/* An associative operator supplied by the caller, for elements of any size */
typedef struct banyan_operator {
    size_t element_bytes;
    bool commutes;
    /* right[i] = left[i] op right[i] for count elements, which may be copies.  Must not call functions on the team. */
    void (*combine)(const void *left, void *right, size_t count, void *context);
    void *context;
} banyan_operator;

banyan_status banyan_reduce_by(banyan_team *team, const void *send, void *recv, size_t count, const banyan_operator *by,
                               int root);
banyan_status banyan_allreduce_by(banyan_team *team, const void *send, void *recv, size_t count,
                                  const banyan_operator *by);
banyan_status banyan_reduce_scatter_by(banyan_team *team, const void *send, void *recv, const size_t *counts,
                                       const banyan_operator *by);
banyan_status banyan_scan_by(banyan_team *team, const void *send, void *recv, size_t count, const banyan_operator *by);
banyan_status banyan_exscan_by(banyan_team *team, const void *send, void *recv, size_t count,
                               const banyan_operator *by);

/* ---- Messages from one member to another ---- */

/*
 * A receive gets the first message, in the order of sending, that matches its rank and tag; receives are matched in the
 * order in which they were posted.  Tags are 0 or more.  Buffers may be any memory.  A message has the size that was
 * sent, which must fit into the receive buffer.  These functions are not collective, and messages progress while
 * members wait in collectives.
 */

typedef struct banyan_message banyan_message;

enum { BANYAN_ANY_TAG = -1 };

/* A received message */
typedef struct banyan_received {
    int rank, tag;
    size_t bytes;
} banyan_received;

/** Returns when data may be reused: immediately for messages of a few KiB, which others may receive even after this
 * member has left; for larger ones when they have been received. */
banyan_status banyan_send(banyan_team *team, const void *data, size_t bytes, int to, int tag);

/**
 * Waits for a message from a rank (or BANYAN_ANY_RANK) with a tag (or BANYAN_ANY_TAG).  received may be null.
 *
 * @errors _ARGUMENT: also if the message does not fit: *received says how large it is, and it can still be received.
 * _LOST: the sender has ended without having sent a matching message.
 */
banyan_status banyan_recv(banyan_team *team, void *data, size_t bytes, int from, int tag, banyan_received *received);

/** The same without waiting; the memory belongs to the message until it has completed. */
banyan_status banyan_post_send(banyan_team *team, const void *data, size_t bytes, int to, int tag,
                               banyan_message **message_p);
banyan_status banyan_post_recv(banyan_team *team, void *data, size_t bytes, int from, int tag,
                               banyan_message **message_p);

/** Waits until a message has completed, frees it and sets *message_p to null; a null message counts as completed.
 * received may be null. @errors Those of banyan_recv.  After errors other than too little room the message is
 * unchanged. */
banyan_status banyan_wait(banyan_team *team, banyan_message **message_p, banyan_received *received);

/** Tests whether a message has completed; if so, frees it as banyan_wait does. */
banyan_status banyan_test(banyan_team *team, banyan_message **message_p, bool *has_ended_p, banyan_received *received);

/** Cancels a message and frees it; its memory belongs to the caller again.  Either nothing of it or all of it has been
 * sent or received; *is_cancelled_p says which (the pointer may be null).  Messages that have not completed when the
 * team is left are cancelled, too. */
banyan_status banyan_cancel(banyan_team *team, banyan_message **message_p, bool *is_cancelled_p);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
