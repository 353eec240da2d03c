#include "made_up.h"

#include <gtest/gtest.h>

#include <sstream>

TEST(ProfileTable, HasEachOperationWithSpreadAndDistances)
{
    std::string table = MadeUp().written(bn_profile_write_table);
    EXPECT_NE(table.find("2 threads on 2 nodes, 2.000 s\n"), std::string::npos) << table;
    EXPECT_NE(table.find("\nget                      40   4.0 kB    1.00    2.00    3.00  1.5  25    0  75\n"),
              std::string::npos)
        << table;
    EXPECT_NE(table.find("\n  by push/flat/whole "), std::string::npos);
    EXPECT_EQ(table.find("barrier"), std::string::npos);
}

// 201 ms of 2 s and 403 ms of 1 s
TEST(ProfileTable, SaysWhichPartOfTheTimeItIs)
{
    std::string table = MadeUp().written(bn_profile_write_table);
    EXPECT_NE(table.find("In what is below: 20.1 % of the time (threads: 10.1 to 40.3 %)\n"), std::string::npos)
        << table;
}

TEST(ProfileTable, CutsPathsAtFolders)
{
    std::string table = MadeUp().written(bn_profile_write_table);
    EXPECT_NE(table.find("\nlong/name.upc:42 "), std::string::npos) << table;
    EXPECT_NE(table.find("\nin function f "), std::string::npos);
    EXPECT_EQ(table.find("Compile with upcc -g"), std::string::npos);  // one place has a line
}

TEST(ProfileTable, MatrixAddsWhatWasTakenAndGiven)
{
    std::string table = MadeUp().written(bn_profile_write_table);
    EXPECT_NE(table.find("\nfrom\\to        0        1\n      0        .        .\n      1   1.3 kB        .\n"),
              std::string::npos)
        << table;
}

TEST(ProfileTable, FitsLinesOf79AndLargeNumbers)
{
    MadeUp made_up;
    made_up.add(BN_PROFILE_READ_BY_INDEX, {UINT64_C(12345678901234), UINT64_C(1) << 60, 1e16}, {1, 1, 1});
    std::istringstream lines(made_up.written(bn_profile_write_table));
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 79U) << line;
        EXPECT_TRUE(line.empty() || line.back() != ' ') << '"' << line << '"';
    }
}

TEST(ProfileTable, SaysWhatIsNotSeenUnlessItIs)
{
    MadeUp made_up;
    EXPECT_NE(made_up.written(bn_profile_write_table).find("Not seen: "), std::string::npos);
    made_up.add(BN_PROFILE_ACCESS, {5, 20, 0}, {0, 0, 0});
    std::string table = made_up.written(bn_profile_write_table);
    EXPECT_EQ(table.find("Not seen: "), std::string::npos);
    EXPECT_NE(table.find("\naccess                    5     20 B       -       -       -"), std::string::npos) << table;
}
