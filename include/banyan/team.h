/*
 * team.h: processes of one machine that work together: shared memory, and collectives on any memory, by Banyan's
 * engine.
 *
 * For programs in C and C++ that are no UPC programs; link with -lbanyan-team (pkg-config banyan-team).  Manual:
 * docs/callers.md.
 *
 *     banyan_team *team;
 *     if (banyan_team_join("solver", rank, 4, 60.0, &team) != BANYAN_OK)
 *         fprintf(stderr, "%s\n", banyan_error());
 *     banyan_allreduce(team, NULL, x, 1000, BANYAN_FLOAT64, BANYAN_SUM);      in place, on any memory
 *     banyan_team_leave(team);
 *
 * All members call the same collectives of a team in the same order.  A call returns when the memory that was given to
 * it may be used again.  One thread at a time calls for a team; a process may be in several teams, and different
 * threads in different ones.
 *
 * Errors come back as a status, and never end the process; banyan_error says in words what happened, and what to do.  A
 * wrong argument (BANYAN_ARGUMENT) leaves the team as it was, on the member that gave it: the others wait for its right
 * call.  After BANYAN_LOST, BANYAN_TIMEOUT, BANYAN_INTERRUPTED and BANYAN_MISMATCH of a collective the team can only be
 * left: contents of what the call was to write are undefined, and other members get BANYAN_LOST within a second, in
 * that call or the next.
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
    BANYAN_ARGUMENT,    /* a wrong argument: nothing was done */
    BANYAN_MEMORY,      /* no memory of some kind */
    BANYAN_SYSTEM,      /* the system refuses what teams need */
    BANYAN_TIMEOUT,     /* others have not come in time */
    BANYAN_REFUSED,     /* the others ask for another team: size, rank or version differ; or a process comes twice */
    BANYAN_LOST,        /* a member has ended, has left, or has given up */
    BANYAN_INTERRUPTED, /* the function of banyan_team_on_wait asked for it */
    BANYAN_BUSY,        /* another thread of this process is in a call of this team */
    BANYAN_FORKED,      /* this process was forked by the member; join a team of its own */
    BANYAN_MISMATCH     /* members make different calls, or give different sizes or roots */
} banyan_status;

/** What the last call on this thread that failed has to say: one line, until the next one fails. */
const char *banyan_error(void);

/** "BANYAN_OK", ... */
const char *banyan_status_name(banyan_status status);

/* ---- Teams ---- */

enum { BANYAN_ANY_RANK = -1, BANYAN_SIZE_MAX = 512, BANYAN_NAME_MAX = 63 };

/**
 * Joins a team of size processes of this machine and user as rank (0 to size - 1, or BANYAN_ANY_RANK on all), and
 * returns when all have.  The name is one that they all know; once the team is there it is free for another one.
 * Nothing remains in any file system, however the processes end.
 *
 * name null: as a launcher has started this process (upcrun -team or upcrun python3, mpirun, srun); rank and size are
 * not looked at then.  Without a launcher it is a team of one.
 *
 * More members than cores are a normal case.  Memory is taken when it is touched.
 *
 * @errors _ARGUMENT, _TIMEOUT (after timeout_s seconds, whatever signals come, and says who is missing; 0 for no
 *         limit), _REFUSED, _SYSTEM, _MEMORY, _LOST (one ended or gave up meanwhile).
 */
banyan_status banyan_team_join(const char *name, int rank, int size, double timeout_s, banyan_team **team_p);

/** A name that no other team has, for processes that this one starts and tells it to. */
const char *banyan_team_new_name(char name[BANYAN_NAME_MAX + 1]);

/** Members of the same color (0 or more) make a team of their own, ranked by key, then by rank; color -1: of none, and
 * *team_p is null.  Collective. */
banyan_status banyan_team_split(banyan_team *team, int color, int key, banyan_team **team_p);

/** Leaves, also a team that has lost a member; null is no team.  Not collective.  Memory of banyan_alloc is gone for
 * this process: nothing may use it any more. */
void banyan_team_leave(banyan_team *team);

/** This member makes no more calls, and the others are not to wait for any; memory stays where it is until
 * banyan_team_leave.  Not collective. */
void banyan_team_retire(banyan_team *team);

/** Of no team, null: -1, 0 and "". */
int banyan_team_rank(const banyan_team *team);
int banyan_team_size(const banyan_team *team);
const char *banyan_team_name(const banyan_team *team);

/** A collective that waits for longer ends with BANYAN_TIMEOUT; 0 (as at first), and 1e9 or more: no limit.
 *
 * @errors _ARGUMENT: less than 0, or no number, or no team. */
banyan_status banyan_team_set_timeout(banyan_team *team, double timeout_s);

/** Called some times a second on a thread that waits in a collective; if it returns true the call ends with
 * BANYAN_INTERRUPTED.  Null: nothing is called.  On a team that is null: nothing. */
void banyan_team_on_wait(banyan_team *team, bool (*gives_up)(void *context), void *context);

/* ---- Shared memory ---- */

/** Zeroed memory that all members see at this address, aligned to 64 bytes.  Not collective; null, and banyan_error
 *  tells, if there is no room. */
void *banyan_alloc(banyan_team *team, size_t bytes);

/** The same once for all members, who all get its address.  Collective. */
banyan_status banyan_alloc_shared(banyan_team *team, size_t bytes, void **memory_p);

/** Gives back what any member has allocated; null is nothing. */
void banyan_free(banyan_team *team, void *memory);

/** Whether bytes lie in such memory. */
bool banyan_is_shared(const banyan_team *team, const void *memory, size_t bytes);

/**
 * From now on blocks of 16 KiB to 32 MiB that a loaded library ("libc10.so", which has tensors of PyTorch) allocates by
 * posix_memalign lie in such memory, so that collectives on them copy less; BANYAN_ADOPT says how much at most (256M).
 * The library gives them back by free, as ever, and may do so after the team was left; a forked child has copies.
 * Blocks that are there stay where they are.  Not collective; one team of a process at a time.  On a team of one:
 * nothing.
 *
 * @errors _SYSTEM: no such library is loaded, or none that calls these functions.  _BUSY: another team does so.
 */
banyan_status banyan_adopt(banyan_team *team, const char *library);

/* ---- Moving blocks.  bytes: of one block, the same on all members.  Buffers may be any memory. ---- */

banyan_status banyan_barrier(banyan_team *team);

/** Everybody's buffer = that of root. */
banyan_status banyan_broadcast(banyan_team *team, void *buffer, size_t bytes, int root);

/** recv = block rank of send, which has one for each member at root and is not looked at elsewhere.  recv null at root:
 * its block stays where it is. */
banyan_status banyan_scatter(banyan_team *team, const void *send, void *recv, size_t bytes, int root);

/** Block r of recv at root = send of rank r.  send null at root: its block is in its place. */
banyan_status banyan_gather(banyan_team *team, const void *send, void *recv, size_t bytes, int root);

/** Block r of everybody's recv = send of rank r.  send null: the own block is in its place. */
banyan_status banyan_allgather(banyan_team *team, const void *send, void *recv, size_t bytes);

/** Block r of recv = own block of send of rank r.  send null: that is in recv, too. */
banyan_status banyan_alltoall(banyan_team *team, const void *send, void *recv, size_t bytes);

/* The same with blocks of different sizes: bytes and offsets (in bytes, from the beginning of the buffer, in any order,
 * with or without gaps) have an entry for each member. */
banyan_status banyan_scatterv(banyan_team *team, const void *send, const size_t *bytes, const size_t *offsets,
                              void *recv, size_t recv_bytes, int root);
banyan_status banyan_gatherv(banyan_team *team, const void *send, size_t send_bytes, void *recv, const size_t *bytes,
                             const size_t *offsets, int root);
/* bytes are the same on all members here. */
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
    BANYAN_COMPLEX64, /* two of 32 bits */
    BANYAN_COMPLEX128,
    BANYAN_BOOL, /* a byte, 0 or 1 */
    BANYAN_TYPE_COUNT
} banyan_type;

typedef enum banyan_op {
    BANYAN_SUM, /* of BANYAN_BOOL: or */
    BANYAN_PROD,
    BANYAN_MIN, /* a NaN wins, here and in max */
    BANYAN_MAX,
    BANYAN_BAND, /* of integers and bool */
    BANYAN_BOR,
    BANYAN_BXOR,
    BANYAN_OP_COUNT
} banyan_op;

size_t banyan_type_bytes(banyan_type type);

/*
 * Buffers are aligned to their elements.  send null, or the same as recv: in place.  Results are the same to the bit on
 * all members; 16-bit floats are rounded in each step.  Of prefixes the operation goes in the order of ranks.
 */

/** recv at root; it is not looked at elsewhere, and there send may not be null. */
banyan_status banyan_reduce(banyan_team *team, const void *send, void *recv, size_t count, banyan_type type,
                            banyan_op op, int root);
banyan_status banyan_allreduce(banyan_team *team, const void *send, void *recv, size_t count, banyan_type type,
                               banyan_op op);
/** recv = the part of this member: counts[rank] elements, which follow those of the ranks before it.  In place: at the
 *  beginning of recv, which has all; what lies behind is undefined then. */
banyan_status banyan_reduce_scatter(banyan_team *team, const void *send, void *recv, const size_t *counts,
                                    banyan_type type, banyan_op op);
/** recv = reduction of ranks 0 to this one; exclusive: to the one before it, and nothing is written on rank 0. */
banyan_status banyan_scan(banyan_team *team, const void *send, void *recv, size_t count, banyan_type type,
                          banyan_op op);
banyan_status banyan_exscan(banyan_team *team, const void *send, void *recv, size_t count, banyan_type type,
                            banyan_op op);

/* An operator of the caller, associative, for elements of any size */
typedef struct banyan_operator {
    size_t element_bytes;
    bool commutes;
    /* right[i] = left[i] op right[i], of count elements; they may be copies.  May not call for the team. */
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
 * A receive gets the first message from its rank that has its tag, in the order in which they were sent; receives get
 * messages in the order in which they were asked for.  Tags are 0 or more.  Buffers may be any memory, and a message
 * has as many bytes as were sent, up to those that the receive has room for.  Not collective: members call what they
 * like, and messages go on while they wait in collectives.
 */

typedef struct banyan_message banyan_message;

enum { BANYAN_ANY_TAG = -1 };

/* What has come */
typedef struct banyan_received {
    int rank, tag;
    size_t bytes;
} banyan_received;

/** Returns when data may be written again.  That is at once for messages of some KiB, which others may receive even
 *  when this member has left; for larger ones it is when they have been received. */
banyan_status banyan_send(banyan_team *team, const void *data, size_t bytes, int to, int tag);

/**
 * Waits for a message from a rank (or BANYAN_ANY_RANK) with a tag (or BANYAN_ANY_TAG).  received may be null.
 *
 * @errors _ARGUMENT: also if there is no room for all of the message: *received says how large it is, and it can still
 *         be received.  _LOST: the other one has ended, and has sent nothing of this kind.
 */
banyan_status banyan_recv(banyan_team *team, void *data, size_t bytes, int from, int tag, banyan_received *received);

/** The same without waiting; the memory is the message's until it has ended. */
banyan_status banyan_post_send(banyan_team *team, const void *data, size_t bytes, int to, int tag,
                               banyan_message **message_p);
banyan_status banyan_post_recv(banyan_team *team, void *data, size_t bytes, int from, int tag,
                               banyan_message **message_p);

/** Waits until a message has ended, which is gone then, and *message_p null; one that is null has ended.  received may
 *  be null.  @errors Those of banyan_recv.  Of others than too little room the message is as it was. */
banyan_status banyan_wait(banyan_team *team, banyan_message **message_p, banyan_received *received);

/** Whether it has ended; if so it is gone. */
banyan_status banyan_test(banyan_team *team, banyan_message **message_p, bool *has_ended_p, banyan_received *received);

/** The message is gone, and its memory the caller's again: nothing has been received, or sent, or all of it
 *  (*is_cancelled_p: which may be null).  Messages that are not ended when the team is left are cancelled, too. */
banyan_status banyan_cancel(banyan_team *team, banyan_message **message_p, bool *is_cancelled_p);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
