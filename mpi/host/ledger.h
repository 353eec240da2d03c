/*
 * ledger.h: what the calls on a communicator were, who carried them out, and who will: an account for each operation
 * and class of sizes.
 *
 * While an account learns, calls go to each candidate in turn, in blocks of a few, by their number, which is the same
 * on all members; the first of a block is not counted, since it finds the members as the other one has left them.  The
 * first calls of all are not counted either, since they touch memory that is used again, and the library makes short
 * cuts for who has sent often.  After a block of each the members agree on the slowest member's median of each, and
 * those of whom there is no doubt are out; if some are left, the fastest after another block of each is kept.
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
    BN_LEDGER_CLASSES = 65, /* of sizes, as bn_size_class counts them; the last: the size is not known */
    BN_LEDGER_NO_SIZE = BN_LEDGER_CLASSES - 1,
    BN_WARM_CALLS = 20, /* by the engine, before anything is tried: more than its slots are; of at most */
    BN_WARM_CLASS = 16, /* 64 KiB */
    /* and then by the library, on one machine: Open MPI makes boxes for small messages after 16 of them; of at most */
    BN_WARM_LIBRARY_CLASS = 12, /* 4 KiB */
    BN_TRIAL_BLOCK = 4,         /* calls that go the same way in a row */
    BN_TRIAL_ROUNDS = 2,
    BN_TRIAL_SAMPLES = (BN_TRIAL_BLOCK - 1) * BN_TRIAL_ROUNDS, /* of each carrier */
};

struct bn_account {
    bool is_decided;
    enum bn_carrier choice;                  /* if so */
    double median_ns[BN_CARRIER_COUNT];      /* of the slowest member, as agreed; 0: never tried */
    struct bn_tally by[BN_CARRIER_COUNT];    /* time in ns */
    uint64_t by_reason[BN_MPI_REASON_COUNT]; /* calls that were not ours */
    unsigned candidates;                     /* sum of bn_candidate of those that are still tried; 0: not known yet */
    unsigned warm_calls, trial_calls, trial_rounds; /* calls of this round, and rounds before it */
    unsigned sample_count[BN_CARRIER_COUNT];
    float samples[BN_CARRIER_COUNT][BN_TRIAL_SAMPLES];
};

/* All zero: nothing has been called yet. */
struct bn_ledger {
    struct bn_account *accounts[BN_MPI_OPERATION_COUNT]; /* BN_LEDGER_CLASSES of each that has been called */
};

/** The account of an operation and a class.  Null: no memory. */
struct bn_account *bn_ledger_account(struct bn_ledger *ledger, enum bn_mpi_operation operation, unsigned size_class);
void bn_ledger_destroy(struct bn_ledger *ledger);

/** Adds what is in another one; false: no memory. */
void bn_account_add(struct bn_account *account, const struct bn_account *other);
bool bn_ledger_add(struct bn_ledger *ledger, const struct bn_ledger *other);

/** Who carries out the next call, of a class of sizes, if that only warms up; else BN_CARRIER_COUNT. */
enum bn_carrier bn_account_warms(const struct bn_account *account, unsigned size_class);

/** As in tables and files: "banyan", "mpi", "both", "sockets", "regions". */
const char *bn_carrier_name(enum bn_carrier carrier);

static inline unsigned bn_candidate(enum bn_carrier carrier)
{
    return 1U << carrier;
}

/** Who may carry out calls: more than one; the same for all calls of an account.  What an earlier run has learned
 * (host/lessons.h) counts if it has tried all of them. */
void bn_account_admit(struct bn_account *account, unsigned candidates);

/** Who carries out the next call. */
enum bn_carrier bn_account_turn(const struct bn_account *account);

/** A call of an account that is not decided has taken so long.  True: now the members agree (bn_account_agree). */
bool bn_account_try(struct bn_account *account, enum bn_carrier carrier, double ns);

/** The medians of this member so far. */
void bn_account_medians(const struct bn_account *account, double median_ns[BN_CARRIER_COUNT]);

/** What the slowest member's are. */
void bn_account_agree(struct bn_account *account, const double median_ns[BN_CARRIER_COUNT]);

/** A call has been carried out; ns 0: not timed. */
void bn_account_enter(struct bn_account *account, enum bn_carrier carrier, enum bn_mpi_reason reason, size_t nbytes,
                      double ns);

#ifdef __cplusplus
}
#endif

#endif
