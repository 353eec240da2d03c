#include "host/ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace {

constexpr unsigned kTwo = 1 << BN_BY_ENGINE | 1 << BN_BY_LIBRARY, kThree = kTwo | 1 << BN_BY_BOTH;
constexpr unsigned kAll = kThree | 1 << BN_BY_SOCKETS | 1 << BN_BY_REGIONS;

// Makes calls until the account is decided, with these times by carrier; returns the number of calls of each carrier.
std::array<unsigned, BN_CARRIER_COUNT> learn(bn_account* account, unsigned candidates,
                                             std::array<double, BN_CARRIER_COUNT> ns)
{
    std::array<unsigned, BN_CARRIER_COUNT> calls{};
    bn_account_admit(account, candidates);
    for (unsigned call = 0; !account->is_decided; call++) {
        bn_carrier carrier = bn_account_turn(account);
        bool is_first = calls[carrier]++ % BN_TRIAL_BLOCK == 0;
        if (bn_account_try(account, carrier, is_first ? 1e9 : ns[carrier])) {
            std::array<double, BN_CARRIER_COUNT> medians{};
            bn_account_medians(account, medians.data());
            for (size_t i = 0; i < medians.size(); i++)
                EXPECT_EQ(medians[i], (candidates >> i & 1) ? ns[i] : 0);
            bn_account_agree(account, medians.data());
        }
        EXPECT_LT(call, 100U);
    }
    return calls;
}

using Calls = std::array<unsigned, BN_CARRIER_COUNT>;

TEST(Ledger, KeepsTheFasterAfterAllTrials)
{
    bn_account account = {};
    EXPECT_EQ(learn(&account, kTwo, {100, 128}), (Calls{8, 8, 0}));
    EXPECT_EQ(bn_account_turn(&account), BN_BY_ENGINE);
    account = {};
    EXPECT_EQ(learn(&account, kTwo, {128, 100}), (Calls{8, 8, 0}));
    EXPECT_EQ(bn_account_turn(&account), BN_BY_LIBRARY);
    account = {};
    EXPECT_EQ(learn(&account, kThree, {128, 100, 90}), (Calls{8, 8, 8}));
    EXPECT_EQ(bn_account_turn(&account), BN_BY_BOTH);
    account = {};
    EXPECT_EQ(learn(&account, 1 << BN_BY_ENGINE | 1 << BN_BY_BOTH, {80, 0, 90}), (Calls{8, 0, 8}));
    EXPECT_EQ(bn_account_turn(&account), BN_BY_ENGINE);
    account = {};
    EXPECT_EQ(learn(&account, kAll, {110, 300, 120, 100, 105}), (Calls{8, 4, 8, 8, 8}));
    EXPECT_EQ(bn_account_turn(&account), BN_BY_SOCKETS);
}

TEST(Ledger, HalfTheTrialsDoWhereThereIsNoDoubt)
{
    bn_account account = {};
    EXPECT_EQ(learn(&account, kTwo, {100, 201}), (Calls{4, 4, 0}));
    EXPECT_EQ(bn_account_turn(&account), BN_BY_ENGINE);
    account = {};
    EXPECT_EQ(learn(&account, kThree, {201, 100, 1000}), (Calls{4, 4, 4}));
    EXPECT_EQ(bn_account_turn(&account), BN_BY_LIBRARY);
    account = {};  // one carrier is out, the other two are still undecided
    EXPECT_EQ(learn(&account, kThree, {120, 300, 100}), (Calls{8, 4, 8}));
    EXPECT_EQ(bn_account_turn(&account), BN_BY_BOTH);
}

TEST(Ledger, WhatWasLearnedCountsIfAllWereTried)
{
    bn_account learned = {};
    learn(&learned, kTwo, {100, 201});
    bn_account account = {};
    account.is_decided = true;
    account.choice = learned.choice;
    std::copy_n(learned.median_ns, int{BN_CARRIER_COUNT}, account.median_ns);
    bn_account again = account;
    bn_account_admit(&again, kTwo);
    EXPECT_TRUE(again.is_decided);
    again = account;
    bn_account_admit(&again, kThree);
    EXPECT_FALSE(again.is_decided);
    again = account;
    bn_account_admit(&again, 1 << BN_BY_LIBRARY | 1 << BN_BY_BOTH);
    EXPECT_FALSE(again.is_decided);
}

TEST(Ledger, LittleDataWarmUp)
{
    bn_account account = {};
    bn_account_admit(&account, kThree);
    EXPECT_EQ(bn_account_warms(&account, BN_WARM_CLASS + 1), BN_CARRIER_COUNT);
    for (int call = 0; call < BN_WARM_CALLS; call++, account.warm_calls++)
        EXPECT_EQ(bn_account_warms(&account, call % 2 == 0 ? BN_WARM_CLASS : BN_LEDGER_NO_SIZE), BN_BY_ENGINE);
    EXPECT_EQ(bn_account_warms(&account, 0), BN_CARRIER_COUNT);
    account = {};
    account.is_decided = true;
    EXPECT_EQ(bn_account_warms(&account, 0), BN_CARRIER_COUNT);
}

TEST(Ledger, TheLibraryWarmsUpToo)
{
    bn_account account = {};
    bn_account_admit(&account, kTwo);
    account.warm_calls = BN_WARM_CALLS;
    EXPECT_EQ(bn_account_warms(&account, BN_WARM_LIBRARY_CLASS + 1), BN_CARRIER_COUNT);
    EXPECT_EQ(bn_account_warms(&account, BN_LEDGER_NO_SIZE), BN_CARRIER_COUNT);
    for (int call = 0; call < BN_WARM_CALLS; call++, account.warm_calls++)
        EXPECT_EQ(bn_account_warms(&account, BN_WARM_LIBRARY_CLASS), BN_BY_LIBRARY);
    EXPECT_EQ(bn_account_warms(&account, 0), BN_CARRIER_COUNT);
}

TEST(Ledger, OddTimesDoNotCount)
{
    bn_account account = {};
    bn_account_admit(&account, kTwo);
    for (unsigned call = 0; call < 2 * BN_TRIAL_BLOCK; call++) {
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
