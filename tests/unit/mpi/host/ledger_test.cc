#include "host/ledger.h"

#include <gtest/gtest.h>

namespace {

// Calls an account until it is decided, with these times; returns how many calls that took.
unsigned learn(bn_account* account, double engine_ns, double library_ns)
{
    unsigned calls = 0;
    while (!account->is_decided) {
        bn_carrier carrier = bn_account_turn(account);
        EXPECT_EQ(carrier, calls / BN_TRIAL_BLOCK % 2 == 0 ? BN_BY_ENGINE : BN_BY_LIBRARY);
        bool is_first = calls++ % BN_TRIAL_BLOCK == 0;
        double ns = carrier == BN_BY_ENGINE ? engine_ns : library_ns;
        if (bn_account_try(account, carrier, is_first ? 1e9 : ns)) {
            double medians[BN_CARRIER_COUNT];
            bn_account_medians(account, medians);
            EXPECT_EQ(medians[BN_BY_ENGINE], engine_ns);
            EXPECT_EQ(medians[BN_BY_LIBRARY], library_ns);
            bn_account_agree(account, medians);
        }
        EXPECT_LT(calls, 100U);
    }
    return calls;
}

TEST(Ledger, KeepsTheFasterAfterAllTrials)
{
    bn_account account = {};
    EXPECT_EQ(learn(&account, 100, 128), BN_TRIAL_BLOCK * BN_TRIAL_BLOCKS);
    EXPECT_EQ(bn_account_turn(&account), BN_BY_ENGINE);
    account = {};
    learn(&account, 128, 100);
    EXPECT_EQ(bn_account_turn(&account), BN_BY_LIBRARY);
}

TEST(Ledger, HalfTheTrialsDoWhereThereIsNoDoubt)
{
    bn_account account = {};
    EXPECT_EQ(learn(&account, 100, 201), BN_TRIAL_BLOCK * BN_TRIAL_BLOCKS / 2);
    EXPECT_EQ(bn_account_turn(&account), BN_BY_ENGINE);
    account = {};
    EXPECT_EQ(learn(&account, 201, 100), BN_TRIAL_BLOCK * BN_TRIAL_BLOCKS / 2);
    EXPECT_EQ(bn_account_turn(&account), BN_BY_LIBRARY);
}

TEST(Ledger, LittleDataWarmUp)
{
    bn_account account = {};
    EXPECT_FALSE(bn_account_warms(&account, BN_WARM_CLASS + 1));
    for (int call = 0; call < BN_WARM_CALLS; call++, account.warm_calls++)
        EXPECT_TRUE(bn_account_warms(&account, call % 2 == 0 ? BN_WARM_CLASS : BN_LEDGER_NO_SIZE));
    EXPECT_FALSE(bn_account_warms(&account, 0));
    account = {};
    account.is_decided = true;
    EXPECT_FALSE(bn_account_warms(&account, 0));
}

TEST(Ledger, OddTimesDoNotCount)
{
    bn_account account = {};
    for (unsigned call = 0; call < BN_TRIAL_BLOCK * BN_TRIAL_BLOCKS / 2; call++) {
        bn_carrier carrier = bn_account_turn(&account);
        bool is_odd = call % BN_TRIAL_BLOCK == 2;
        bn_account_try(&account, carrier, is_odd ? 1e7 : carrier == BN_BY_ENGINE ? 10 : 11);
    }
    double medians[BN_CARRIER_COUNT];
    bn_account_medians(&account, medians);
    EXPECT_EQ(medians[BN_BY_ENGINE], 10);
    EXPECT_EQ(medians[BN_BY_LIBRARY], 11);
}

TEST(Ledger, AddsUpWhatWasCalled)
{
    bn_ledger sum = {}, one = {};
    bn_account* account = bn_ledger_account(&one, BN_MPI_SCAN, 3);
    bn_account_enter(account, BN_BY_ENGINE, BN_MPI_OURS, 8, 100);
    bn_account_enter(account, BN_BY_LIBRARY, BN_MPI_GAPS, 5, 50);
    ASSERT_TRUE(bn_ledger_add(&sum, &one));
    ASSERT_TRUE(bn_ledger_add(&sum, &one));
    const bn_account* total = bn_ledger_account(&sum, BN_MPI_SCAN, 3);
    EXPECT_EQ(total->by[BN_BY_ENGINE].calls, 2U);
    EXPECT_EQ(total->by[BN_BY_ENGINE].bytes, 16U);
    EXPECT_EQ(total->by[BN_BY_LIBRARY].time, 100U);
    EXPECT_EQ(total->by_reason[BN_MPI_GAPS], 2U);
    EXPECT_EQ(total->by_reason[BN_MPI_OURS], 0U);
    EXPECT_EQ(bn_ledger_account(&sum, BN_MPI_SCAN, 4)->by[BN_BY_ENGINE].calls, 0U);
    bn_ledger_destroy(&sum);
    bn_ledger_destroy(&one);
}

TEST(Ledger, EveryReasonHasWords)
{
    for (int reason = 0; reason < BN_MPI_REASON_COUNT; reason++)
        EXPECT_NE(bn_mpi_reason_text(static_cast<bn_mpi_reason>(reason)), nullptr) << reason;
}

}  // namespace
