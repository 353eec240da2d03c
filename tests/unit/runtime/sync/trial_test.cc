#include "sync/trial.h"

#include "sync/team.h"

#include <vector>

namespace {

constexpr uint64_t kStep = UINT64_C(1) << BN_TRIAL_STEP_BITS;
constexpr uint64_t kEpoch = kStep << BN_TRIAL_EPOCH_BITS;
constexpr uint64_t kRound = 4 * kEpoch;

// The times of epochs, in turns first, second, second, first
uint32_t decide(const std::vector<uint64_t>& done, uint32_t choice)
{
    return bn_trial_decide(done.data(), static_cast<int>(done.size()), choice);
}

TEST(Trial, DecidesForWhatGetsMoreDone)
{
    EXPECT_EQ(decide({100, 200, 200, 100, 100, 200, 200, 100}, BN_TRIAL_FIRST), BN_TRIAL_SECOND);
    EXPECT_EQ(decide({100, 200, 200, 100, 100, 200, 200, 100}, BN_TRIAL_SECOND), BN_TRIAL_SECOND);
    EXPECT_EQ(decide({200, 100, 100, 200, 200, 100, 100, 200}, BN_TRIAL_FIRST), BN_TRIAL_FIRST);
    EXPECT_EQ(decide({200, 100, 100, 200, 200, 100, 100, 200}, BN_TRIAL_SECOND), BN_TRIAL_FIRST);
}

TEST(Trial, StaysForLittle)
{
    EXPECT_EQ(decide({100, 104, 104, 100, 100, 104, 104, 100}, BN_TRIAL_FIRST), BN_TRIAL_FIRST);
    EXPECT_EQ(decide({104, 100, 100, 104, 104, 100, 100, 104}, BN_TRIAL_SECOND), BN_TRIAL_SECOND);
    EXPECT_EQ(decide({100, 106, 106, 100, 100, 106, 106, 100}, BN_TRIAL_FIRST), BN_TRIAL_SECOND);
}

// One pair with a disturbance, and a program that becomes slower all the time
TEST(Trial, IsNotMisledByOnePairOrATrend)
{
    EXPECT_EQ(decide({200, 100, 100, 200, 1, 90000, 100, 200}, BN_TRIAL_SECOND), BN_TRIAL_FIRST);
    EXPECT_EQ(decide({800, 700, 600, 500, 400, 300, 200, 100}, BN_TRIAL_FIRST), BN_TRIAL_FIRST);
    EXPECT_EQ(decide({800, 700, 600, 500, 400, 300, 200, 100}, BN_TRIAL_SECOND), BN_TRIAL_SECOND);
}

TEST(Trial, SaysNothingOfTooLittle)
{
    EXPECT_EQ(decide({0, 0, 0, 0, 0, 0, 0, 0}, BN_TRIAL_FIRST), BN_TRIAL_RUNS);
    EXPECT_EQ(decide({1, 2, 2, 1, 50, 100, 100, 50}, BN_TRIAL_SECOND), BN_TRIAL_RUNS);
    EXPECT_EQ(decide({1, 2, 100, 50, 50, 100, 100, 50}, BN_TRIAL_FIRST), BN_TRIAL_SECOND);
}

TEST(Trial, NeedsOneRoundIfThereIsNoDoubt)
{
    EXPECT_EQ(decide({100, 160, 160, 100}, BN_TRIAL_FIRST), BN_TRIAL_SECOND);
    EXPECT_EQ(decide({160, 100, 100, 160}, BN_TRIAL_FIRST), BN_TRIAL_FIRST);
    EXPECT_EQ(decide({160, 100, 100, 160}, BN_TRIAL_SECOND), BN_TRIAL_FIRST);
    EXPECT_EQ(decide({100, 140, 160, 100}, BN_TRIAL_FIRST), BN_TRIAL_RUNS);
    EXPECT_EQ(decide({100, 160, 100, 160}, BN_TRIAL_FIRST), BN_TRIAL_RUNS);
    EXPECT_EQ(decide({100, 160, 2, 1}, BN_TRIAL_FIRST), BN_TRIAL_RUNS);
}

// A thread whose calls follow a clock of its own
class Caller {
public:
    // Advances to that time, with that many calls per step by each way; returns whether it tried both.
    bool run(uint64_t until_ns, uint64_t first, uint64_t second)
    {
        bool ways[2] = {false, false};
        for (; now_ < until_ns; now_ += kStep) {
            uint32_t way = bn_trial_step(&trial_, &self_, 1, now_);
            ways[way] = true;
            steps_[way]++;
            for (uint64_t more = way == BN_TRIAL_FIRST ? first : second; more > 1; more--)
                EXPECT_EQ(bn_trial_step(&trial_, &self_, 1, now_ + kStep / 2), way);
        }
        return ways[0] && ways[1];
    }

    uint64_t now() const { return now_; }
    uint64_t steps(uint32_t way) const { return steps_[way]; }
    const bn_trial& trial() const { return trial_; }

private:
    bn_trial trial_ = {};
    bn_trial_thread self_ = {};
    uint64_t steps_[2] = {0, 0};
    uint64_t now_ = 1000 * kRound + 3 * kStep;
};

TEST(Trial, FindsTheFasterWayAndKeepsIt)
{
    Caller caller;
    EXPECT_TRUE(caller.run(1003 * kRound + 2 * kStep, 20, 60));
    EXPECT_EQ(caller.trial().way, static_cast<uint32_t>(BN_TRIAL_SECOND));
    EXPECT_EQ(caller.trial().trials, 1u);
    // Three steps of each epoch count.
    EXPECT_NEAR(static_cast<double>(caller.trial().per_second[BN_TRIAL_FIRST]), 20e9 / kStep, 1e9 / kStep);
    EXPECT_NEAR(static_cast<double>(caller.trial().per_second[BN_TRIAL_SECOND]), 60e9 / kStep, 1e9 / kStep);
    // Until the next trial, which is at most one interval away.
    EXPECT_FALSE(caller.run(1004 * kRound, 20, 60));
}

TEST(Trial, ChangesAgainWhenTheProgramDoes)
{
    Caller caller;
    caller.run(1003 * kRound + 2 * kStep, 20, 60);
    ASSERT_EQ(caller.trial().way, static_cast<uint32_t>(BN_TRIAL_SECOND));
    caller.run(1016 * kRound, 60, 20);
    EXPECT_EQ(caller.trial().choice, static_cast<uint32_t>(BN_TRIAL_FIRST));
}

// A way that is much slower is abandoned after two epochs of a quarter of the length.
TEST(Trial, IsBriefBehindOneThatLeftNoDoubt)
{
    Caller caller;
    caller.run(1003 * kRound + 2 * kStep, 20, 60);
    ASSERT_EQ(caller.trial().trials, 1u);
    uint64_t before = caller.steps(BN_TRIAL_FIRST);
    caller.run(1010 * kRound, 20, 60);
    EXPECT_EQ(caller.trial().trials, 2u);
    EXPECT_EQ(caller.steps(BN_TRIAL_FIRST) - before, 2 * kEpoch / kStep >> BN_TRIAL_BRIEF_BITS);
}

// A brief trial decides nothing else: a whole one follows at once.
TEST(Trial, IsAWholeOneIfTheBriefOneLeavesDoubt)
{
    Caller caller;
    caller.run(1003 * kRound + 2 * kStep, 20, 60);
    uint64_t before = caller.steps(BN_TRIAL_FIRST);
    caller.run(1012 * kRound, 60, 55);
    EXPECT_EQ(caller.trial().trials, 2u);
    EXPECT_EQ(caller.trial().choice, static_cast<uint32_t>(BN_TRIAL_FIRST));
    EXPECT_GE(caller.steps(BN_TRIAL_FIRST) - before, 4 * kEpoch / kStep);
    EXPECT_FALSE(caller.trial().is_clear);
}

TEST(Trial, ComesLessAndLessOftenWhileItConfirms)
{
    Caller caller;
    uint64_t before = 0;
    for (uint64_t epochs = UINT64_C(1) << BN_TRIAL_LATEST_BITS; epochs < UINT64_C(8) << BN_TRIAL_LATEST_BITS;
         epochs *= 2) {
        caller.run(caller.now() + epochs * kEpoch, 8, 8);
        uint64_t more = caller.trial().trials - before;
        EXPECT_LE(more, before == 0 ? 8u : epochs >> (BN_TRIAL_LATEST_BITS - 1));
        EXPECT_GE(more, 1u);
        before = caller.trial().trials;
    }
    EXPECT_EQ(caller.trial().interval_bits, static_cast<uint32_t>(BN_TRIAL_LATEST_BITS));
}

TEST(Trial, TakesLongerEpochsForWhatIsSlow)
{
    Caller caller;
    caller.run(1600 * kRound, 1, 2);
    EXPECT_GT(caller.trial().longer_bits, 0u);
    EXPECT_EQ(caller.trial().choice, static_cast<uint32_t>(BN_TRIAL_SECOND));
}

TEST(Trial, TakesShorterEpochsAgainWhenThereIsPlenty)
{
    Caller caller;
    caller.run(1100 * kRound, 1, 1);
    ASSERT_GT(caller.trial().longer_bits, 0u);
    caller.run(2500 * kRound, 200, 100);
    EXPECT_EQ(caller.trial().longer_bits, 0u);
    EXPECT_EQ(caller.trial().choice, static_cast<uint32_t>(BN_TRIAL_FIRST));
}

// Two processes of a machine that start at different times try the same way in all epochs in which both are trying.
TEST(Trial, IsTheSameInProcessesThatBeginAtDifferentTimes)
{
    bn_trial trials[2] = {};
    bn_trial_thread selves[2] = {};
    int met = 0;
    for (uint64_t now = 1000 * kRound; now < 1010 * kRound; now += kStep) {
        uint32_t first = bn_trial_step(&trials[0], &selves[0], 1, now);
        uint32_t second = now < 1001 * kRound ? first : bn_trial_step(&trials[1], &selves[1], 1, now);
        uint64_t epoch = now / kEpoch;
        bool both_run = trials[0].way == BN_TRIAL_RUNS && trials[1].way == BN_TRIAL_RUNS;
        if (both_run && epoch - trials[0].begin < BN_TRIAL_EPOCHS && epoch - trials[1].begin < BN_TRIAL_EPOCHS) {
            EXPECT_EQ(first, second);
            met++;
        }
    }
    EXPECT_GT(met, 0);
}

TEST(Trial, LooksAtTheClockOnlyNowAndThen)
{
    bn_trial trial = {};
    trial.way = trial.choice = BN_TRIAL_SECOND;
    bn_trial_thread self = {};
    self.until_look = 2;
    EXPECT_EQ(bn_trial_way(&trial, &self, 1), static_cast<uint32_t>(BN_TRIAL_SECOND));
    EXPECT_EQ(bn_trial_way(&trial, &self, 1), static_cast<uint32_t>(BN_TRIAL_SECOND));
    EXPECT_EQ(self.step, 0u);
    bn_trial_way(&trial, &self, 1);
    EXPECT_GT(self.step, 0u);
}

// Calls that do not wait count, though not each of them reads the clock; after a trial they use its result.
TEST(Trial, LooksAtTheClockOnlyNowAndThenWhileCallsWaitForNothing)
{
    bn_trial trial = {};
    bn_trial_thread self = {};
    uint64_t now = 1000 * kRound;
    while (trial.way != BN_TRIAL_RUNS || !self.counts)
        bn_trial_step(&trial, &self, 1, now += kStep);
    uint64_t before = self.done;
    for (uint32_t i = 0; i < BN_TRIAL_STARTS; i++)
        EXPECT_EQ(bn_trial_way_of_start(&trial, &self), self.way);
    EXPECT_EQ(self.done, before + BN_TRIAL_STARTS);
    EXPECT_EQ(self.step, now >> BN_TRIAL_STEP_BITS);
    bn_trial_way_of_start(&trial, &self);
    EXPECT_NE(self.step, now >> BN_TRIAL_STEP_BITS);
}

TEST(Trial, IsNotMadeOfWhatIsSettled)
{
    bn_trial trial = {};
    bn_trial_thread self = {};
    bn_trial_settle(&trial, BN_TRIAL_SECOND);
    for (uint64_t now = 1000 * kRound; now < 1100 * kRound; now += kStep)
        EXPECT_EQ(bn_trial_step(&trial, &self, 1, now), static_cast<uint32_t>(BN_TRIAL_SECOND));
    EXPECT_EQ(trial.trials, 0u);
}

// A thread that has read the clock before another one lengthens the epochs does not begin a trial in the distant
// future.
TEST(Trial, KeepsItsTimeWhileEpochsChange)
{
    for (int i = 0; i < 200; i++) {
        bn_trial trial = {};
        run_team(4, [&](int) {
            bn_trial_thread self = {};
            for (uint64_t now = 1000 * kRound; now < 1100 * kRound; now += 2 * kStep)
                bn_trial_step(&trial, &self, 0, now);
        });
        EXPECT_LE(trial.begin << trial.longer_bits, (1100 + (2u << trial.longer_bits)) * kRound / kEpoch);
    }
}

// Everything that the threads of a step have counted is visible when the trial is over; under TSan, too.
TEST(Trial, AddsUpWhatThreadsCount)
{
    bn_trial trial = {};
    run_team(4, [&](int) {
        bn_trial_thread self = {};
        for (uint64_t now = 1000 * kRound; now < 1003 * kRound; now += kStep / 8)
            bn_trial_step(&trial, &self, 1, now);
        bn_trial_step(&trial, &self, 0, 1003 * kRound + 2 * kStep);
    });
    EXPECT_NE(trial.way, static_cast<uint32_t>(BN_TRIAL_RUNS));
    EXPECT_GT(trial.done[0], 0u);
}

}  // namespace
