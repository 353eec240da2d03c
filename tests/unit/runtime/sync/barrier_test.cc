#include "sync/barrier.h"

#include "sync/team.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <tuple>
#include <vector>

namespace {

constexpr bn_barrier_value kNone = {false, 0};

bn_barrier_value given(int value)
{
    return {true, value};
}

struct Free {
    void operator()(void* memory) const { free(memory); }
};

// Groups of three threads, and one of these groups: a leftover thread counts among the groups.
struct Groups {
    explicit Groups(int threads)
    {
        unsigned count = static_cast<unsigned>(threads);
        for (unsigned first = 0; first + 1 < count; first += 3)
            lines.push_back(first + 1);
        if (count > 3)
            lines.push_back(3);
        for (unsigned thread = 0; thread < count; thread++) {
            unsigned first = thread / 3 * 3;
            if (std::min(first + 3, count) - first >= 2)
                paths[thread].push_back({first + 1, std::min(3u, count - first)});
            if (count > 3)
                paths[thread].push_back({3, (count + 2) / 3});
        }
    }
    bn_barrier_tree of(int thread) const
    {
        const auto& path = paths[thread];
        return {path.data(), static_cast<int>(path.size()), lines.data(), static_cast<int>(lines.size())};
    }
    std::vector<bn_barrier_group> paths[16];
    std::vector<uint32_t> lines;
};

class Barrier {
public:
    explicit Barrier(int threads, bn_wait_choice choice = BN_WAIT_AUTO, bn_barrier_kind kind = BN_BARRIER_CENTRAL)
        : memory_(static_cast<bn_barrier*>(aligned_alloc(BN_LINE_BYTES, bn_barrier_size_bytes()))),
          lines_(static_cast<bn_barrier_lines*>(aligned_alloc(BN_LINE_BYTES, bn_barrier_lines_bytes(threads)))),
          groups_(threads)
    {
        memset(static_cast<void*>(lines_.get()), 0, bn_barrier_lines_bytes(threads));
        bn_barrier_init(get(), threads, bn_wait_policy_make(threads, 2, choice));
        for (int thread = 0; thread < threads; thread++) {
            bn_barrier_tree tree = groups_.of(thread);
            members.push_back(bn_barrier_join(thread));
            bn_barrier_extend(&members.back(), lines_.get(), &tree);
            bn_barrier_choose(&members.back(), kind);
        }
    }
    bn_barrier* get() { return memory_.get(); }
    bn_barrier_result notify(int thread, bn_barrier_value value = kNone)
    {
        return bn_barrier_notify(get(), &members[static_cast<size_t>(thread)], value);
    }
    bn_barrier_result wait(int thread, bn_barrier_value value = kNone)
    {
        return bn_barrier_wait(get(), &members[static_cast<size_t>(thread)], value, &conflict);
    }
    std::vector<bn_barrier_member> members;
    bn_barrier_conflict conflict = {-1, 0, 0};  // for calls from one thread

private:
    std::unique_ptr<bn_barrier, Free> memory_;
    std::unique_ptr<bn_barrier_lines, Free> lines_;
    Groups groups_;
};

constexpr bn_barrier_kind kKinds[] = {BN_BARRIER_CENTRAL, BN_BARRIER_DISSEMINATION, BN_BARRIER_TREE};

// 1: alone; 2: a pair; 3: fewest that count; 7, 16: more than most machines have cores
class BarrierOf : public testing::TestWithParam<std::tuple<int, bn_barrier_kind>> {
protected:
    const int threads = std::get<0>(GetParam());
    const bn_barrier_kind kind = std::get<1>(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Threads, BarrierOf,
                         testing::Combine(testing::Values(1, 2, 3, 4, 7, 16), testing::ValuesIn(kKinds)));

TEST_P(BarrierOf, SeparatesPhasesAndMakesWritesVisible)
{
    constexpr int kPhases = 500;
    for (bn_wait_choice choice : {BN_WAIT_AUTO, BN_WAIT_SLEEP}) {
        Barrier barrier(threads, choice, kind);
        std::vector<int> cells(static_cast<size_t>(threads), -1);  // plain: ordered only by the barrier
        run_team(threads, [&](int thread) {
            for (int phase = 0; phase < kPhases; phase++) {
                cells[static_cast<size_t>(thread)] = phase;
                ASSERT_EQ(barrier.notify(thread), BN_BARRIER_OK);
                bn_barrier_conflict conflict;
                bn_barrier_member* member = &barrier.members[static_cast<size_t>(thread)];
                ASSERT_EQ(bn_barrier_wait(barrier.get(), member, kNone, &conflict), BN_BARRIER_OK);
                for (int cell : cells)
                    ASSERT_EQ(cell, phase);
                bn_barrier_pass(barrier.get(), member);
            }
        });
    }
}

TEST_P(BarrierOf, WorksAcrossTheWrapOfItsCounts)
{
    Barrier barrier(threads, BN_WAIT_AUTO, kind);
    const uint32_t first_phase = UINT32_MAX - 49;
    bn_barrier_skip_to(barrier.get(), barrier.members.data(), first_phase);
    run_team(threads, [&](int thread) {
        bn_barrier_member* member = &barrier.members[static_cast<size_t>(thread)];
        bn_barrier_conflict conflict;
        for (int i = 0; i < 100; i++) {
            ASSERT_EQ(bn_barrier_notify(barrier.get(), member, given(i)), BN_BARRIER_OK);
            ASSERT_EQ(bn_barrier_wait(barrier.get(), member, given(i), &conflict), BN_BARRIER_OK);
        }
        EXPECT_EQ(member->phase, 50u);
    });
}

TEST_P(BarrierOf, EqualValuesPass)
{
    Barrier barrier(threads, BN_WAIT_AUTO, kind);
    run_team(threads, [&](int thread) {
        bn_barrier_member* member = &barrier.members[static_cast<size_t>(thread)];
        bn_barrier_conflict conflict;
        for (int value : {0, 1, -1, INT_MIN, INT_MAX, 0}) {
            for (int repeat = 0; repeat < 20; repeat++) {
                ASSERT_EQ(bn_barrier_notify(barrier.get(), member, given(value)), BN_BARRIER_OK);
                ASSERT_EQ(bn_barrier_wait(barrier.get(), member, given(value), &conflict), BN_BARRIER_OK);
                // In the next phase the value is forgotten.
                ASSERT_EQ(bn_barrier_notify(barrier.get(), member, kNone), BN_BARRIER_OK);
                ASSERT_EQ(bn_barrier_wait(barrier.get(), member, given(thread), &conflict), BN_BARRIER_OK);
            }
        }
    });
}

// A thread leaving its wait must not depend on others reaching theirs, nor on who splits the barrier.
TEST_P(BarrierOf, NotifiedThreadsHoldNobodyUp)
{
    Barrier barrier(threads, BN_WAIT_AUTO, kind);
    for (int last = 0; last < threads; last++) {
        for (int thread = 0; thread < threads; thread++) {
            if (thread != last) {
                ASSERT_EQ(barrier.notify(thread), BN_BARRIER_OK);
            }
        }
        bn_barrier_pass(barrier.get(), &barrier.members[static_cast<size_t>(last)]);
        for (int thread = 0; thread < threads; thread++) {
            if (thread != last) {
                ASSERT_EQ(barrier.wait(thread), BN_BARRIER_OK);
            }
        }
    }
}

TEST_P(BarrierOf, SomeSplitAndOthersDoNot)
{
    constexpr int kPhases = 2000;
    Barrier barrier(threads, BN_WAIT_AUTO, kind);
    std::vector<int> cells(static_cast<size_t>(threads), -1);
    run_team(threads, [&](int thread) {
        bn_barrier_member* member = &barrier.members[static_cast<size_t>(thread)];
        bn_barrier_conflict conflict;
        for (int phase = 0; phase < kPhases; phase++) {
            cells[static_cast<size_t>(thread)] = phase;
            if ((phase * 7 + thread * 5) % 3 == 0) {
                ASSERT_EQ(bn_barrier_notify(barrier.get(), member, given(phase)), BN_BARRIER_OK);
                ASSERT_EQ(bn_barrier_wait(barrier.get(), member, given(phase), &conflict), BN_BARRIER_OK);
            } else {
                ASSERT_EQ(bn_barrier_cross(barrier.get(), member, given(phase), &conflict), BN_BARRIER_OK);
            }
            for (int cell : cells)
                ASSERT_EQ(cell, phase);
            bn_barrier_pass(barrier.get(), member);
        }
    });
}

// All kinds in turn, in the same memory
TEST(BarrierKinds, MayTakeTurns)
{
    constexpr int kThreads = 5;
    Barrier barrier(kThreads);
    std::vector<int> cells(kThreads, -1);
    run_team(kThreads, [&](int thread) {
        bn_barrier_member* member = &barrier.members[static_cast<size_t>(thread)];
        for (int phase = 0; phase < 1000; phase++) {
            bn_barrier_choose(member, kKinds[phase * phase % 7 % 3]);
            cells[static_cast<size_t>(thread)] = phase;
            bn_barrier_pass(barrier.get(), member);
            for (int cell : cells)
                ASSERT_EQ(cell, phase);
            bn_barrier_pass(barrier.get(), member);
        }
    });
}

TEST(BarrierMisuse, SecondNotifyAndLoneWait)
{
    Barrier barrier(1);
    EXPECT_EQ(barrier.wait(0), BN_BARRIER_NOT_NOTIFIED);
    EXPECT_EQ(barrier.notify(0), BN_BARRIER_OK);
    EXPECT_EQ(barrier.notify(0), BN_BARRIER_NOTIFIED_TWICE);
    EXPECT_EQ(barrier.wait(0), BN_BARRIER_OK);
    EXPECT_EQ(barrier.wait(0), BN_BARRIER_NOT_NOTIFIED);
    EXPECT_EQ(barrier.notify(0), BN_BARRIER_OK);
    EXPECT_EQ(barrier.wait(0), BN_BARRIER_OK);
}

// Notifies and waits of two and of three threads, one thread at a time: the results of the waits.  Threads that notify
// in another order must reach the same verdict.
struct ValueCase {
    const char* name;
    bn_barrier_value notifies[3];
    bn_barrier_value waits[3];
    bool is_ok;
};

const ValueCase kValueCases[] = {
    {"all equal", {given(5), given(5), given(5)}, {given(5), given(5), given(5)}, true},
    {"no values", {kNone, kNone, kNone}, {kNone, kNone, kNone}, true},
    {"values at waits only", {kNone, kNone, kNone}, {given(1), given(2), given(3)}, true},
    {"anonymous among equals", {given(5), kNone, kNone}, {kNone, given(5), kNone}, true},
    {"two differ", {given(5), given(6), kNone}, {kNone, kNone, kNone}, false},
    {"differs by sign", {given(1), given(-1), kNone}, {kNone, kNone, kNone}, false},
    {"smallest differs from none of its kind", {given(INT_MIN), given(0), kNone}, {kNone, kNone, kNone}, false},
    {"smallest equals itself", {given(INT_MIN), given(INT_MIN), kNone}, {kNone, kNone, given(INT_MIN)}, true},
    {"zero is a value", {given(0), given(1), kNone}, {kNone, kNone, kNone}, false},
    {"wait differs from own notify", {given(5), kNone, kNone}, {given(6), kNone, kNone}, false},
    {"wait differs from the others", {given(5), kNone, kNone}, {kNone, given(6), kNone}, false},
    {"wait differs, own notify anonymous", {kNone, given(5), given(5)}, {given(4), kNone, kNone}, false},
};

TEST(BarrierValues, ConsensusRule)
{
    const int orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {1, 2, 0}};
    for (int variant = 0; variant < 6; variant++) {
        const int threads = 2 + variant % 2;
        for (const ValueCase& c : kValueCases) {
            if (threads == 2 && (c.waits[2].given))
                continue;
            for (const auto& order : orders) {
                Barrier barrier(threads, BN_WAIT_AUTO, kKinds[variant / 2]);
                for (int repeat = 0; repeat < 3; repeat++) {
                    for (int thread : order) {
                        if (thread < threads) {
                            ASSERT_EQ(barrier.notify(thread, c.notifies[thread]), BN_BARRIER_OK);
                        }
                    }
                    bool is_ok = true;
                    for (int thread : order) {
                        if (thread < threads)
                            is_ok &= barrier.wait(thread, c.waits[thread]) == BN_BARRIER_OK;
                    }
                    EXPECT_EQ(is_ok, c.is_ok) << c.name << " of " << threads;
                }
            }
        }
    }
}

TEST(BarrierValues, MismatchNamesBothSides)
{
    Barrier barrier(3);
    barrier.notify(1, given(7));
    barrier.notify(2, given(8));
    barrier.notify(0);
    EXPECT_EQ(barrier.wait(2), BN_BARRIER_NOTIFY_MISMATCH);
    EXPECT_EQ(barrier.conflict.other_thread, 1);
    EXPECT_EQ(barrier.conflict.other_value, 7);
    EXPECT_EQ(barrier.conflict.own_value, 8);
    EXPECT_EQ(barrier.wait(0, given(-9)), BN_BARRIER_WAIT_MISMATCH);
    EXPECT_EQ(barrier.conflict.other_thread, 1);
    EXPECT_EQ(barrier.conflict.other_value, 7);
    EXPECT_EQ(barrier.conflict.own_value, -9);

    Barrier pair(2);
    pair.notify(1, given(-7));
    pair.notify(0);
    EXPECT_EQ(pair.wait(0, given(3)), BN_BARRIER_WAIT_MISMATCH);
    EXPECT_EQ(pair.conflict.other_thread, 1);
    EXPECT_EQ(pair.conflict.other_value, -7);
    EXPECT_EQ(pair.conflict.own_value, 3);
}

TEST(BarrierValues, PairMayRunAhead)
{
    Barrier pair(2);
    pair.notify(0, given(1));
    pair.notify(1, given(1));
    EXPECT_EQ(pair.wait(0), BN_BARRIER_OK);
    EXPECT_EQ(pair.notify(0, given(2)), BN_BARRIER_OK) << "thread 1 has yet to look at the value of the phase before";
    EXPECT_EQ(pair.wait(1, given(1)), BN_BARRIER_OK);
}

// A thread that has waited for long asks who is ahead.
TEST(BarrierEnd, WaitForAThreadThatIsElsewhereEnds)
{
    for (bn_barrier_kind kind : kKinds) {
        const int threads = 3;
        Barrier barrier(threads, BN_WAIT_AUTO, kind);
        run_team(threads, [&](int thread) {
            bn_barrier_member* member = &barrier.members[static_cast<size_t>(thread)];
            bn_barrier_conflict conflict = {-1, 0, 0};
            bn_barrier_pass(barrier.get(), member);
            bn_barrier_watch(
                member, [](const void*, int other) { return other == 2; }, [](const void*, bool) {}, nullptr);
            if (thread == 2)
                return;
            EXPECT_EQ(bn_barrier_cross(barrier.get(), member, kNone, &conflict), BN_BARRIER_ABANDONED);
            EXPECT_EQ(conflict.other_thread, 2);
        });
    }
}

TEST(BarrierEnd, WaitForAThreadThatHasEndedEnds)
{
    for (int variant = 0; variant < 9; variant++) {
        const int threads = 2 + variant % 3;
        Barrier barrier(threads, BN_WAIT_AUTO, kKinds[variant / 3]);
        run_team(threads, [&](int thread) {
            bn_barrier_member* member = &barrier.members[static_cast<size_t>(thread)];
            bn_barrier_conflict conflict = {-1, 0, 0};
            bn_barrier_pass(barrier.get(), member);
            if (thread == threads - 1) {
                bn_barrier_abandon(barrier.get(), member);
                return;
            }
            bn_barrier_notify(barrier.get(), member, kNone);
            EXPECT_EQ(bn_barrier_wait(barrier.get(), member, kNone, &conflict), BN_BARRIER_ABANDONED);
            EXPECT_EQ(conflict.other_thread, threads - 1);
        });
    }
}

TEST(BarrierEnd, PhasesBeforeTheEndComplete)
{
    for (int variant = 0; variant < 12; variant++) {
        const int threads = 2 + variant % 4;
        Barrier barrier(threads, BN_WAIT_SLEEP, kKinds[variant / 4]);
        run_team(threads, [&](int thread) {
            bn_barrier_member* member = &barrier.members[static_cast<size_t>(thread)];
            bn_barrier_conflict conflict;
            for (int phase = 0; phase < 50; phase++) {
                bn_barrier_notify(barrier.get(), member, kNone);
                EXPECT_EQ(bn_barrier_wait(barrier.get(), member, kNone, &conflict), BN_BARRIER_OK);
            }
            bn_barrier_abandon(barrier.get(), member);
        });
    }
}

}  // namespace
