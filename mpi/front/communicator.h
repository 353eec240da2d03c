/*
 * communicator.h: what is known about a communicator, kept in an attribute that is set at its first collective call.
 */
#ifndef BN_MPI_FRONT_COMMUNICATOR_H
#define BN_MPI_FRONT_COMMUNICATOR_H

#include "front/span.h"
#include "host/habit.h"
#include "node/agree.h"

#include <setjmp.h>

/* Memory for packed data, kept from call to call; all zero: none */
struct bn_room {
    void *memory;
    size_t size_bytes;
};

struct bn_args;

struct bn_communicator {
    struct bn_node_team *team; /* of members on this machine, or on this node of span->current; null: see reason */
    struct bn_agree sizes;     /* sizes of calls as its members report them */
    struct bn_communicator_span *span; /* null: all members are on this machine */
    enum bn_mpi_reason reason;         /* why calls go below, if team is null */
    int rank, size;                    /* for intercommunicators, of the local group */
    int largest_team;                  /* number of members on the machine that has most */
    struct bn_room rooms[2];           /* for sent and for received data */
    struct bn_ledger ledger;
    struct bn_habit habits[BN_MPI_OPERATION_COUNT];
    struct bn_args *current;              /* the call in the engine; null: none */
    jmp_buf escape;                       /* of that call (escape.h) */
    bool is_lost;                         /* a call has been left that way */
    bool is_timed;                        /* a report is wanted */
    char *name;                           /* if there will be a report or lessons; else null */
    struct bn_communicator *next, **link; /* in the list of all communicators */
    size_t *tables;                       /* for both sides, by rank: sizes of blocks, and their offsets */
};

/** Starts keeping track of communicators.  False: the library below refuses the attribute. */
bool bn_communicators_begin(const struct bn_communicators_world *world);
/** Reports those that still exist, and stops keeping track; from then on all calls go below. */
void bn_communicators_end(void);

/** From now on the processes of this machine have shared memory. */
void bn_communicators_have_node(struct bn_world *node);

/** Finds what is known about the communicator of a call, and sets args->communicator.  Its first call is collective,
 * and may wait for other members, while handles of the call are in use (uses.h).  False: communicators are not tracked
 * yet, comm is MPI_COMM_NULL or is being freed, or there is no memory. */
bool bn_communicator_find(struct bn_args *args);

/** Sets which part of the engine carries out the next call. */
void bn_communicator_use(struct bn_communicator *communicator, enum bn_carrier carrier);

/** Carries out a call with the engine, composed over machines (wide/) if there are several.  An address may be anything
 * on a member for which nothing is read or written there: dst of a prefix reduction without the own vector on rank 0,
 * and either side of a member without bytes. */
bn_status_t bn_communicator_run(struct bn_communicator *communicator, enum bn_operation operation,
                                const struct bn_call *call);

/** Its account of an operation and size class, which begins with what earlier runs have learned.  Null: no memory. */
struct bn_account *bn_communicator_account(struct bn_communicator *communicator, enum bn_mpi_operation operation,
                                           unsigned size_class);

#endif
