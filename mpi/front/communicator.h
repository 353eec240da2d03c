/*
 * communicator.h: what is known of a communicator: an attribute of it, made at its first collective call.
 */
#ifndef BN_MPI_FRONT_COMMUNICATOR_H
#define BN_MPI_FRONT_COMMUNICATOR_H

#include "front/span.h"
#include "host/habit.h"
#include "host/lessons.h"
#include "node/agree.h"

#include <setjmp.h>

/* Memory for packed data, kept from call to call.  All zero: none. */
struct bn_room {
    void *memory;
    size_t size_bytes;
};

struct bn_args;

struct bn_communicator {
    struct bn_node_team *team; /* of members on this machine, or on the current node of span; null: calls go below, */
    struct bn_agree sizes;     /* what its members say of theirs */
    struct bn_communicator_span *span; /* null: all members are on this machine */
    enum bn_mpi_reason reason;         /* for this reason */
    int rank, size;                    /* not of intercommunicators */
    int largest_team;                  /* members on the machine that has most */
    struct bn_room rooms[2];           /* for what is sent, and for what is received */
    struct bn_ledger ledger;
    struct bn_habit habits[BN_MPI_OPERATION_COUNT];
    struct bn_args *current;              /* call that the engine carries out; null: none */
    jmp_buf escape;                       /* of that call (escape.h) */
    bool is_lost;                         /* one has been left so */
    bool is_timed;                        /* a report is wanted */
    char *name;                           /* if what was called is kept at the end; else null */
    struct bn_communicator *next, **link; /* in the list of those that exist */
    size_t *tables;                       /* of both: bytes of blocks by rank, and where they lie */
};

/** From now on there are communicators.  False: the library below refuses. */
bool bn_communicators_begin(const struct bn_communicators_world *world);
/** From now on nothing is known of any, and all calls go below.  What is to be reported of them has been. */
void bn_communicators_end(void);

/** From now on the processes of this machine have memory together. */
void bn_communicators_have_node(struct bn_world *node);

/** What is known of a communicator.  The first call is collective.  Null: nothing, since there are none yet, or comm is
 *  none or being freed, or there is no memory. */
struct bn_communicator *bn_communicator_of(MPI_Comm comm);

/** Who carries out the call that comes next, if that is not the library below. */
void bn_communicator_use(struct bn_communicator *communicator, enum bn_carrier carrier);

/** Carries out a call of the engine, or of what composes it over machines. */
bn_status_t bn_communicator_run(struct bn_communicator *communicator, enum bn_operation operation,
                                const struct bn_call *call);

/** Its account of an operation and a class of sizes, with what earlier runs have learned.  Null: no memory. */
struct bn_account *bn_communicator_account(struct bn_communicator *communicator, enum bn_mpi_operation operation,
                                           unsigned size_class);

#endif
