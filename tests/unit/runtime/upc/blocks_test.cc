// Loops over blocks, piece by piece, against a walk over all iterations.
#include "upc/job.h"

#include <limits>
#include <vector>

namespace {

struct Loop {
    bn_i64 start, end, offset, block;
    int is_all;
    bn_i64 step = 1, factor = 1;
};

bn_i64 floor_of(bn_i64 n, bn_i64 by)
{
    return n / by - (n % by < 0);
}

bn_i64 number_of(const Loop& loop, bn_i64 n)
{
    return floor_of(loop.factor * n + loop.offset, loop.block);
}

int owner_of(const Loop& loop, bn_i64 unit)
{
    bn_i64 number = floor_of(unit, loop.block);
    bn_u64 row = static_cast<bn_u64>(floor_of(number, bn_threads()));
    return static_cast<int>(static_cast<bn_u64>(number) - row * static_cast<bn_u64>(bn_threads()));
}

std::vector<bn_i64> expected(const Loop& loop)
{
    std::vector<bn_i64> result;
    for (bn_i64 n = loop.start; n < loop.end; n += loop.step)
        if (loop.is_all || owner_of(loop, loop.factor * n + loop.offset) == bn_mythread())
            result.push_back(n);
    return result;
}

void expect_place(const Loop& loop, bn_i64 unit, bn_u64 where, bn_i64 shift)
{
    // Unsigned, because the first unit of a block may be below the least number
    bn_u64 block = static_cast<bn_u64>(loop.block), number = static_cast<bn_u64>(floor_of(unit, loop.block));
    bn_u64 row = static_cast<bn_u64>(floor_of(floor_of(unit, loop.block), bn_threads()));
    bn_u64 phase = static_cast<bn_u64>(unit) - number * block;
    EXPECT_EQ(where, bn_stride(static_cast<bn_u64>(owner_of(loop, unit)))) << "unit " << unit;
    EXPECT_EQ(static_cast<bn_u64>(shift) + static_cast<bn_u64>(unit), row * block + phase) << "unit " << unit;
}

void expect_right(const Loop& loop, std::vector<bn_i64> distances)
{
    std::vector<bn_i64> seen;
    std::vector<bn_beside> beside;
    for (bn_i64 distance : distances)
        beside.push_back({distance, 0, 0});
    bn_blocks p;
    auto first = [&] {
        if (!distances.empty())
            bn_first_piece_beside(&p, loop.start, loop.end, loop.offset, loop.block, loop.is_all, beside.data(),
                                  static_cast<int>(beside.size()));
        else if (loop.step == 1 && loop.factor == 1)
            bn_first_piece(&p, loop.start, loop.end, loop.offset, loop.block, loop.is_all);
        else
            bn_first_piece_apart(&p, loop.start, loop.end, loop.offset, loop.block, loop.is_all, loop.step,
                                 loop.factor);
    };
    for (first(); p.n < p.stop; bn_next_piece(&p)) {
        for (bn_i64 n = p.n; n < p.stop; n += loop.step) {
            seen.push_back(n);
            EXPECT_EQ(number_of(loop, n), number_of(loop, p.n));
            bn_i64 unit = loop.factor * n + loop.offset;
            expect_place(loop, unit, p.where, p.shift);
            for (const bn_beside& other : beside)
                expect_place(loop, unit + other.distance, other.where, other.shift);
        }
        ASSERT_LE(seen.size(), 10000u);
    }
    EXPECT_EQ(seen, expected(loop)) << loop.start << " " << loop.end << " " << loop.offset << " " << loop.block << " "
                                    << loop.is_all << " " << loop.step << " " << loop.factor << " on " << bn_mythread()
                                    << " of " << bn_threads();
}

TEST(Pieces, AreTheIterationsInOwnBlocks)
{
    SKIP_IF_NO_WINDOW();
    for (int threads : {1, 2, 3, 4, 7}) {
        run_job(threads, [] {
            for (bn_i64 start : {-40, -1, 0, 1, 5, 23})
                for (bn_i64 length : {-3, 0, 1, 2, 17, 90})
                    for (bn_i64 offset : {-7, 0, 3})
                        for (bn_i64 block : {1, 2, 5, 16})
                            for (int is_all : {0, 1})
                                expect_right({start, start + length, offset, block, is_all}, {});
        });
    }
}

// With one block after another, a thread's units have consecutive local numbers: those of all blocks are one piece.
void expect_joined(const Loop& loop)
{
    bn_blocks p;
    std::vector<bn_u64> seen, wanted;
    int pieces = 0;
    for (bn_first_piece_joined(&p, loop.start, loop.end, loop.offset, loop.block, loop.is_all); p.n < p.stop;
         bn_next_piece(&p)) {
        ASSERT_LE(++pieces, loop.is_all ? 1000 : 1);
        for (bn_i64 n = p.n; n < p.stop; n++)
            seen.push_back(p.where + static_cast<bn_u64>(p.shift) + static_cast<bn_u64>(n + loop.offset));
    }
    for (bn_i64 n : expected(loop)) {
        bn_i64 number = number_of(loop, n);
        bn_i64 phase = n + loop.offset - number * loop.block;
        wanted.push_back(bn_stride(static_cast<bn_u64>(owner_of(loop, n + loop.offset))) +
                         static_cast<bn_u64>(floor_of(number, bn_threads()) * loop.block + phase));
    }
    EXPECT_EQ(seen, wanted) << loop.start << " " << loop.end << " " << loop.offset << " " << loop.block << " "
                            << loop.is_all << " on " << bn_mythread() << " of " << bn_threads();
}

TEST(Pieces, AreJoined)
{
    SKIP_IF_NO_WINDOW();
    for (int threads : {1, 2, 3, 4, 7, 8}) {
        run_job(threads, [] {
            for (bn_i64 start : {-40, -1, 0, 1, 5, 23})
                for (bn_i64 length : {-30, -1, 0, 1, 2, 16, 17, 90, 91})
                    for (bn_i64 offset : {-7, 0, 3})
                        for (bn_i64 block : {1, 2, 5, 16, 200})
                            for (int is_all : {0, 1})
                                expect_joined({start, start + length, offset, block, is_all});
        });
    }
}

// The block after the last one, or before the first one, would be beyond what a number can hold.
TEST(Pieces, AtTheLargestNumbers)
{
    SKIP_IF_NO_WINDOW();
    constexpr bn_i64 kMost = std::numeric_limits<bn_i64>::max();
    for (int threads : {1, 2, 3, 7}) {
        run_job(threads, [] {
            for (bn_i64 length : {1, 5, 20, 90})
                for (bn_i64 offset : {bn_i64{-7}, bn_i64{0}, 60 - kMost})
                    for (bn_i64 block : {bn_i64{1}, bn_i64{5}, bn_i64{16}, kMost / 2})
                        for (int is_all : {0, 1}) {
                            expect_right({kMost - length, kMost, offset, block, is_all}, {});
                            expect_right({kMost - length - 3, kMost - 3, offset, block, is_all}, {-1, 3});
                            if (!is_all)
                                expect_joined({kMost - length, kMost, offset, block, is_all});
                        }
            for (bn_i64 block : {bn_i64{1}, bn_i64{5}, bn_i64{16}})
                for (int is_all : {0, 1})
                    expect_right({-kMost - 1, -kMost + 40, 0, block, is_all}, {});
        });
    }
}

TEST(Pieces, OfLoopsInSteps)
{
    SKIP_IF_NO_WINDOW();
    for (int threads : {1, 3, 4}) {
        run_job(threads, [] {
            for (bn_i64 start : {-40, 0, 5})
                for (bn_i64 step : {1, 2, 3, 7})
                    for (bn_i64 factor : {1, 2, 5, -1, -3})
                        for (bn_i64 offset : {-7, 0, 3})
                            for (bn_i64 block : {1, 3, 16})
                                for (int is_all : {0, 1})
                                    expect_right({start, start + 80, offset, block, is_all, step, factor}, {});
        });
    }
}

// Loops whose limit may change have no end here, but may have no iteration on some threads.
TEST(Pieces, EndWhereAThreadHasNone)
{
    SKIP_IF_NO_WINDOW();
    for (int threads : {1, 3, 4, 7}) {
        run_job(threads, [threads] {
            for (bn_i64 step : {1, 2, 7, 30})
                for (bn_i64 factor : {1, 5, threads, -3})
                    for (bn_i64 offset : {-7, 0, 3})
                        for (bn_i64 block : {1, 5, 16}) {
                            Loop loop{5, 5 + 2000 * step, offset, block, 0, step, factor};
                            std::vector<bn_i64> own = expected(loop);
                            bn_blocks p;
                            bn_first_piece_apart(&p, loop.start, bn_i64{1} << 62, offset, block, 0, step, factor);
                            EXPECT_EQ(p.n < p.stop, !own.empty()) << step << " " << factor << " " << block;
                            if (!own.empty()) {
                                EXPECT_EQ(p.n, own[0]) << step << " " << factor << " " << block;
                            }
                        }
        });
    }
}

TEST(Pieces, EndWhereNeighboursLeaveTheirBlocks)
{
    SKIP_IF_NO_WINDOW();
    const std::vector<std::vector<bn_i64>> kDistances = {{-1},      {1, -1},   {-3, 2, 1},   {16},
                                                         {-16, 17}, {40, -90}, {-1000, 1000}};
    for (int threads : {1, 2, 3, 4, 7}) {
        run_job(threads, [&] {
            for (const std::vector<bn_i64>& distances : kDistances)
                for (bn_i64 start : {-21, 0, 1, 30})
                    for (bn_i64 length : {0, 1, 20, 130})
                        for (bn_i64 offset : {0, 3})
                            for (bn_i64 block : {2, 5, 16})
                                for (int is_all : {0, 1})
                                    expect_right({start, start + length, offset, block, is_all}, distances);
        });
    }
}

}  // namespace
