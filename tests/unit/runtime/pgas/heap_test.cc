// The allocator, on memory of its own: blocks never overlap, and nothing is lost.
#include "pgas/heap.h"

#include "mib.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kLargePage = 256 * 1024;  // in heaps that have large pages

class Heap {
public:
    explicit Heap(uint64_t limit_bytes, uint64_t large_page_bytes = 0, uint64_t begin_bytes = 0)
        : limit_bytes_(limit_bytes), room_bytes(limit_bytes)
    {
        table_bytes_ = bn_heap_size_bytes(limit_bytes);
        heap = static_cast<bn_heap*>(map(table_bytes_));
        data = static_cast<unsigned char*>(map(limit_bytes));
        bn_heap_backing backing = {set_end, discard, this, large_page_bytes, begin_bytes};
        bn_heap_init(heap, limit_bytes, backing);
    }
    ~Heap()
    {
        munmap(heap, table_bytes_);
        munmap(data, limit_bytes_);
    }
    Heap(const Heap&) = delete;

    uint64_t alloc(uint64_t bytes) { return bn_heap_alloc(heap, bytes); }
    bn_heap_result free(uint64_t offset) { return bn_heap_free(heap, offset); }
    bn_heap_result free_remote(uint64_t offset) { return bn_heap_free_remote(heap, offset); }
    uint64_t used()
    {
        bn_heap_trim(heap);
        return bn_heap_used_bytes(heap);
    }

private:
    uint64_t limit_bytes_;
    uint64_t table_bytes_;

public:
    bn_heap* heap;
    unsigned char* data;
    uint64_t room_bytes;  // what the system would give
    uint64_t end_bytes = 0;
    uint64_t highest_end_bytes = 0;
    uint64_t discarded_bytes = 0;

private:
    static void* map(uint64_t bytes)
    {
        void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        EXPECT_NE(memory, MAP_FAILED);
        return memory;
    }
    static bool set_end(void* context, uint64_t end_bytes)
    {
        Heap* self = static_cast<Heap*>(context);
        if (end_bytes > self->room_bytes)
            return false;
        self->end_bytes = end_bytes;
        self->highest_end_bytes = std::max(self->highest_end_bytes, end_bytes);
        return true;
    }
    static void discard(void* context, uint64_t offset, uint64_t bytes)
    {
        Heap* self = static_cast<Heap*>(context);
        EXPECT_EQ(offset % kPage, 0u);
        EXPECT_EQ(bytes % kPage, 0u);
        EXPECT_LE(offset + bytes, self->highest_end_bytes);
        memset(self->data + offset, 0xdd, bytes);
        self->discarded_bytes += bytes;
    }
};

// A block filled with a pattern, which must be intact when the block is freed
struct Block {
    uint64_t offset;
    uint64_t bytes;
    uint64_t stamp;
};

void fill(Heap& heap, const Block& block)
{
    uint64_t head = std::min<uint64_t>(block.bytes, 8);
    memcpy(heap.data + block.offset, &block.stamp, head);
    memcpy(heap.data + block.offset + block.bytes - head, &block.stamp, head);
    // One byte in each page, so that overlapping blocks are noticed without touching all of their memory
    for (uint64_t at = kPage; at + 16 < block.bytes; at += kPage)
        heap.data[block.offset + at] = static_cast<unsigned char>(block.stamp);
}

bool is_whole(const Heap& heap, const Block& block)
{
    uint64_t head = std::min<uint64_t>(block.bytes, 8);
    for (uint64_t at = kPage; at + 16 < block.bytes; at += kPage)
        if (heap.data[block.offset + at] != static_cast<unsigned char>(block.stamp))
            return false;
    return memcmp(heap.data + block.offset + block.bytes - head, &block.stamp, head) == 0 &&
           (block.bytes < 16 || memcmp(heap.data + block.offset, &block.stamp, head) == 0);
}

uint64_t random_size(std::mt19937_64& random)
{
    uint64_t kind = random() % 100;
    if (kind < 60)
        return 1 + random() % 256;
    if (kind < 90)
        return 1 + random() % 16384;
    if (kind < 99)
        return 1 + random() % (128 * 1024);
    if (random() % 4 == 0)
        return (2 + random() % 6) * kLargePage;
    return 1 + random() % (2 * MiB);
}

TEST(Heap, AlignsForEveryType)
{
    Heap heap(64 * MiB);
    for (uint64_t bytes = 1; bytes < 40000; bytes += 1 + bytes / 50) {
        for (int i = 0; i < 5; i++) {
            uint64_t offset = heap.alloc(bytes);
            ASSERT_NE(offset, BN_HEAP_NONE) << bytes;
            EXPECT_EQ(offset % 16, 0u) << bytes;
            if (bytes >= 512) {
                EXPECT_EQ(offset % 64, 0u) << bytes;
            }
            EXPECT_LE(offset + bytes, heap.end_bytes) << bytes;
        }
    }
}

void call_at_random(uint64_t large_page_bytes, int calls)
{
    constexpr size_t kMaxLive = 3000;
    Heap heap(4096 * MiB, large_page_bytes, 5 * kPage);
    std::mt19937_64 random(1);
    std::vector<Block> live;
    uint64_t live_bytes = 0, most_live_bytes = 0;
    for (int i = 0; i < calls; i++) {
        bool allocates = live.empty() || (live.size() < kMaxLive && random() % 2 == 0);
        if (allocates) {
            Block block = {0, random_size(random), random()};
            block.offset = heap.alloc(block.bytes);
            ASSERT_NE(block.offset, BN_HEAP_NONE);
            fill(heap, block);
            live.push_back(block);
            live_bytes += block.bytes;
            most_live_bytes = std::max(most_live_bytes, live_bytes);
            continue;
        }
        size_t which = random() % live.size();
        ASSERT_TRUE(is_whole(heap, live[which])) << "call " << i << " size " << live[which].bytes;
        bool is_remote = random() % 4 == 0;
        ASSERT_EQ(is_remote ? heap.free_remote(live[which].offset) : heap.free(live[which].offset), BN_HEAP_FREED);
        live_bytes -= live[which].bytes;
        live[which] = live.back();
        live.pop_back();
    }
    for (const Block& block : live) {
        ASSERT_TRUE(is_whole(heap, block));
        ASSERT_EQ(heap.free(block.offset), BN_HEAP_FREED);
    }
    EXPECT_EQ(heap.used(), 0u);
    EXPECT_EQ(heap.end_bytes, 0u) << "everything is free, so the heap has shrunk to nothing";
    EXPECT_LT(heap.highest_end_bytes, most_live_bytes * 3 / 2) << "what was in use at most, and half of it for gaps";
}

TEST(Heap, TenMillionRandomCallsLoseNothing)
{
#if defined(BN_HAS_ASAN) || defined(BN_HAS_TSAN)
    constexpr int kCalls = 1000000;  // of one thread, which they slow down most
#else
    constexpr int kCalls = 10000000;
#endif
    call_at_random(0, kCalls * 9 / 10);
    call_at_random(kLargePage, kCalls / 10);
}

TEST(Heap, BlocksOfWholeLargePagesBeginAtOne)
{
    constexpr uint64_t kLarge = 2 * MiB, kBefore = 3 * kPage;
    Heap heap(64 * MiB, kLarge, kLarge + kBefore);
    auto is_aligned = [](uint64_t offset) { return (kBefore + offset) % kLarge == 0; };
    uint64_t small = heap.alloc(20000);
    uint64_t first = heap.alloc(2 * kLarge);
    uint64_t second = heap.alloc(3 * kLarge);
    EXPECT_TRUE(is_aligned(first));
    EXPECT_EQ(second, first + 2 * kLarge) << "one is right behind the other";
    EXPECT_LT(heap.alloc(20000), first) << "the gap serves small blocks";
    uint64_t guard = heap.alloc(3 * kLarge - 5 * kPage);
    EXPECT_EQ(heap.alloc(kLarge), guard + 3 * kLarge - 5 * kPage) << "blocks of one large page lie anywhere";
    EXPECT_FALSE(is_aligned(heap.alloc(2 * kLarge + kPage))) << "so do those of whole ones and a rest";
    uint64_t end = heap.end_bytes;

    EXPECT_EQ(heap.free(first), BN_HEAP_FREED);
    EXPECT_EQ(heap.alloc(2 * kLarge), first);
    EXPECT_EQ(heap.free(second), BN_HEAP_FREED);
    EXPECT_EQ(heap.alloc(2 * kLarge), second) << "from the front of a free run";
    EXPECT_EQ(heap.free(small), BN_HEAP_FREED);
    EXPECT_EQ(heap.end_bytes, end);
    EXPECT_TRUE(is_aligned(heap.alloc(2 * kLarge))) << "the rest of that run is too short";
    EXPECT_GE(heap.end_bytes, end + 2 * kLarge);
}

TEST(Heap, BlocksOfLargePagesFindRoomInsideOfFreeRuns)
{
    constexpr uint64_t kLarge = 64 * 1024;
    Heap heap(64 * MiB, kLarge);
    uint64_t before = heap.alloc(5 * kPage);
    uint64_t run = heap.alloc(5 * kLarge - kPage);
    uint64_t guard = heap.alloc(5 * kPage);
    uint64_t end = heap.end_bytes;
    EXPECT_EQ(heap.free(run), BN_HEAP_FREED);
    uint64_t block = heap.alloc(3 * kLarge);
    EXPECT_EQ(block, kLarge);
    EXPECT_EQ(heap.alloc(11 * kPage), 5 * kPage) << "in front of the block";
    EXPECT_EQ(heap.alloc(kLarge), block + 3 * kLarge) << "and behind it";
    EXPECT_EQ(heap.end_bytes, end);
    EXPECT_EQ(heap.free(before), BN_HEAP_FREED);
    EXPECT_EQ(heap.free(guard), BN_HEAP_FREED);
}

TEST(Heap, BlocksOfLargePagesLieAnywhereRatherThanNowhere)
{
    Heap heap(8 * MiB, 2 * MiB, kPage);
    EXPECT_EQ(heap.alloc(8 * MiB), 0u);
    Heap refused(64 * MiB, 2 * MiB, kPage);
    refused.room_bytes = 4 * MiB;
    EXPECT_EQ(refused.alloc(4 * MiB), 0u);
    EXPECT_EQ(refused.alloc(4 * MiB), BN_HEAP_NONE);
    EXPECT_EQ(refused.free(0), BN_HEAP_FREED);
    EXPECT_EQ(refused.end_bytes, 0u);
}

TEST(Heap, ReusesWhatWasFreed)
{
    for (uint64_t bytes : {16u, 100u, 1000u, 5000u, 20000u, 300000u}) {
        Heap heap(256 * MiB);
        std::vector<uint64_t> offsets;
        for (int i = 0; i < 100; i++)
            offsets.push_back(heap.alloc(bytes));
        uint64_t end = heap.end_bytes;
        for (int round = 0; round < 20; round++) {
            for (uint64_t offset : offsets)
                ASSERT_EQ(heap.free(offset), BN_HEAP_FREED);
            for (uint64_t& offset : offsets)
                offset = heap.alloc(bytes);
        }
        EXPECT_LE(heap.end_bytes, end + 64 * 1024) << bytes;
    }
}

TEST(Heap, JoinsNeighboursInAnyOrder)
{
    constexpr int kRuns = 6;
    std::vector<int> order = {0, 1, 2, 3, 4, 5};
    do {
        Heap heap(16 * MiB);
        uint64_t runs[kRuns];
        for (uint64_t& run : runs)
            run = heap.alloc(100000);
        uint64_t guard = heap.alloc(20000);
        uint64_t end = heap.end_bytes;
        for (int i : order)
            ASSERT_EQ(heap.free(runs[i]), BN_HEAP_FREED);
        ASSERT_EQ(heap.alloc(kRuns * 100000), runs[0]) << "the six free runs are one";
        EXPECT_EQ(heap.end_bytes, end);
        EXPECT_EQ(heap.free(runs[0]), BN_HEAP_FREED);
        EXPECT_EQ(heap.free(guard), BN_HEAP_FREED);
        EXPECT_EQ(heap.used(), 0u);
        EXPECT_EQ(heap.end_bytes, 0u);
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Heap, SaysWhenItIsFull)
{
    Heap heap(8 * MiB);
    EXPECT_EQ(heap.alloc(8 * MiB + 1), BN_HEAP_NONE);
    EXPECT_EQ(heap.alloc(UINT64_MAX), BN_HEAP_NONE);
    EXPECT_EQ(heap.alloc(UINT64_MAX - 4000), BN_HEAP_NONE);
    EXPECT_EQ(heap.alloc(UINT64_C(1) << 44), BN_HEAP_NONE);
    uint64_t all = heap.alloc(8 * MiB);
    ASSERT_EQ(all, 0u);
    EXPECT_EQ(heap.alloc(1), BN_HEAP_NONE);
    EXPECT_EQ(heap.free(all), BN_HEAP_FREED);

    uint64_t count = 0;
    while (heap.alloc(48) != BN_HEAP_NONE)
        count++;
    EXPECT_GT(count * 48, 8 * MiB * 98 / 100) << "small blocks fill the heap";
}

TEST(Heap, FillsTheLastPageWithSmallBlocks)
{
    Heap heap(kPage);
    EXPECT_NE(heap.alloc(16), BN_HEAP_NONE) << "there is no room for a slab, but for a block";
    EXPECT_EQ(heap.alloc(16), BN_HEAP_NONE);
}

TEST(Heap, TakesEmptySlabsBackForLargeBlocks)
{
    Heap heap(8 * MiB);
    std::vector<uint64_t> offsets;
    for (uint64_t bytes = 16; bytes <= 16384; bytes += 16)
        offsets.push_back(heap.alloc(bytes));
    for (uint64_t offset : offsets) {
        if (offset != BN_HEAP_NONE) {
            EXPECT_EQ(heap.free(offset), BN_HEAP_FREED);
        }
    }
    EXPECT_EQ(heap.alloc(8 * MiB), 0u);
}

TEST(Heap, FindsFitWhenTheSystemGivesNoMore)
{
    Heap heap(64 * MiB);
    // Runs of 16 and of 17 pages share a list, so a search for 17 skips the former; the fitting one is last in the list
    std::vector<uint64_t> runs;
    std::vector<uint64_t> guards;
    for (int i = 0; i < 40; i++) {
        runs.push_back(heap.alloc((i == 0 ? 17 : 16) * kPage));
        guards.push_back(heap.alloc(5 * kPage));
    }
    for (uint64_t run : runs)
        ASSERT_EQ(heap.free(run), BN_HEAP_FREED);
    heap.room_bytes = heap.end_bytes;
    EXPECT_EQ(heap.alloc(17 * kPage), runs[0]);
    EXPECT_EQ(heap.alloc(17 * kPage), BN_HEAP_NONE);
    for (uint64_t guard : guards)
        EXPECT_EQ(heap.free(guard), BN_HEAP_FREED);
}

TEST(Heap, GivesLargeFreedRangesBackToTheSystem)
{
    Heap heap(1024 * MiB);
    uint64_t first = heap.alloc(100 * MiB);
    uint64_t second = heap.alloc(100 * MiB);
    uint64_t guard = heap.alloc(20000);
    EXPECT_EQ(heap.free(first), BN_HEAP_FREED);
    EXPECT_EQ(heap.discarded_bytes, 100 * MiB);
    EXPECT_EQ(heap.free(second), BN_HEAP_FREED);
    EXPECT_GE(heap.discarded_bytes, 200 * MiB);
    EXPECT_EQ(heap.free(guard), BN_HEAP_FREED);
}

TEST(Heap, KeepsLittleForReuse)
{
    Heap heap(1024 * MiB);
    for (int i = 0; i < 100; i++) {
        uint64_t block = heap.alloc(MiB);
        EXPECT_EQ(heap.free(block), BN_HEAP_FREED);
    }
    EXPECT_EQ(heap.discarded_bytes, 0u) << "a block in use again and again stays in memory";
}

TEST(Heap, RefusesWrongPointers)
{
    Heap heap(64 * MiB);
    uint64_t small = heap.alloc(48);
    uint64_t large = heap.alloc(100000);
    EXPECT_EQ(heap.free(small + 16), BN_HEAP_INTERIOR);
    EXPECT_EQ(heap.free(small + 1), BN_HEAP_INTERIOR);
    EXPECT_EQ(heap.free_remote(small + 32), BN_HEAP_INTERIOR);
    EXPECT_EQ(heap.free(large + 64), BN_HEAP_INTERIOR);
    EXPECT_EQ(heap.free(large + kPage), BN_HEAP_NOT_ALLOCATED);
    EXPECT_EQ(heap.free(60 * MiB), BN_HEAP_NOT_ALLOCATED);
    EXPECT_EQ(heap.free(64 * MiB), BN_HEAP_NOT_ALLOCATED);
    EXPECT_EQ(heap.free(UINT64_MAX - 7), BN_HEAP_NOT_ALLOCATED);
    EXPECT_EQ(heap.free(small), BN_HEAP_FREED);
    EXPECT_EQ(heap.free(large), BN_HEAP_FREED);
}

TEST(Heap, NoticesEverySecondFree)
{
    Heap heap(64 * MiB);
    uint64_t keep = heap.alloc(48);
    uint64_t small = heap.alloc(48);
    uint64_t large = heap.alloc(100000);
    uint64_t guard = heap.alloc(100000);
    using Free = bn_heap_result (*)(bn_heap*, uint64_t);
    for (Free first : {bn_heap_free, bn_heap_free_remote}) {
        for (Free second : {bn_heap_free, bn_heap_free_remote}) {
            EXPECT_EQ(first(heap.heap, small), BN_HEAP_FREED);
            EXPECT_EQ(second(heap.heap, small), BN_HEAP_ALREADY_FREE);
            EXPECT_EQ(first(heap.heap, large), BN_HEAP_FREED);
            EXPECT_NE(second(heap.heap, large), BN_HEAP_FREED);
            bn_heap_trim(heap.heap);
            small = heap.alloc(48);
            large = heap.alloc(100000);
        }
    }
    EXPECT_EQ(heap.free(keep), BN_HEAP_FREED);
    EXPECT_EQ(heap.free(guard), BN_HEAP_FREED);
}

// The owner allocates and passes blocks to others, which check and free them, while it frees some itself.
TEST(Heap, OthersFreeWhileTheOwnerAllocates)
{
    constexpr int kOthers = 3;
    constexpr int kBlocks = 60000;
    constexpr int kSlots = 64;
    Heap heap(1024 * MiB);
    struct Mail {
        std::atomic<Block*> slots[kSlots] = {};
    };
    std::vector<Mail> mails(kOthers);
    std::atomic<bool> is_over{false};
    std::atomic<int> failures{0};
    std::vector<std::thread> others;
    for (int other = 0; other < kOthers; other++) {
        others.emplace_back([&, other] {
            for (;;) {
                bool was_over = is_over.load();
                bool found = false;
                for (std::atomic<Block*>& slot : mails[other].slots) {
                    Block* block = slot.exchange(nullptr);
                    if (!block)
                        continue;
                    found = true;
                    failures += !is_whole(heap, *block);
                    failures += heap.free_remote(block->offset) != BN_HEAP_FREED;
                    delete block;
                }
                if (!found && was_over)
                    return;
                if (!found)
                    std::this_thread::yield();
            }
        });
    }
    std::mt19937_64 random(7);
    for (int i = 0; i < kBlocks; i++) {
        Block* block = new Block{0, 1 + random() % (i % 50 == 0 ? 200000 : 300), random()};
        block->offset = heap.alloc(block->bytes);
        ASSERT_NE(block->offset, BN_HEAP_NONE);
        fill(heap, *block);
        Block* evicted = mails[random() % kOthers].slots[random() % kSlots].exchange(block);
        if (evicted) {
            EXPECT_TRUE(is_whole(heap, *evicted));
            EXPECT_EQ(heap.free(evicted->offset), BN_HEAP_FREED);
            delete evicted;
        }
    }
    is_over = true;
    for (std::thread& other : others)
        other.join();
    EXPECT_EQ(failures.load(), 0);
    EXPECT_EQ(heap.used(), 0u);
}

}  // namespace
