#include "pgas/remote/remote.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <unistd.h>

// Replaces the functions of libbanyan-shmem
struct bn_remote bn_remote;
void bn_remote_check_end(void) {}

namespace {

constexpr useconds_t kLongUs = 2000;

int polls;
bool gives_way;

bool poll()
{
    polls++;
    return gives_way;
}

class RemoteStep : public testing::Test {
protected:
    RemoteStep()
    {
        transport_.poll = poll;
        bn_remote.transport = &transport_;
        bn_remote.has_far_threads = true;
        bn_remote.policy = bn_wait_policy{};
        polls = 0;
        gives_way = false;
    }

    static int polls_of(void (*take)(uint32_t* step), int steps)
    {
        uint32_t step = 0;
        polls = 0;
        for (int i = 0; i < steps; i++)
            take(&step);
        return polls;
    }

    bn_transport transport_{};
};

TEST_F(RemoteStep, PollsEachTimeForWhatTheNetworkBrings)
{
    EXPECT_EQ(polls_of(bn_remote_step, 1000), 1000);
    gives_way = true;
    EXPECT_EQ(polls_of(bn_remote_step, 1000), 1000);
}

TEST_F(RemoteStep, PollsSeldomForWhatNearThreadsWrite)
{
    EXPECT_GE(polls_of(bn_remote_step_for_near, 8000), 1000);
    EXPECT_LT(polls_of(bn_remote_step_for_near, 1), 2);
    gives_way = true;
    EXPECT_GE(polls_of(bn_remote_step_for_near, 8000), 1000);
}

TEST_F(RemoteStep, PollsAtOnceAfterALongTurnOfOthers)
{
    uint32_t step = 1;
    bn_remote_step_for_near(&step);
    polls = 0;
    for (int i = 0; i < 3; i++) {
        usleep(kLongUs);
        bn_remote_step_for_near(&step);
    }
    EXPECT_EQ(polls, 3);
}

TEST_F(RemoteStep, LooksWithoutPollingInBetween)
{
    bn_remote.policy.spin_count = UINT32_MAX;
    int least = INT32_MAX;  // of many, since this process may lose the core in some
    for (int i = 0; i < 200; i++)
        least = std::min(least, polls_of(bn_remote_step_for_near, 16));
    EXPECT_EQ(least, 2);
}

TEST_F(RemoteStep, PollsNowAndThenIfNobodyIsFar)
{
    bn_remote.has_far_threads = false;
    EXPECT_EQ(polls_of(bn_remote_step, 6400), 100);
    EXPECT_EQ(polls_of(bn_remote_step_for_near, 6400), 100);
}

}  // namespace
