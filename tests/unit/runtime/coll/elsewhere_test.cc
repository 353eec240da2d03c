// Which members wait for a member that has made another call or waits in a barrier, and which do not.
#include "coll/world.h"

#include <array>

namespace {

constexpr int kTeamMembers = 3;

constexpr bn_buffers kNowhere = {0, 0};

// What a waiting member has been told; -1: nothing
struct Told {
    std::atomic<int> absent{-1};     // the member that will not come to a barrier
    std::atomic<int> differs{-1};    // the member that will not come to a call,
    std::atomic<int> operation{-1};  // and what it does instead
    static void abandoned(void* context, int rank) { static_cast<Told*>(context)->absent = rank; }
    static void differ(void* context, int rank, const bn_said* theirs, const bn_said* own)
    {
        (void)own;
        static_cast<Told*>(context)->operation = bn_said_operation(theirs);
        static_cast<Told*>(context)->differs = rank;
    }
};

// Members each of which is watched
class Elsewhere : public testing::Test {
protected:
    void SetUp() override { choose(BN_BARRIER_DISSEMINATION); }

    void choose(bn_barrier_kind kind)
    {
        for (int rank = 0; rank < kTeamMembers; rank++) {
            bn_team& team = world_.teams[static_cast<size_t>(rank)];
            ASSERT_EQ(bn_team_choose_barrier(&team, kind), BN_OK);
            team.announces = true;
            team.host.abandoned = Told::abandoned;
            team.host.differs = Told::differ;
            team.host.context = &told_[static_cast<size_t>(rank)];
            bn_team_watch_barriers(&team, [](void*) -> int { return BN_BARRIER; });
        }
    }

    // Members 0 and 2 wait in a barrier, to which member 1 does not come.
    void expect_absence()
    {
        std::thread other([this] { bn_team_barrier(&world_.teams[0]); });
        bn_team_barrier(&world_.teams[2]);
        other.join();
        EXPECT_EQ(told_[0].absent, 1);
        EXPECT_EQ(told_[2].absent, 1);
    }

    World world_{kTeamMembers, Layout::kOneRegion, false, 8};
    std::array<Told, kTeamMembers> told_;
};

class ElsewhereOfKind : public Elsewhere, public testing::WithParamInterface<bn_barrier_kind> {
protected:
    void SetUp() override { choose(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Kinds, ElsewhereOfKind,
                         testing::Values(BN_BARRIER_CENTRAL, BN_BARRIER_DISSEMINATION, BN_BARRIER_TREE));

// Member 0 has arrived, and stops before it passes on its knowledge: member 1 knows about all members, and continues; 2
// must wait.
TEST_F(Elsewhere, AfterTheBarrierIsNoReason)
{
    const bn_barrier_value none = {false, 0};
    bn_barrier_conflict conflict;
    bn_team& stopped = world_.teams[0];
    EXPECT_EQ(bn_barrier_notify(stopped.barrier, &stopped.member, none), BN_BARRIER_OK);
    // As if it had not split the barrier, so that others check it; its lines begin with its state.
    for (uint64_t& word : reinterpret_cast<bn_event*>(stopped.member.lines)->payload)
        word = 0;
    std::thread goes_on([this] {
        bn_team_barrier(&world_.teams[1]);
        bn_team_call_elsewhere(&world_.teams[1], BN_BROADCAST, 0, 8);
        bn_team_announce_call(&world_.teams[1], BN_BROADCAST, 0, 8, kNowhere);
        bn_team_begin(&world_.teams[1]);
        bn_team_hear(&world_.teams[1], 0, 1);
    });
    std::thread waits([this] { bn_team_barrier(&world_.teams[2]); });
    usleep(1300000);  // longer than two checks take
    EXPECT_EQ(bn_barrier_wait(stopped.barrier, &stopped.member, none, &conflict), BN_BARRIER_OK);
    waits.join();
    bn_team_announce_call(&stopped, BN_BROADCAST, 0, 8, kNowhere);
    bn_team_begin(&stopped);
    bn_team_say(&stopped, 1);
    goes_on.join();
    EXPECT_EQ(told_[1].differs, -1);
    EXPECT_EQ(told_[2].absent, -1);
    EXPECT_EQ(world_.teams[0].lines[2].meets, 0U) << "a place is valid only while a member waits";
}

TEST_P(ElsewhereOfKind, BeforeTheBarrierIsOne)
{
    bn_team_call_elsewhere(&world_.teams[1], BN_BROADCAST, 0, 8);
    expect_absence();
}

// Member 1 makes a call that others should make, too, while these wait in a barrier.
TEST_P(ElsewhereOfKind, ACallInsteadOfTheBarrierIsOne)
{
    std::thread calls([this] {
        bn_team_announce_call(&world_.teams[1], BN_BROADCAST, 0, 8, kNowhere);
        bn_team_begin(&world_.teams[1]);
        bn_team_hear(&world_.teams[1], 0, 1);
    });
    expect_absence();
    while (told_[1].differs < 0)
        usleep(1000);
    EXPECT_EQ(told_[1].operation, BN_BARRIER);
    bn_team_announce_call(&world_.teams[0], BN_BROADCAST, 0, 8, kNowhere);
    bn_team_begin(&world_.teams[0]);
    bn_team_say(&world_.teams[0], 1);
    calls.join();
}

}  // namespace
