/*
 * ledger.h: the calls on a communicator: what they were, who carried them out, and who will carry out the next ones.
 * There is one account for each operation and size class.
 *
 * While an account learns, its calls go to each candidate in turn, in blocks of a few calls.  The number of the call
 * decides, which is the same on all members.  The first call of a block is not counted, because it finds the members
 * in the state in which the previous candidate left them.  Nor are the very first calls: they touch memory for the
 * first time, and MPI libraries set up shortcuts for frequent senders.  After one block for each candidate the members
 * agree on the median of the slowest member for each; candidates that are clearly slower are out.  If more than one is
 * left, each gets another block, and then the fastest is kept.
 */
#ifndef BN_MPI_HOST_LEDGER_H
#define BN_MPI_HOST_LEDGER_H

#include "host/operations.h"
#include "profile/tally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bn_carrier {
    BN_BY_ENGINE,
    BN_BY_LIBRARY, /* the MPI library below, alone */
    BN_BY_BOTH,    /* the engine on each machine, the library's collective operations between them */
    BN_BY_SOCKETS, /* the engine, as if each socket were a machine */
    BN_BY_REGIONS, /* the same for memory regions */
    BN_CARRIER_COUNT
};

enum {
    BN_LEDGER_CLASSES = 65, /* size classes (bn_size_class); the last one: unknown size */
    BN_LEDGER_NO_SIZE = BN_LEDGER_CLASSES - 1,
    BN_WARM_CALLS = 20, /* calls by the engine before trials begin: more than it has slots */
    BN_WARM_CLASS = 16, /* largest size class that is warmed up this way, 64 KiB */
    /* Then the library is warmed up, on one machine: Open MPI sets up boxes for small messages after 16 of them. */
    BN_WARM_LIBRARY_CLASS = 12, /* largest size class for that, 4 KiB */
    BN_TRIAL_BLOCK = 4,         /* calls in a row by the same carrier */
    BN_TRIAL_ROUNDS = 2,
    BN_TRIAL_SAMPLES = (BN_TRIAL_BLOCK - 1) * BN_TRIAL_ROUNDS, /* for each carrier */
};

struct bn_account {
    bool is_decided;
    enum bn_carrier choice;                         /* if is_decided */
    double median_ns[BN_CARRIER_COUNT];             /* of the slowest member, agreed on; 0: never tried */
    struct bn_tally by[BN_CARRIER_COUNT];           /* time in ns */
    uint64_t by_reason[BN_MPI_REASON_COUNT];        /* calls that went to the library, by reason */
    unsigned candidates;                            /* bit set (bn_candidate) of those still tried; 0: not known yet */
    unsigned warm_calls, trial_calls, trial_rounds; /* warm-up calls, calls of this round, earlier rounds */
    unsigned sample_count[BN_CARRIER_COUNT];
    float samples[BN_CARRIER_COUNT][BN_TRIAL_SAMPLES];
};

/* All zero: nothing has been called yet. */
struct bn_ledger {
    struct bn_account *accounts[BN_MPI_OPERATION_COUNT]; /* BN_LEDGER_CLASSES for each operation called so far */
};

/** The account of an operation and size class, made if necessary.  Null: no memory. */
struct bn_account *bn_ledger_account(struct bn_ledger *ledger, enum bn_mpi_operation operation, unsigned size_class);
void bn_ledger_destroy(struct bn_ledger *ledger);

/** Add another account or ledger to this one.  False: no memory. */
void bn_account_add(struct bn_account *account, const struct bn_account *other);
bool bn_ledger_add(struct bn_ledger *ledger, const struct bn_ledger *other);

/** Who carries out the next call of this size class, if it is a warm-up call; else BN_CARRIER_COUNT. */
enum bn_carrier bn_account_warms(const struct bn_account *account, unsigned size_class);

/** The name in tables and files: "banyan", "mpi", "both", "sockets", "regions". */
const char *bn_carrier_name(enum bn_carrier carrier);

static inline unsigned bn_candidate(enum bn_carrier carrier)
{
    return 1U << carrier;
}

/** Sets who may carry out calls: a bit set of at least two, the same for all calls of an account.  What an earlier run
 * has learned (host/lessons.h) counts only if it has tried all of them. */
void bn_account_admit(struct bn_account *account, unsigned candidates);

/** Who carries out the next call. */
enum bn_carrier bn_account_turn(const struct bn_account *account);

/** Records the time of a trial call.  True: the round is over, and the members must agree (bn_account_agree). */
bool bn_account_try(struct bn_account *account, enum bn_carrier carrier, double ns);

/** The medians of this member so far; 0: no samples. */
void bn_account_medians(const struct bn_account *account, double median_ns[BN_CARRIER_COUNT]);

/** Ends a round with the medians of the slowest member, the same on all members. */
void bn_account_agree(struct bn_account *account, const double median_ns[BN_CARRIER_COUNT]);

/** Records a call that has been carried out; ns 0: not timed. */
void bn_account_enter(struct bn_account *account, enum bn_carrier carrier, enum bn_mpi_reason reason, size_t nbytes,
                      double ns);

#ifdef __cplusplus
}
#endif

#endif
