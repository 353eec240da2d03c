// Memory allocated by another library of the process, within the memory of a team
#include "blocks.h"
#include "processes.h"

#include <cstring>
#include <thread>

namespace {

const char* const kLibrary = "libbanyan-test-blocks.so";
const size_t kBytes = 100000;

bool is_full_of(const void* block, int byte)
{
    const unsigned char* bytes = static_cast<const unsigned char*>(block);
    return bytes[0] == byte && memcmp(bytes, bytes + 1, kBytes - 1) == 0;
}

TEST(Adopt, BlocksOfALibraryAreShared)
{
    in_team(2, [](banyan_team* team) {
        void* before = blocks_new(kBytes);
        ASSERT_EQ(banyan_adopt(team, kLibrary), BANYAN_OK) << banyan_error();
        void *block = blocks_new(kBytes), *small = blocks_new(1000), *huge = blocks_new(33 << 20);
        EXPECT_TRUE(banyan_is_shared(team, block, kBytes));
        EXPECT_FALSE(banyan_is_shared(team, before, kBytes));
        EXPECT_FALSE(banyan_is_shared(team, small, 1000));
        EXPECT_FALSE(banyan_is_shared(team, huge, 33 << 20));
        int rank = banyan_team_rank(team);
        for (int call = 0; call < 20; call++) {
            memset(block, rank + 1, kBytes);
            ASSERT_EQ(banyan_allreduce(team, nullptr, block, kBytes, BANYAN_UINT8, BANYAN_SUM), BANYAN_OK);
            EXPECT_TRUE(is_full_of(block, 3));
        }
        std::thread([=] { blocks_delete(block); }).join();
        void* again = blocks_new(kBytes);
        EXPECT_EQ(again, block);
        for (void* each : {before, again, small, huge})
            blocks_delete(each);
    });
}

TEST(Adopt, AChildHasCopies)
{
    in_team(2, [](banyan_team* team) {
        ASSERT_EQ(banyan_adopt(team, kLibrary), BANYAN_OK) << banyan_error();
        void* blocks[3];
        for (int i = 0; i < 3; i++)
            memset(blocks[i] = blocks_new(kBytes), i, kBytes);
        blocks_delete(blocks[1]);
        std::vector<int> statuses = in_processes(1, [&](int) {
            EXPECT_TRUE(is_full_of(blocks[0], 0));
            EXPECT_TRUE(is_full_of(blocks[2], 2));
            memset(blocks[0], 9, kBytes);
            blocks_delete(blocks[0]);
            void* own = blocks_new(kBytes);
            EXPECT_FALSE(banyan_is_shared(team, own, kBytes));
            memset(own, 9, kBytes);
            blocks_delete(own);
        });
        EXPECT_EQ(statuses, std::vector<int>(1, 0));
        EXPECT_TRUE(is_full_of(blocks[0], 0));
        EXPECT_TRUE(is_full_of(blocks[2], 2));
        blocks_delete(blocks[0]);
        blocks_delete(blocks[2]);
    });
}

TEST(Adopt, BlocksOutliveTheTeam)
{
    char name[BANYAN_NAME_MAX + 1];
    banyan_team_new_name(name);
    std::vector<int> statuses = in_processes(2, [&name](int rank) {
        for (int round = 0; round < 3; round++) {
            banyan_team* team = nullptr;
            std::string of_round = std::string(name, 32) + std::to_string(round);
            ASSERT_EQ(banyan_team_join(of_round.c_str(), rank, 2, 30, &team), BANYAN_OK) << banyan_error();
            ASSERT_EQ(banyan_adopt(team, kLibrary), BANYAN_OK) << banyan_error();
            EXPECT_EQ(banyan_adopt(team, kLibrary), BANYAN_BUSY);
            void *block = memset(blocks_new(kBytes), 5, kBytes), *other = blocks_new(kBytes);
            banyan_team_leave(team);
            EXPECT_TRUE(is_full_of(block, 5));
            blocks_delete(blocks_new(kBytes));
            blocks_delete(block);
            memset(other, 6, kBytes);
            blocks_delete(other);
        }
    });
    EXPECT_EQ(statuses, std::vector<int>(2, 0));
}

TEST(Adopt, WhatIsNotThereIsSaid)
{
    in_team(2, [](banyan_team* team) {
        EXPECT_EQ(banyan_adopt(team, "libnothing.so"), BANYAN_SYSTEM);
        EXPECT_NE(std::string(banyan_error()).find("libnothing.so"), std::string::npos) << banyan_error();
        EXPECT_EQ(banyan_adopt(team, nullptr), BANYAN_ARGUMENT);
        EXPECT_EQ(banyan_adopt(nullptr, kLibrary), BANYAN_ARGUMENT);
    });
}

TEST(Adopt, NoMoreThanTheOptionSays)
{
    std::vector<int> statuses = in_processes(1, [](int) {
        setenv("BANYAN_ADOPT", "150K", 1);
        in_team(2, [](banyan_team* team) {
            ASSERT_EQ(banyan_adopt(team, kLibrary), BANYAN_OK) << banyan_error();
            void *first = blocks_new(kBytes), *second = blocks_new(kBytes);
            EXPECT_TRUE(banyan_is_shared(team, first, kBytes));
            EXPECT_FALSE(banyan_is_shared(team, second, kBytes));
            blocks_delete(first);
            blocks_delete(second);
        });
    });
    EXPECT_EQ(statuses, std::vector<int>(1, 0));
}

}  // namespace
