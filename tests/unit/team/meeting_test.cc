#include "team/meeting.h"

#include "processes.h"

#include <poll.h>
#include <sys/time.h>

#include <thread>

namespace {

// A signal every so many microseconds from now on
void tick(suseconds_t us)
{
    struct sigaction action = {};
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, nullptr);
    const itimerval often = {{0, us}, {0, us}};
    setitimer(ITIMER_REAL, &often, nullptr);
}

TEST(Meeting, TeamsAreMadeWhereSignalsCome)
{
    char name[BANYAN_NAME_MAX + 1];
    banyan_team_new_name(name);
    std::vector<int> statuses = in_processes(4, [&](int rank) {
        tick(1000);
        for (int i = 0; i < 20; i++) {
            banyan_team *team = nullptr, *half = nullptr;
            const std::string own = name + std::to_string(i);
            ASSERT_EQ(banyan_team_join(own.c_str(), rank, 4, 60, &team), BANYAN_OK) << banyan_error();
            ASSERT_EQ(banyan_team_split(team, rank % 2, 0, &half), BANYAN_OK) << banyan_error();
            EXPECT_EQ(banyan_barrier(half), BANYAN_OK) << banyan_error();
            banyan_team_leave(half);
            banyan_team_leave(team);
        }
    });
    EXPECT_EQ(statuses, std::vector<int>(4, 0));
}

// Both have come, and one says no more.
TEST(Meeting, ItsLimitHoldsWhileMembersTalk)
{
    char name[BANYAN_NAME_MAX + 1];
    banyan_team_new_name(name);
    for (int silent : {0, 1}) {
        std::vector<int> statuses = in_processes(2, [&](int rank) {
            bn_meeting meeting;
            const bn_wish wish = {name, rank, 2, rank == silent ? 0 : 0.3, 0};
            tick(1000);
            ASSERT_EQ(bn_meeting_begin(&wish, &meeting), BANYAN_OK) << banyan_error();
            const bn_talk talk = bn_meeting_talk(&meeting);
            char byte;
            if (rank == silent) {
                pollfd end = {meeting.connections[1 - rank], 0, 0};
                while (poll(&end, 1, -1) != 1)
                    continue;  // until the other one gives up
                EXPECT_FALSE(talk.all(talk.context, true));
                EXPECT_EQ(meeting.broken, BANYAN_LOST);
            } else {
                EXPECT_FALSE(talk.all(talk.context, true));
                EXPECT_EQ(meeting.broken, BANYAN_TIMEOUT);
                EXPECT_FALSE(talk.tell(talk.context, &byte, 1));
                EXPECT_EQ(talk.hand(talk.context, -1), -1);
            }
            bn_meeting_end(&meeting);
        });
        EXPECT_EQ(statuses, std::vector<int>(2, 0));
    }
}

TEST(Meeting, AProcessIsOneMember)
{
    char name[BANYAN_NAME_MAX + 1];
    banyan_team_new_name(name);
    auto join = [&](int rank) {
        banyan_team* team = nullptr;
        EXPECT_EQ(banyan_team_join(name, rank, 3, 30, &team), BANYAN_REFUSED);
        EXPECT_TRUE(says("threads of one process")) << banyan_error();
    };
    std::vector<int> statuses = in_processes(2, [&](int number) {
        if (number == 0) {
            join(0);
        } else {
            std::thread other(join, 1);
            join(2);
            other.join();
        }
    });
    EXPECT_EQ(statuses, std::vector<int>(2, 0));
}

}  // namespace
