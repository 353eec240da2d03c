// Runs of iterations in which an index follows the variable of a loop, against C's own operators.
#include "upc/job.h"

#include <functional>
#include <limits>
#include <vector>

namespace {

using Index = std::function<bn_i64(bn_i64 n)>;
using Ahead = std::function<bn_i64(bn_loop_run* run)>;

// Goes from run to run from `start` on, and compares the index in each iteration.  Runs end only where the index jumps
// (unless the program may have more of them), so that there are few.
void expect_runs(bn_i64 start, bn_i64 length, const Index& index, const Ahead& ahead, bool are_longest)
{
    bn_i64 end = start + length;
    bn_loop_run run = {start, end};
    for (; run.n < end; run.n = run.stop, run.stop = end) {
        bn_i64 distance = ahead(&run);
        ASSERT_GT(run.stop, run.n);
        ASSERT_LE(run.stop, end);
        for (bn_i64 n = run.n; n < run.stop; n++)
            ASSERT_EQ(static_cast<bn_u64>(distance) + static_cast<bn_u64>(n), static_cast<bn_u64>(index(n)))
                << start << " " << n;
        if (are_longest && run.stop < end) {
            EXPECT_NE(distance + run.stop, index(run.stop)) << start << " " << run.stop;
        }
    }
}

constexpr bn_i64 kStarts[] = {-40, -9, -1, 0, 1, 5, 1000};

TEST(Runs, OfRemainders)
{
    for (bn_i64 start : kStarts)
        for (bn_i64 offset : {-7, -1, 0, 1, 6})
            for (bn_i64 by : {-5, -1, 1, 2, 7, 50, 5000}) {
                expect_runs(
                    start, 60, [&](bn_i64 n) { return (n + offset) % by; },
                    [&](bn_loop_run* run) { return bn_run_remainder(run, run->n + offset, by, 0); }, true);
                auto wide = static_cast<bn_u64>(by);
                expect_runs(
                    start, 60, [&](bn_i64 n) { return static_cast<bn_i64>(static_cast<bn_u64>(n + offset) % wide); },
                    [&](bn_loop_run* run) { return bn_run_remainder(run, run->n + offset, by, 1); }, false);
            }
}

TEST(Runs, OfRemaindersOfTheLargestNumbers)
{
    constexpr bn_i64 kLeast = std::numeric_limits<bn_i64>::min();
    constexpr bn_i64 kMost = std::numeric_limits<bn_i64>::max();
    for (bn_i64 by : {kLeast, kLeast + 1, kMost})
        for (bn_i64 x : {kLeast, kLeast + 1, bn_i64{-1}, bn_i64{0}, kMost - 20})
            expect_runs(
                0, 20, [&](bn_i64 n) { return (x + n) % by; },
                [&](bn_loop_run* run) { return bn_run_remainder(run, x + run->n, by, 0); }, false);
    bn_loop_run run = {3, 9};
    bn_run_remainder(&run, 3, 0, 0);  // the program would not divide
    EXPECT_EQ(run.stop, 9);
}

bool holds(unsigned relation, bool is_below, bool is_equal)
{
    return (relation & (is_below ? 1 : is_equal ? 2 : 4)) != 0;
}

TEST(Runs, OfChoices)
{
    auto ahead = [](bn_loop_run* run, bn_i64 y, unsigned relation, int is_unsigned) {
        bool is_first = bn_run_choice(run, run->n, y, relation, is_unsigned) != 0;
        return is_first ? bn_i64{3} : bn_run_single(run, 17);
    };
    for (bn_i64 start : kStarts)
        for (bn_i64 y : {-12, -1, 0, 1, 8, 40, 2000})
            for (unsigned relation : {1u, 2u, 3u, 4u, 5u, 6u}) {
                expect_runs(
                    start, 60, [&](bn_i64 n) { return holds(relation, n < y, n == y) ? n + 3 : 17; },
                    [&](bn_loop_run* run) { return ahead(run, y, relation, 0); }, false);
                auto wide = static_cast<bn_u64>(y);
                expect_runs(
                    start, 60,
                    [&](bn_i64 n) { return holds(relation, static_cast<bn_u64>(n) < wide, n == y) ? n + 3 : 17; },
                    [&](bn_loop_run* run) { return ahead(run, y, relation, 1); }, false);
            }
}

TEST(Runs, OfChoicesEndWhereTheConditionChanges)
{
    for (unsigned relation : {1u, 2u, 3u, 4u, 5u, 6u})
        expect_runs(
            -20, 60, [&](bn_i64 n) { return holds(relation, n < 5, n == 5) ? n + 3 : n - 4; },
            [&](bn_loop_run* run) { return bn_run_choice(run, run->n, 5, relation, 0) != 0 ? bn_i64{3} : bn_i64{-4}; },
            true);
}

}  // namespace
