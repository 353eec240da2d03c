#include "upc/io/move.h"

#include "upc/job.h"
#include "upc/io/transfer.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <random>

namespace {

// An unnamed file
class Move : public testing::Test {
protected:
    Move()
    {
        char pattern[] = "/tmp/banyan-io-XXXXXX";
        file.descriptor = mkstemp(pattern);
        unlink(pattern);
    }

    ~Move() override
    {
        close(file.descriptor);
        free(buffer.memory);
    }

    // Moves between ranges and regions of private memory; returns the bytes, and sets calls.
    int64_t move(bn_io_direction direction, const std::vector<bn_io_region>& regions,
                 const std::vector<upc_filevec>& list)
    {
        int64_t moved = -1;
        bn_io_ranges ranges = {};
        ranges.list = list.data();
        ranges.count = list.size();
        uint64_t before = file.calls;
        EXPECT_EQ(
            bn_io_move(&file, direction, bn_io_memory_begin(regions.data(), regions.size()), &ranges, &buffer, &moved),
            0);
        calls = file.calls - before;
        return moved;
    }

    void fill(size_t bytes)
    {
        std::vector<unsigned char> content(bytes);
        for (size_t i = 0; i < bytes; i++)
            content[i] = static_cast<unsigned char>(i * 31 >> 3);
        ASSERT_EQ(pwrite(file.descriptor, content.data(), bytes, 0), static_cast<ssize_t>(bytes));
    }

    bn_storage file = {-1, false, 0};
    bn_io_buffer buffer = {nullptr, BN_IO_BUFFER_BYTES};
    uint64_t calls = 0;
};

std::vector<bn_io_region> pieces(std::vector<unsigned char>& memory, size_t bytes, size_t distance)
{
    std::vector<bn_io_region> regions;
    for (size_t at = 0; at + bytes <= memory.size(); at += distance)
        regions.push_back(bn_io_region_private(&memory[at], bytes));
    return regions;
}

TEST_F(Move, OnePieceIsOneCall)
{
    std::vector<unsigned char> memory(10 << 20, 5);
    EXPECT_EQ(move(BN_IO_WRITE, pieces(memory, memory.size(), memory.size()), {{0, memory.size()}}), 10 << 20);
    EXPECT_EQ(calls, 1u);
    EXPECT_EQ(buffer.memory, nullptr);
}

TEST_F(Move, SmallPiecesOfMemoryGoThroughTheBuffer)
{
    std::vector<unsigned char> memory(1 << 20, 5);
    std::vector<bn_io_region> regions = pieces(memory, 8, 16);
    size_t bytes = regions.size() * 8;
    EXPECT_EQ(move(BN_IO_WRITE, regions, {{0, bytes}}), static_cast<int64_t>(bytes));
    EXPECT_EQ(calls, bytes / BN_IO_BUFFER_BYTES);
    EXPECT_EQ(move(BN_IO_READ, regions, {{0, bytes}}), static_cast<int64_t>(bytes));
    EXPECT_EQ(calls, bytes / BN_IO_BUFFER_BYTES);
}

TEST_F(Move, LargePiecesOfMemoryGoInLists)
{
    std::vector<unsigned char> memory(8 << 20, 5);
    std::vector<bn_io_region> regions = pieces(memory, 4096, 8192);
    size_t bytes = regions.size() * 4096;
    EXPECT_EQ(move(BN_IO_WRITE, regions, {{0, bytes}}), static_cast<int64_t>(bytes));
    EXPECT_EQ(calls, regions.size() / BN_STORAGE_PIECES);
    EXPECT_EQ(buffer.memory, nullptr);
}

TEST_F(Move, RangesThatTouchAreOneCall)
{
    std::vector<unsigned char> memory(1000, 5);
    EXPECT_EQ(
        move(BN_IO_WRITE, {bn_io_region_private(memory.data(), 1000)}, {{5, 100}, {105, 0}, {105, 200}, {305, 700}}),
        1000);
    EXPECT_EQ(calls, 1u);
}

TEST_F(Move, NearRangesAreReadTogetherAndWrittenAlone)
{
    fill(1 << 20);
    std::vector<unsigned char> memory(1000 * 10);
    std::vector<upc_filevec> ranges;
    for (int64_t i = 0; i < 1000; i++)
        ranges.push_back({i * 100, 10});
    EXPECT_EQ(move(BN_IO_READ, {bn_io_region_private(memory.data(), memory.size())}, ranges), 10000);
    EXPECT_EQ(calls, 1u);
    for (size_t i = 0; i < memory.size(); i++)
        ASSERT_EQ(memory[i], static_cast<unsigned char>((i / 10 * 100 + i % 10) * 31 >> 3));
    EXPECT_EQ(move(BN_IO_WRITE, {bn_io_region_private(memory.data(), memory.size())}, ranges), 10000);
    EXPECT_EQ(calls, 1000u);
}

TEST_F(Move, NothingIsWrittenBesideTheRanges)
{
    fill(10000);
    std::vector<unsigned char> memory(300, 0xee), before(10000), after(10000);
    ASSERT_EQ(pread(file.descriptor, before.data(), 10000, 0), 10000);
    move(BN_IO_WRITE, pieces(memory, 3, 3), {{7, 100}, {120, 1}, {4000, 199}});
    ASSERT_EQ(pread(file.descriptor, after.data(), 10000, 0), 10000);
    for (size_t i = 0; i < 10000; i++) {
        bool is_written = (i >= 7 && i < 107) || i == 120 || (i >= 4000 && i < 4199);
        ASSERT_EQ(after[i], is_written ? 0xee : before[i]) << i;
    }
}

// Random pieces compared with a loop over bytes, with overlapping ranges and a file that ends early
TEST_F(Move, ReadsWhatALoopOverBytesReads)
{
    enum { FILE_BYTES = 600000 };
    fill(FILE_BYTES);
    std::mt19937 random(7);
    auto choose = [&](size_t n) { return static_cast<size_t>(random()) % n; };
    for (int round = 0; round < 300; round++) {
        std::vector<unsigned char> memory(900000, 0xaa), expected;
        std::vector<bn_io_region> regions;
        std::vector<upc_filevec> ranges;
        size_t longest = round % 3 == 0 ? 20 : round % 3 == 1 ? 3000 : 200000;
        size_t at = 0;
        for (size_t piece = choose(longest); regions.size() < 100 && at + piece < memory.size();
             piece = choose(longest)) {
            regions.push_back(bn_io_region_private(&memory[at], piece));
            at += piece + choose(3) * 5;
        }
        expected = memory;
        size_t left = 0;
        for (const bn_io_region& region : regions)
            left += region.bytes;
        int64_t offset = static_cast<int64_t>(choose(FILE_BYTES));
        while (left > 0) {
            size_t bytes = std::min(left, choose(longest) + 1);
            ranges.push_back({offset, bytes});
            left -= bytes;
            offset += static_cast<int64_t>(choose(4) == 0 ? choose(2) : bytes + choose(3) * choose(6000));
        }
        size_t nth = 0, within = 0;
        int64_t count = 0;
        bool has_ended = false;
        for (const upc_filevec& range : ranges) {
            for (size_t k = 0; k < range.len && !has_ended; k++) {
                size_t place = static_cast<size_t>(range.offset) + k;
                while (within == regions[nth].bytes) {
                    nth++;
                    within = 0;
                }
                has_ended = place >= FILE_BYTES;
                if (has_ended)
                    break;
                size_t to =
                    static_cast<size_t>(regions[nth].address - reinterpret_cast<bn_u64>(memory.data())) + within++;
                expected[to] = static_cast<unsigned char>(place * 31 >> 3);
                count++;
            }
        }
        ASSERT_EQ(move(BN_IO_READ, regions, ranges), count) << round;
        ASSERT_TRUE(memory == expected) << round;
    }
}

// The parts of all threads together are the whole, each byte once, on the thread that has it.
void check_cut(int thread, size_t block, size_t bytes, int64_t position)
{
    bn_pts_t start =
        bn_at(reinterpret_cast<void*>(bn_self.window_base + bn_stride(static_cast<bn_u64>(thread)) + 4096));
    bn_io_region whole = bn_io_region_shared(start, block, bytes);
    struct Piece {
        int64_t offset;
        bn_u64 address, bytes;
    };
    std::vector<Piece> found;
    for (int t = 0; t < threads(); t++) {
        bn_io_region part;
        bn_io_ranges ranges;
        bn_io_cut(&whole, position, t, &part, &ranges);
        bn_io_memory memory = bn_io_memory_begin(&part, 1);
        bn_io_file_place place = bn_io_file_begin(&ranges);
        while (place.range_bytes > 0) {
            ASSERT_GT(memory.extent_bytes, 0u);
            if (block >= 1 << 20 && threads() > 1 && bytes > block) {
                ASSERT_EQ(bn_thread_of_address(memory.address), static_cast<bn_u32>(t)) << "not its own block";
            }
            bn_u64 now = std::min(place.range_bytes, memory.extent_bytes);
            found.push_back({place.offset, memory.address, now});
            bn_io_memory_advance(&memory, now);
            bn_io_file_advance(&place, now);
        }
        ASSERT_EQ(memory.extent_bytes, 0u);
    }
    std::sort(found.begin(), found.end(), [](const Piece& a, const Piece& b) { return a.offset < b.offset; });
    int64_t offset = position;
    start.phase = 0;
    for (const Piece& piece : found) {
        ASSERT_EQ(piece.offset, offset);
        bn_u64 k = static_cast<bn_u64>(offset - position);
        bn_pts_t at = block == 0 ? bn_add_indef(start, static_cast<bn_i64>(k), 1)
                                 : bn_add_block(start, static_cast<bn_i64>(k), block, 1);
        ASSERT_EQ(piece.address, at.addr);
        offset += static_cast<int64_t>(piece.bytes);
    }
    ASSERT_EQ(offset, position + static_cast<int64_t>(bytes));
}

TEST(Cut, PartsAreTheWhole)
{
    SKIP_IF_NO_WINDOW();
    for (int count : {1, 2, 3, 8}) {
        run_job(count, [] {
            if (me() != 0)
                return;
            for (size_t block : {0, 1000, 4096, 65535, 300000, 1 << 20, 1100000})
                for (size_t bytes : {1, 4096, 65536, 131071, 131072, 500000, 2000000, 9 << 20})
                    for (int64_t position : {0, 1, 4095, 123456789})
                        for (int thread : {0, threads() - 1})
                            check_cut(thread, block, bytes, position);
        });
    }
}

}  // namespace
