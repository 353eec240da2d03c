#include "host/report.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr double kMs = 1e6;  // ns

// The numbers of the row that the table has for a broadcast with this account
std::vector<std::string> row_of(const bn_account& account)
{
    bn_report_row row = {};
    row.size = 2;
    row.communicators = 1;
    row.operation = BN_MPI_BCAST;
    row.size_class = 3;
    row.account = account;
    bn_report_facts facts = {"a library", 2};
    testing::internal::CaptureStderr();
    bn_report_write(&row, 1, &facts);
    std::string table = testing::internal::GetCapturedStderr();
    std::istringstream line(table.substr(table.find("BCAST")));
    std::vector<std::string> words;
    for (std::string word; line >> word;)
        words.push_back(word);
    return words;
}

enum { CALLS = 3, MS = 7, OTHER };  // BCAST 8 B calls Banyan's MPI's MB ms other

bn_account busy()
{
    bn_account account = {};
    account.by[BN_BY_ENGINE].calls = 100;
    account.by[BN_BY_ENGINE].time = static_cast<uint64_t>(2000 * kMs);  // 20 ms each, in the mean
    account.median_ns[BN_BY_ENGINE] = 1 * kMs;
    account.median_ns[BN_BY_LIBRARY] = 3 * kMs;
    return account;
}

TEST(Report, TheOtherWayIsToTheTimeAsTheMediansAreToEachOther)
{
    std::vector<std::string> row = row_of(busy());
    EXPECT_EQ(row[CALLS], "100");
    EXPECT_EQ(row[MS], "2000.000");
    EXPECT_EQ(row[OTHER], "6000.000");
}

TEST(Report, TrialsOfBothAreTurnedRound)
{
    bn_account account = busy();
    account.by[BN_BY_LIBRARY].calls = 4;
    account.by[BN_BY_LIBRARY].time = static_cast<uint64_t>(90 * kMs);
    EXPECT_EQ(row_of(account)[OTHER], "6030.000");
}

TEST(Report, WithoutTrialsTheOtherWayIsUnknown)
{
    bn_account account = busy();
    account.median_ns[BN_BY_LIBRARY] = 0;
    EXPECT_EQ(row_of(account)[OTHER], "-");
}

TEST(Report, ATimeWithoutTrialsOfItsOwnIsThatOfTheOthersTrials)
{
    bn_account account = busy();
    account.median_ns[BN_BY_ENGINE] = 0;
    EXPECT_EQ(row_of(account)[OTHER], "300.000");
}

}  // namespace
