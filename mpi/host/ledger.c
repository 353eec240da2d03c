#include "host/ledger.h"

#include <stdlib.h>
#include <string.h>

/* Half of the blocks are enough if one takes so many times as long as the other. */
static const double no_doubt = 2;

struct bn_account *bn_ledger_account(struct bn_ledger *ledger, enum bn_mpi_operation operation, unsigned size_class)
{
    struct bn_account **accounts = &ledger->accounts[operation];
    if (!*accounts)
        *accounts = calloc(BN_LEDGER_CLASSES, sizeof **accounts);
    return *accounts ? *accounts + size_class : NULL;
}

void bn_ledger_destroy(struct bn_ledger *ledger)
{
    for (int operation = 0; operation < BN_MPI_OPERATION_COUNT; operation++)
        free(ledger->accounts[operation]);
    *ledger = (struct bn_ledger){0};
}

void bn_account_add(struct bn_account *account, const struct bn_account *other)
{
    for (int carrier = 0; carrier < BN_CARRIER_COUNT; carrier++) {
        bn_tally_add(&account->by[carrier], &other->by[carrier]);
        if (other->is_decided)
            account->median_ns[carrier] = other->median_ns[carrier];
    }
    for (int reason = 0; reason < BN_MPI_REASON_COUNT; reason++)
        account->by_reason[reason] += other->by_reason[reason];
    account->is_decided |= other->is_decided;
    account->choice = other->is_decided ? other->choice : account->choice;
}

bool bn_ledger_add(struct bn_ledger *ledger, const struct bn_ledger *other)
{
    for (int operation = 0; operation < BN_MPI_OPERATION_COUNT; operation++) {
        if (!other->accounts[operation])
            continue;
        struct bn_account *accounts = bn_ledger_account(ledger, (enum bn_mpi_operation)operation, 0);
        if (!accounts)
            return false;
        for (int size_class = 0; size_class < BN_LEDGER_CLASSES; size_class++)
            bn_account_add(accounts + size_class, other->accounts[operation] + size_class);
    }
    return true;
}

bool bn_account_try(struct bn_account *account, enum bn_carrier carrier, double ns)
{
    unsigned in_block = account->trial_calls++ % BN_TRIAL_BLOCK;
    if (in_block > 0)
        account->samples[carrier][account->sample_count[carrier]++] = (float)ns;
    unsigned calls = BN_TRIAL_BLOCK * BN_TRIAL_BLOCKS;
    return account->trial_calls == calls / 2 || account->trial_calls == calls;
}

static int compare(const void *left, const void *right)
{
    float difference = *(const float *)left - *(const float *)right;
    return (difference > 0) - (difference < 0);
}

void bn_account_medians(const struct bn_account *account, double median_ns[BN_CARRIER_COUNT])
{
    for (int carrier = 0; carrier < BN_CARRIER_COUNT; carrier++) {
        float sorted[BN_TRIAL_SAMPLES];
        unsigned count = account->sample_count[carrier];
        memcpy(sorted, account->samples[carrier], count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, compare);
        median_ns[carrier] = count == 0 ? 0 : ((double)sorted[(count - 1) / 2] + (double)sorted[count / 2]) / 2;
    }
}

void bn_account_agree(struct bn_account *account, const double median_ns[BN_CARRIER_COUNT])
{
    double engine = median_ns[BN_BY_ENGINE], library = median_ns[BN_BY_LIBRARY];
    bool is_clear = engine > library * no_doubt || library > engine * no_doubt;
    account->choice = engine <= library ? BN_BY_ENGINE : BN_BY_LIBRARY;
    account->is_decided = is_clear || account->trial_calls == BN_TRIAL_BLOCK * BN_TRIAL_BLOCKS;
    memcpy(account->median_ns, median_ns, sizeof account->median_ns);
}

void bn_account_enter(struct bn_account *account, enum bn_carrier carrier, enum bn_mpi_reason reason, size_t nbytes,
                      double ns)
{
    const struct bn_tally call = {1, nbytes, ns > 0, (uint64_t)ns};
    bn_tally_add(&account->by[carrier], &call);
    if (carrier == BN_BY_LIBRARY)
        account->by_reason[reason]++;
}
