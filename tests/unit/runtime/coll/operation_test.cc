#include "coll/random_calls.h"

#include <chrono>
#include <cstdio>

namespace {

const int kSizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 13, 16};

long cases_wanted()
{
    const char* text = getenv("BANYAN_TEST_CASES");
    return text ? atol(text) : 5000;
}

// Every failure can be repeated: BANYAN_TEST_SEED=<seed of the message> BANYAN_TEST_CASES=1
unsigned first_seed()
{
    const char* text = getenv("BANYAN_TEST_SEED");
    return text ? static_cast<unsigned>(atol(text)) : 1;
}

TEST(Operation, RandomCallsDoWhatTheyMean)
{
    long wanted = cases_wanted();
    long done = 0;
    for (unsigned seed = first_seed(); done < wanted && !testing::Test::HasFailure(); seed++) {
        int members = kSizes[seed % (sizeof kSizes / sizeof kSizes[0])];
        Layout layout = static_cast<Layout>(seed / 10 % static_cast<unsigned>(Layout::kCount));
        int tree_max = seed / 7 % 2 ? 64 : 0;
        World world(members, layout, true, tree_max, seed % 3 ? BN_WAIT_AUTO : BN_WAIT_SLEEP);
        for (unsigned part = 0; part < 4; part++) {
            Series series(world, seed * 4 + part);
            static const size_t kLimits[] = {0, 20000, SIZE_MAX, SIZE_MAX, SIZE_MAX};
            world.buffer_limit = kLimits[seed % 5];
            SCOPED_TRACE("seed " + std::to_string(seed));
            world.run([&series](bn_team* team) { series.run(team); });
            done += static_cast<long>(series.calls.size());
        }
    }
    RecordProperty("cases", std::to_string(done));
}

// Rounds and nodes beyond the places of a slot
TEST(Operation, LargeTeamsReduce)
{
    for (int members : {17, 33, 40}) {
        for (int layout = 0; layout < static_cast<int>(Layout::kCount); layout++) {
            for (int tree_max : {0, 64}) {
                World world(members, static_cast<Layout>(layout), true, tree_max);
                Series series(world, static_cast<unsigned>(members + layout), "/");
                std::erase_if(series.calls, [](const RandomCall& one) { return !one.is_reduction() && !one.is_barrier(); });
                world.run([&series](bn_team* team) { series.run(team); });
                ASSERT_FALSE(HasFailure());
            }
        }
    }
}

TEST(Operation, EveryEntryHasANameOfItsOwn)
{
    for (int operation = 0; operation < BN_OPERATION_COUNT; operation++) {
        int count;
        const bn_entry* entries = bn_registry(static_cast<bn_operation>(operation), &count);
        ASSERT_GT(count, 0);
        for (int i = 0; i < count; i++)
            EXPECT_EQ(bn_registry_find(static_cast<bn_operation>(operation), entries[i].name), &entries[i]);
        EXPECT_EQ(entries[0].max_bytes, 0u) << "the first entry always can";
    }
}

TEST(Operation, NobodyWaitsForAnybodyWithoutSynchronisation)
{
    World world(3, Layout::kOneRegion, false, 64);
    bn_call call = {};
    call.src = reinterpret_cast<uint64_t>(world.memory(0));
    call.dst = call.src + 4096;
    call.nbytes = 100;
    call.in = call.out = BN_SYNC_NO;
    // One member alone would wait for ever if it waited at all.
    for (bn_operation operation : {BN_BROADCAST, BN_SCATTER, BN_GATHER, BN_GATHER_ALL, BN_EXCHANGE})
        ASSERT_EQ(bn_operation_run(&world.teams[1], operation, &call), BN_OK);
}

TEST(Operation, RootReturnsBeforeTheOthersComeWhereDataAreInline)
{
    World world(3, Layout::kOneRegion, false, 64);
    bn_call call = {};
    call.src = reinterpret_cast<uint64_t>(world.memory(0));
    call.dst = call.src + 4096;
    call.nbytes = 8;
    call.in = call.out = BN_SYNC_MY;
    ASSERT_EQ(bn_operation_run(&world.teams[0], BN_BROADCAST, &call), BN_OK);
}

TEST(Operation, FastRootLeavesWhatOthersHaveYetToRead)
{
    constexpr int kCalls = 5 * BN_TEAM_WINDOW;
    World world(2, Layout::kOneRegion, false, 64);
    world.run([&world](bn_team* team) {
        if (team->rank == 1)
            usleep(20000); // the root gets as far ahead as it can
        for (int i = 0; i < kCalls; i++) {
            bn_call call = {};
            call.src = reinterpret_cast<uint64_t>(world.memory(0));
            call.dst = reinterpret_cast<uint64_t>(world.memory(0) + 64 + 64 * i);
            call.nbytes = sizeof i;
            call.in = call.out = BN_SYNC_MY;
            if (team->rank == 0)
                memcpy(world.memory(0), &i, sizeof i);
            ASSERT_TRUE(bn_plans_force(team, BN_BROADCAST, "pull/flat/inline"));
            ASSERT_EQ(bn_operation_run(team, BN_BROADCAST, &call), BN_OK);
            ASSERT_EQ(memcmp(world.memory(team->rank) + 64 + 64 * i, &i, sizeof i), 0) << "call " << i;
        }
    });
}

TEST(Operation, ForcedEntryThatCannotCarryTheCallIsAnError)
{
    World world(1, Layout::kOneRegion, false, 64);
    bn_call call = {};
    call.src = reinterpret_cast<uint64_t>(world.memory(0));
    call.dst = call.src + 4096;
    call.nbytes = 65;
    ASSERT_TRUE(bn_plans_force(&world.teams[0], BN_BROADCAST, "pull/flat/inline"));
    testing::internal::CaptureStderr();
    EXPECT_NE(bn_operation_run(&world.teams[0], BN_BROADCAST, &call), BN_OK);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("cannot carry more than 64 bytes"), std::string::npos);
    call.nbytes = 64;
    EXPECT_EQ(bn_operation_run(&world.teams[0], BN_BROADCAST, &call), BN_OK);
    EXPECT_FALSE(bn_plans_force(&world.teams[0], BN_BROADCAST, "pull/nothing"));
}

TEST(Operation, PermutationThatLeavesTheTeamIsAnError)
{
    for (int to : {-1, 1}) {
        World world(1, Layout::kOneRegion, false, 64);
        bn_call call = {};
        call.src = reinterpret_cast<uint64_t>(world.memory(0));
        call.dst = call.src + 4096;
        call.perm = call.src + 8192;
        call.nbytes = 8;
        memcpy(world.memory(0) + 8192, &to, sizeof to);
        memset(world.memory(0), 1, 8);
        testing::internal::CaptureStderr();
        EXPECT_EQ(bn_operation_run(&world.teams[0], BN_PERMUTE, &call), BN_ERR_INVALID);
        EXPECT_NE(testing::internal::GetCapturedStderr().find("sends a block to"), std::string::npos);
        EXPECT_EQ(world.memory(0)[4096], 0);
    }
}

} // namespace
