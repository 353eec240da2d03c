#include "host/ledger.h"

#include <stdlib.h>
#include <string.h>

/* A candidate this many times slower than the fastest is out after one round. */
static const double no_doubt = 2;

const char *bn_carrier_name(enum bn_carrier carrier)
{
    static const char *const names[BN_CARRIER_COUNT] = {"banyan", "mpi", "both", "sockets", "regions"};
    return names[carrier];
}

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

static bool is_candidate(const struct bn_account *account, int carrier)
{
    return (account->candidates & bn_candidate((enum bn_carrier)carrier)) != 0;
}

void bn_account_admit(struct bn_account *account, unsigned candidates)
{
    if (account->candidates != 0)
        return;
    account->candidates = candidates;
    for (int carrier = 0; carrier < BN_CARRIER_COUNT; carrier++)
        account->is_decided &= !is_candidate(account, carrier) || account->median_ns[carrier] > 0;
    account->is_decided &= is_candidate(account, (int)account->choice);
}

enum bn_carrier bn_account_warms(const struct bn_account *account, unsigned size_class)
{
    const unsigned on_one_machine = bn_candidate(BN_BY_ENGINE) | bn_candidate(BN_BY_LIBRARY);
    bool warms_engine = size_class <= BN_WARM_CLASS || size_class == BN_LEDGER_NO_SIZE;
    bool warms_library = size_class <= BN_WARM_LIBRARY_CLASS && account->candidates == on_one_machine;
    if (account->is_decided || account->trial_calls + account->trial_rounds > 0)
        return BN_CARRIER_COUNT;
    if (warms_engine && account->warm_calls < BN_WARM_CALLS)
        return BN_BY_ENGINE;
    return warms_library && account->warm_calls < 2 * BN_WARM_CALLS ? BN_BY_LIBRARY : BN_CARRIER_COUNT;
}

enum bn_carrier bn_account_turn(const struct bn_account *account)
{
    if (account->is_decided)
        return account->choice;
    unsigned left = account->candidates;
    for (unsigned block = account->trial_calls / BN_TRIAL_BLOCK; block > 0; block--)
        left &= left - 1;
    return (enum bn_carrier)__builtin_ctz(left);
}

bool bn_account_try(struct bn_account *account, enum bn_carrier carrier, double ns)
{
    unsigned in_block = account->trial_calls++ % BN_TRIAL_BLOCK;
    if (in_block > 0)
        account->samples[carrier][account->sample_count[carrier]++] = (float)ns;
    return account->trial_calls == BN_TRIAL_BLOCK * (unsigned)__builtin_popcount(account->candidates);
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

/* The fastest of the candidates */
static enum bn_carrier fastest(const struct bn_account *account, const double *median_ns)
{
    int best = -1;
    for (int carrier = 0; carrier < BN_CARRIER_COUNT; carrier++)
        if (is_candidate(account, carrier) && (best < 0 || median_ns[carrier] < median_ns[best]))
            best = carrier;
    return (enum bn_carrier)best;
}

void bn_account_agree(struct bn_account *account, const double median_ns[BN_CARRIER_COUNT])
{
    account->choice = fastest(account, median_ns);
    account->trial_calls = 0;
    account->trial_rounds++;
    for (int carrier = 0; carrier < BN_CARRIER_COUNT; carrier++)
        if (median_ns[carrier] > median_ns[account->choice] * no_doubt)
            account->candidates &= ~bn_candidate((enum bn_carrier)carrier);
    account->is_decided =
        account->trial_rounds == BN_TRIAL_ROUNDS || account->candidates == bn_candidate(account->choice);
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
