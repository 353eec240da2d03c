#include "cases.h"
#include "coll/random_calls.h"
#include "transport/forbid.h"

#include <chrono>
#include <cstdio>

namespace {

const int kSizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 13, 16};

// Every failure can be reproduced: BANYAN_TEST_SEED=<seed in the message> BANYAN_TEST_CASES=1
unsigned first_seed()
{
    const char* text = getenv("BANYAN_TEST_SEED");
    return text ? static_cast<unsigned>(atol(text)) : 1;
}

// The host may have no memory for a team.
void give_stages(World& world, bool has_them)
{
    for (bn_team& team : world.teams)
        team.stages = has_them ? team.stages : nullptr;
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
        give_stages(world, seed / 5 % 3 != 0);
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

// Members are processes with private memory.  The system allows access to it, or refuses it from the start, or for some
// members, or from some series on.
TEST(Operation, RandomCallsOnPrivateMemory)
{
    long wanted = cases_wanted() / 5;
    long done = 0;
    for (unsigned seed = first_seed(); done < wanted && !testing::Test::HasFailure(); seed++) {
        int members = kSizes[seed % (sizeof kSizes / sizeof kSizes[0])];
        Layout layout = static_cast<Layout>(seed / 10 % static_cast<unsigned>(Layout::kCount));
        World world(members, layout, true, seed / 7 % 2 ? 64 : 0, seed % 3 ? BN_WAIT_AUTO : BN_WAIT_SLEEP,
                    World::Members::kProcesses);
        world.buffer_limit = seed % 5 ? SIZE_MAX : 20000;
        give_stages(world, seed / 5 % 3 != 0);
        world.has_shared_buffers = seed % 2;
        unsigned way = seed / 3 % 4;
        world.before_run = [way](int rank) {
            if (way == 1 || (way == 2 && rank % 2 == 1))
                forbid_peer_memory(EPERM);
        };
        Series first(world, seed * 4), second(world, seed * 4 + 1);
        SCOPED_TRACE("seed " + std::to_string(seed));
        world.run([&](bn_team* team) {
            first.run(team);
            if (way == 3 && team->rank % 3 == 1)
                forbid_peer_memory(ENOSYS);
            second.run(team);
        });
        done += static_cast<long>(first.calls.size() + second.calls.size());
    }
}

// More rounds and nodes than a slot has places
TEST(Operation, LargeTeamsReduce)
{
    for (int members : {17, 33, 40}) {
        for (int layout = 0; layout < static_cast<int>(Layout::kCount); layout++) {
            for (int tree_max : {0, 64}) {
                World world(members, static_cast<Layout>(layout), true, tree_max);
                Series series(world, static_cast<unsigned>(members + layout), "/");
                std::erase_if(series.calls,
                              [](const RandomCall& one) { return !one.is_reduction() && !one.is_barrier(); });
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

// Members are as far apart as the window allows; a library may still be busy with a call that a member has left.
TEST(Operation, NativeCallsOneAfterTheOtherTakeTurns)
{
    constexpr int kCalls = 400;
    World world(4, Layout::kOneRegion, true, 64);
    world.run([&world](bn_team* team) {
        ASSERT_TRUE(bn_plans_force(team, BN_BROADCAST, "native"));
        ASSERT_TRUE(bn_plans_force(team, BN_REDUCE_ALL, "native"));
        for (int i = 0; i < kCalls; i++) {
            alignas(16) uint64_t sum[2] = {static_cast<uint64_t>(team->rank + i), 0};
            bn_fold fold = {};
            fold.value = sum;
            fold.is_given = true;
            fold.size_bytes = sizeof sum[0];
            fold.combine = [](void* left, const void* right, const bn_fold*) {
                *static_cast<uint64_t*>(left) += *static_cast<const uint64_t*>(right);
            };
            bn_call call = {};
            call.root = i / 7 % 4;
            call.src = reinterpret_cast<uint64_t>(world.memory(call.root)) + static_cast<uint64_t>(i) * 4;
            call.dst = reinterpret_cast<uint64_t>(world.memory(0)) + 4 * kCalls + static_cast<uint64_t>(i) * 4;
            call.nbytes = 4;
            call.in = call.out = BN_SYNC_NO;
            call.fold = &fold;
            memcpy(world.memory(team->rank) + i * 4, &i, 4);
            ASSERT_EQ(bn_operation_run(team, BN_BROADCAST, &call), BN_OK);
            if (i % 3 == 0) {
                call.nbytes = sizeof sum[0];
                ASSERT_EQ(bn_operation_run(team, BN_REDUCE_ALL, &call), BN_OK);
                ASSERT_EQ(sum[0], 6u + 4u * static_cast<unsigned>(i));
            }
        }
    });
    for (int rank = 0; rank < 4; rank++)
        EXPECT_EQ(memcmp(world.memory(rank), world.memory(rank) + 4 * kCalls, 4 * kCalls), 0) << "rank " << rank;
}

TEST(Operation, NobodyWaitsForAnybodyWithoutSynchronisation)
{
    World world(3, Layout::kOneRegion, false, 64);
    bn_call call = {};
    call.src = reinterpret_cast<uint64_t>(world.memory(0));
    call.dst = call.src + 4096;
    call.nbytes = 100;
    call.in = call.out = BN_SYNC_NO;
    // A single member would wait for ever if it waited at all.
    for (bn_operation operation : {BN_BROADCAST, BN_SCATTER, BN_GATHER, BN_GATHER_ALL, BN_EXCHANGE})
        ASSERT_EQ(bn_operation_run(&world.teams[1], operation, &call), BN_OK);
}

// No barriers with NOSYNC on both sides; one for each side with ALLSYNC; MYSYNC synchronises only partners.
TEST(Operation, EachModePassesTheBarriersThatItMust)
{
    for (bn_operation operation : {BN_BROADCAST, BN_SCATTER, BN_GATHER, BN_PERMUTE}) {
        for (int mode = 0; mode < BN_SYNC_COUNT * BN_SYNC_COUNT; mode++) {
            World world(3, Layout::kOneRegion, false, 64);
            bn_call call = {};
            call.src = reinterpret_cast<uint64_t>(world.memory(0));
            call.dst = call.src + 4096;
            call.perm = call.src + 8192;
            call.nbytes = 100;
            call.in = static_cast<bn_sync>(mode / BN_SYNC_COUNT);
            call.out = static_cast<bn_sync>(mode % BN_SYNC_COUNT);
            world.run([&](bn_team* team) {
                memcpy(world.memory(team->rank) + 8192, &team->rank, sizeof team->rank);
                ASSERT_EQ(bn_operation_run(team, operation, &call), BN_OK);
            });
            unsigned barriers = (call.in == BN_SYNC_ALL) + (call.out == BN_SYNC_ALL);
            for (const bn_team& team : world.teams)
                EXPECT_EQ(team.member.phase, barriers)
                    << bn_operation_name(operation) << " in " << call.in << " out " << call.out;
        }
    }
}

// Undefined results stay within the arguments: each member writes its own dst, up to its own size.
TEST(Operation, DifferentArgumentsLeaveOtherMemoryAlone)
{
    constexpr size_t kRoom = 4 * 4096;
    for (bn_operation operation : {BN_BROADCAST, BN_SCATTER, BN_GATHER_ALL, BN_EXCHANGE}) {
        World world(4, Layout::kOneRegion, false, 64);
        auto size_of = [](int rank) { return size_t{1} << (4 + 2 * rank); };
        for (int rank = 0; rank < world.size(); rank++)
            memset(world.memory(rank), 0xC3, 2 * kRoom);
        world.run([&](bn_team* team) {
            bn_call call = {};
            call.root = team->rank % 2;  // members do not even agree on the root
            call.src = reinterpret_cast<uint64_t>(world.memory(0)) + 2 * kRoom;
            call.dst = reinterpret_cast<uint64_t>(world.memory(0)) + kRoom;
            call.nbytes = size_of(team->rank);
            ASSERT_EQ(bn_operation_run(team, operation, &call), BN_OK);
        });
        bool has_blocks = operation == BN_GATHER_ALL || operation == BN_EXCHANGE;
        for (int rank = 0; rank < world.size(); rank++) {
            size_t named = size_of(rank) * (has_blocks ? 4 : 1);
            memset(world.memory(rank) + kRoom, 0xC3, named);
            for (size_t i = 0; i < 2 * kRoom; i++)
                ASSERT_EQ(world.memory(rank)[i], 0xC3)
                    << bn_operation_name(operation) << ": byte " << i << " of rank " << rank;
        }
    }
}

// The memory of a process is its own from the beginning.
static bn_call private_broadcast(const World& world, size_t nbytes)
{
    bn_call call = {};
    call.src = reinterpret_cast<uint64_t>(world.memory(0));
    call.dst = call.src + (size_t{1} << 20);
    call.nbytes = nbytes;
    call.in = call.out = BN_SYNC_MY;
    return call;
}

TEST(Operation, WhoGetsAnotherSizeThanItCalledForFindsThat)
{
    constexpr size_t kBytes[] = {40, 8, 64};
    constexpr bn_fit kFits[] = {BN_FIT_EXACT, BN_FIT_MORE, BN_FIT_LESS};
    for (size_t scale : {1, 100}) {  // next to a slot, and in a room
        World world(3, Layout::kOneRegion, false, 64, BN_WAIT_AUTO, World::Members::kProcesses);
        world.run([&](bn_team* team) {
            size_t own_bytes = scale * kBytes[team->rank], got_bytes = std::min(own_bytes, scale * kBytes[0]);
            bn_call call = private_broadcast(world, own_bytes);
            const unsigned char* dst = world.memory(0) + (size_t{1} << 20);
            memset(world.memory(0), team->rank == 0 ? 1 : 2, size_t{2} << 20);
            ASSERT_TRUE(bn_plans_force(team, BN_BROADCAST, "pull/flat/room"));
            ASSERT_EQ(bn_operation_run(team, BN_BROADCAST, &call), BN_OK);
            EXPECT_EQ(team->fit, kFits[team->rank]);
            EXPECT_EQ(static_cast<size_t>(std::count(dst, dst + got_bytes, 1)), got_bytes);
            EXPECT_EQ(dst[got_bytes], team->rank == 0 ? 1 : 2);
        });
    }
}

// Vectors of one length that are divided differently, next to a slot and in a room
TEST(Operation, WhoDealsOutAVectorOtherwiseThanOthersFindsThat)
{
    for (size_t count : {4, 14, 100}) {
        for (bool is_alike : {true, false}) {
            World world(2, Layout::kOneRegion, false, 64, BN_WAIT_AUTO, World::Members::kProcesses);
            world.run([&](bn_team* team) {
                size_t counts[] = {count / 2, count - count / 2};
                counts[0] -= team->rank == 1 && !is_alike;
                counts[1] += team->rank == 1 && !is_alike;
                bn_vector vector = {};
                vector.element_bytes = sizeof(int);
                vector.count = count;
                vector.counts = counts;
                vector.combine = [](const void* left, void* right, size_t n, const bn_vector*) {
                    for (size_t i = 0; i < n; i++)
                        static_cast<int*>(right)[i] += static_cast<const int*>(left)[i];
                };
                bn_call call = private_broadcast(world, count * sizeof(int));
                call.vector = &vector;
                int* src = reinterpret_cast<int*>(world.memory(0));
                const int* dst = reinterpret_cast<const int*>(world.memory(0) + (size_t{1} << 20));
                std::fill(src, src + count, team->rank + 1);
                ASSERT_TRUE(bn_plans_force(team, BN_COMBINE_SCATTER, "pull/flat/room"));
                ASSERT_EQ(bn_operation_run(team, BN_COMBINE_SCATTER, &call), BN_OK);
                EXPECT_EQ(team->fit, is_alike ? BN_FIT_EXACT : BN_FIT_MORE);
                EXPECT_EQ(std::count(dst, dst + counts[team->rank], 3), static_cast<long>(counts[team->rank]));
            });
        }
    }
}

// Rank 0 leaves 8 bytes in its room and continues; the other waits for stages.
TEST(Operation, WhoWaitsForAMemberThatMakesAnotherCallIsAsked)
{
    World world(2, Layout::kOneRegion, false, 64, BN_WAIT_AUTO, World::Members::kProcesses);
    world.run([&](bn_team* team) {
        alarm(60);
        bn_call call = private_broadcast(world, team->rank == 0 ? 8 : 100000);
        team->host.differs = [](void*, int rank, const bn_said* theirs, const bn_said* own) {
            bool is_right = rank == 0 && bn_said_operation(theirs) == BN_BROADCAST && bn_said_root(own) == 0 &&
                            theirs->nbytes == 8 && own->nbytes == 100000;
            _exit(is_right ? 0 : 1);
        };
        if (bn_plans_force(team, BN_BROADCAST, team->rank == 0 ? "pull/flat/room" : "push-pull/flat/stage"))
            bn_operation_run(team, BN_BROADCAST, &call);
        if (team->rank != 0)
            _exit(2);  // it cannot have ended
    });
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
            usleep(20000);  // the root gets as far ahead as it can
        for (int i = 0; i < kCalls; i++) {
            bn_call call = {};
            call.src = reinterpret_cast<uint64_t>(world.memory(0));
            call.dst = reinterpret_cast<uint64_t>(world.memory(0) + 64 + 64 * i);
            call.nbytes = sizeof i;
            call.in = call.out = BN_SYNC_MY;
            if (team->rank == 0)
                memcpy(world.memory(0), &i, sizeof i);
            ASSERT_TRUE(bn_plans_force(team, BN_BROADCAST, "pull/flat/room"));
            ASSERT_EQ(bn_operation_run(team, BN_BROADCAST, &call), BN_OK);
            ASSERT_EQ(memcmp(world.memory(team->rank) + 64 + 64 * i, &i, sizeof i), 0) << "call " << i;
        }
    });
}

// Mail of several turns must not be confused with that of other operations in flight.
TEST(Operation, WideMailIsFreeWhenItsTurnComes)
{
    struct Taken {
        int barriers;  // before it
        ptrdiff_t begin, end;
    };
    World world(1, Layout::kOneRegion, false, 64);
    bn_team* team = &world.teams[0];
    std::minstd_rand random(1);
    std::vector<Taken> all;
    int barriers = 0;
    for (int i = 0; i < 1000; i++) {
        ptrdiff_t turns = ptrdiff_t{1} << (random() % 4);
        size_t mail_bytes =
            turns == 1 ? size_t{BN_TEAM_MAIL_BYTES} : static_cast<size_t>(turns / 2) * BN_TEAM_MAIL_BYTES + 1;
        barriers += bn_team_begin_wide(team, mail_bytes);
        ptrdiff_t begin = (bn_mail_at(team, 0) - team->mail->of_slots[0]) / BN_TEAM_MAIL_BYTES;
        Taken now = {barriers, begin, begin + turns};
        ASSERT_GE(now.begin, 0);
        ASSERT_LE(now.end, BN_TEAM_WINDOW);
        for (const Taken& before : all) {
            bool is_ended = before.barriers < now.barriers;
            ASSERT_TRUE(is_ended || before.end <= now.begin || now.end <= before.begin) << "operation " << i;
        }
        all.push_back(now);
    }
    EXPECT_GT(barriers, 1000 / BN_TEAM_WINDOW);
    EXPECT_LT(barriers, 1000);
}

// The largest blocks of four members on two nodes, from src to dst, call by call; byte i of member r's dst comes from
// member i / block.
void repeat_by_mail(World& world, bn_team* team, bn_operation operation, const char* way, size_t block)
{
    constexpr int kRoot = 2;
    bool has_one_dst = operation == BN_GATHER;
    for (int i = 0; i < 2 * BN_TEAM_WINDOW; i++) {
        bn_call call = {};
        call.src = reinterpret_cast<uint64_t>(world.memory(0));
        call.dst = reinterpret_cast<uint64_t>(world.memory(has_one_dst ? kRoot : 0)) + 4 * block;
        call.nbytes = block;
        call.root = kRoot;
        call.in = call.out = BN_SYNC_MY;
        memset(world.memory(team->rank), i * 4 + team->rank, 4 * block);
        ASSERT_TRUE(bn_plans_force(team, operation, way));
        ASSERT_EQ(bn_operation_run(team, operation, &call), BN_OK);
        const unsigned char* dst = world.memory(team->rank) + 4 * block;
        size_t right = has_one_dst && team->rank != kRoot ? 4 * block : 0;
        while (right < 4 * block && dst[right] == static_cast<unsigned char>(i * 4 + static_cast<int>(right / block)))
            right++;
        ASSERT_EQ(right, 4 * block) << way << ", call " << i;
    }
}

// The member that takes its mail late is the one that others are ahead of.
TEST(Operation, LateMemberFindsItsLargeMailAsItCame)
{
    constexpr size_t kBlock = size_t{BN_TEAM_WIDE_MAIL_BYTES} / 8;
    for (int late : {2, 3}) {
        World world(4, Layout::kTwoNodes, false, 64);
        world.teams[static_cast<size_t>(late)].before_step = [] { usleep(100); };
        world.run([&world](bn_team* team) {
            repeat_by_mail(world, team, BN_EXCHANGE, "push/nodes/mail", kBlock);
            repeat_by_mail(world, team, BN_GATHER_ALL, "push-pull/nodes/mail", 2 * kBlock);
            repeat_by_mail(world, team, BN_GATHER, "push-pull/nodes/mail", 2 * kBlock);
        });
    }
}

// A member that sends a sum to another node continues, and may send those of later operations before it has been taken.
TEST(Operation, LateMemberFindsTheSumsOfNodesAsTheyCame)
{
    for (bn_operation operation : {BN_REDUCE, BN_REDUCE_ALL}) {
        World world(2, Layout::kTwoNodes, false, 64);
        world.teams[0].before_step = [] { usleep(100); };
        world.run([operation](bn_team* team) {
            for (int i = 0; i < 4 * BN_TEAM_WINDOW; i++) {
                alignas(16) Value value = {static_cast<uint64_t>(i) * 2 + static_cast<uint64_t>(team->rank), 0};
                bn_fold fold = {&value, true, false, sizeof value, combine_values, 0, nullptr, BN_VALUE_ULONG, false};
                bn_call call = {};
                call.nbytes = sizeof value;
                call.fold = &fold;
                ASSERT_TRUE(bn_plans_force(team, operation, "push-pull/flat.flat/whole"));
                ASSERT_EQ(bn_operation_run(team, operation, &call), BN_OK);
                if (operation == BN_REDUCE_ALL || team->rank == 0) {
                    EXPECT_EQ(value.a, static_cast<uint64_t>(i) * 4 + 1) << bn_operation_name(operation) << " " << i;
                }
            }
        });
    }
}

// An operation declared commutative may still depend on the order in some bits, as the maximum of signed zeros does.
TEST(Operation, CombinedVectorsAreTheSameToTheBitOnAllMembers)
{
    constexpr size_t kCount = 3000;
    int way_count;
    const bn_entry* ways = bn_registry(BN_COMBINE_ALL, &way_count);
    for (int members : {2, 3}) {
        for (int way = 0; way < way_count; way++) {
            size_t count = ways[way].max_bytes != 0 ? ways[way].max_bytes / sizeof(int) : kCount;
            World world(members, Layout::kOneRegion, false, 64);
            world.run([&](bn_team* team) {
                bn_vector vector = {};
                vector.element_bytes = sizeof(int);
                vector.count = count;
                vector.combine = [](const void* left, void* right, size_t n, const bn_vector*) {
                    memcpy(right, left, n * sizeof(int));
                };
                bn_call call = {};
                call.src = reinterpret_cast<uint64_t>(world.memory(0));
                call.dst = call.src + kCount * sizeof(int);
                call.nbytes = count * sizeof(int);
                call.in = call.out = BN_SYNC_ALL;
                call.vector = &vector;
                memset(world.memory(team->rank), team->rank + 1, call.nbytes);
                ASSERT_TRUE(bn_plans_force(team, BN_COMBINE_ALL, ways[way].name));
                ASSERT_EQ(bn_operation_run(team, BN_COMBINE_ALL, &call), BN_OK);
            });
            for (int rank = 1; rank < members; rank++)
                EXPECT_EQ(memcmp(world.memory(0) + kCount * sizeof(int), world.memory(rank) + kCount * sizeof(int),
                                 count * sizeof(int)),
                          0)
                    << ways[way].name << ", " << members << " members";
        }
    }
}

// A type may need the alignment that its size suggests, up to 16 bytes, also for elements in transit.
TEST(Operation, ElementsOnTheirWayAreAligned)
{
    constexpr size_t kRoom = size_t{1} << 16;
    for (bn_operation operation : {BN_COMBINE, BN_COMBINE_ALL, BN_COMBINE_SCATTER, BN_COMBINE_PREFIX}) {
        int way_count;
        const bn_entry* ways = bn_registry(operation, &way_count);
        for (int i = 0; i < 2 * way_count; i++) {
            const bn_entry& way = ways[i % way_count];
            World world(3, Layout::kOneRegion, false, 64, BN_WAIT_AUTO,
                        i < way_count ? World::Members::kThreads : World::Members::kProcesses);
            world.run([&](bn_team* team) {
                ASSERT_TRUE(bn_plans_force(team, operation, way.name));
                for (size_t size : {4, 8, 16, 24, 32, 48}) {
                    bn_vector vector = {};
                    vector.element_bytes = size;
                    std::vector<size_t> counts = {1, 1, way.max_bytes != 0 ? 1u : 500u};
                    vector.count = counts[0] + counts[1] + counts[2];
                    vector.counts = counts.data();
                    vector.combine = [](const void* left, void* right, size_t, const bn_vector* that) {
                        size_t alignment = std::min(that->element_bytes & -that->element_bytes, size_t{16});
                        EXPECT_EQ(reinterpret_cast<uint64_t>(left) % alignment, 0u);
                        EXPECT_EQ(reinterpret_cast<uint64_t>(right) % alignment, 0u);
                    };
                    bn_call call = {};
                    unsigned char* own = world.memory(world.is_processes() ? team->rank : 0);
                    call.src = reinterpret_cast<uint64_t>(own);
                    call.dst = call.src + kRoom;
                    call.nbytes = vector.count * vector.element_bytes;
                    call.in = call.out = BN_SYNC_ALL; /* the members' parts differ in place from size to size */
                    call.vector = &vector;
                    ASSERT_EQ(bn_operation_run(team, operation, &call), BN_OK) << size;
                }
            });
            ASSERT_FALSE(HasFailure()) << bn_operation_name(operation) << " " << way.name;
        }
    }
}

TEST(Operation, ForcedEntryThatCannotCarryTheCallIsAnError)
{
    World world(1, Layout::kOneRegion, false, 64);
    bn_call call = {};
    call.src = reinterpret_cast<uint64_t>(world.memory(0));
    call.dst = call.src + 4096;
    call.nbytes = 65;
    ASSERT_TRUE(bn_plans_force(&world.teams[0], BN_BROADCAST, "pull/binomial.binomial.flat/inline"));
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

TEST(Operation, FlowsAreAsTheNamesSay)
{
    for (int i = 0; i < BN_OPERATION_COUNT; i++) {
        bn_operation operation = static_cast<bn_operation>(i);
        std::string name = bn_operation_name(operation);
        SCOPED_TRACE(name);
        auto begins = [&](const char* with) { return name.rfind(with, 0) == 0; };
        const bn_flow flow = bn_operation_flow(operation);
        bool gives = begins("broadcast") || begins("scatter");
        bool gets = name == "gather" || name == "gather_v" || name == "reduce" || name == "combine";
        EXPECT_EQ(flow.root, gives ? BN_ROOT_GIVES : gets ? BN_ROOT_GETS : BN_ROOT_NONE);
        EXPECT_EQ(flow.has_values, begins("reduce") || name == "prefix");
        EXPECT_EQ(bn_operation_has_blocks(operation), !flow.has_values && name != "barrier");
        EXPECT_EQ(flow.src == BN_EXTENT_ALL, begins("scatter") || begins("exchange"));
        EXPECT_EQ(flow.dst == BN_EXTENT_ALL, begins("gather") || begins("exchange"));
        EXPECT_EQ(flow.src == BN_EXTENT_NONE, flow.dst == BN_EXTENT_NONE);
    }
    EXPECT_EQ(bn_operation_bytes(BN_BARRIER, 8, 5), 0u);
    EXPECT_EQ(bn_operation_bytes(BN_COMBINE_ALL, 8, 5), 8u);
    EXPECT_EQ(bn_operation_bytes(BN_GATHER, 8, 5), 40u);
    EXPECT_EQ(bn_operation_bytes(BN_SCATTER, 8, 5), 40u);
    EXPECT_EQ(bn_operation_bytes(BN_SCATTER, SIZE_MAX / 4, 5), SIZE_MAX);
}

}  // namespace
