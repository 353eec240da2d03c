// Which members wait in a barrier for a member that has made another call, and which do not.
#include "coll/world.h"

#include <array>

namespace {

constexpr int kTeamMembers = 3;

// The member reported absent by the waiting one; -1: none
struct Told {
    std::atomic<int> absent{-1};
    static void abandoned(void* context, int rank) { static_cast<Told*>(context)->absent = rank; }
};

// Members that signal each other in rounds, each of which is watched
class Elsewhere : public testing::Test {
protected:
    void SetUp() override
    {
        for (int rank = 0; rank < kTeamMembers; rank++) {
            bn_team& team = world_.teams[static_cast<size_t>(rank)];
            team.host.abandoned = Told::abandoned;
            team.host.context = &told_[static_cast<size_t>(rank)];
            ASSERT_EQ(bn_team_choose_barrier(&team, BN_BARRIER_DISSEMINATION), BN_OK);
            bn_team_watch_barriers(&team);
        }
    }

    World world_{kTeamMembers, Layout::kOneRegion, false, 8};
    std::array<Told, kTeamMembers> told_;
};

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
    });
    std::thread waits([this] { bn_team_barrier(&world_.teams[2]); });
    goes_on.join();
    usleep(1300000);  // longer than two checks take
    EXPECT_EQ(bn_barrier_wait(stopped.barrier, &stopped.member, none, &conflict), BN_BARRIER_OK);
    waits.join();
    EXPECT_EQ(told_[2].absent, -1);
}

TEST_F(Elsewhere, BeforeTheBarrierIsOne)
{
    bn_team_call_elsewhere(&world_.teams[1], BN_BROADCAST, 0, 8);
    std::thread other([this] { bn_team_barrier(&world_.teams[0]); });
    bn_team_barrier(&world_.teams[2]);
    other.join();
    EXPECT_EQ(told_[0].absent, 1);
    EXPECT_EQ(told_[2].absent, 1);
}

}  // namespace
