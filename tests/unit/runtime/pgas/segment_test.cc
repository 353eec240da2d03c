#include "pgas/segment.h"

#include "mib.h"

#include "platform/huge_pages.h"
#include "platform/memory.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>

namespace {

constexpr uint64_t kAnywhere = 0;

class Segments : public testing::Test {
protected:
    void make(int threads, uint64_t static_bytes, uint64_t limit_bytes)
    {
        ASSERT_EQ(bn_segments_create(&segments, kAnywhere, threads, {static_bytes, 0}, limit_bytes), BN_OK);
        is_made = true;
    }
    void TearDown() override
    {
        if (is_made)
            bn_segments_destroy(&segments);
    }
    unsigned char* at(int thread, uint64_t offset)
    {
        return reinterpret_cast<unsigned char*>(bn_segment_address(&segments, thread, offset));
    }

    bn_segments segments;
    bool is_made = false;
};

TEST_F(Segments, StaticsAreThereAndZero)
{
    make(3, 2 * MiB, 16 * MiB);
    EXPECT_EQ(segments.base % (UINT64_C(1) << BN_STRIDE_SHIFT), 0u);
    for (int thread = 0; thread < 3; thread++) {
        EXPECT_EQ(*at(thread, 0), 0);
        EXPECT_EQ(*at(thread, 2 * MiB - 1), 0);
        *at(thread, 2 * MiB - 1) = static_cast<unsigned char>(thread + 1);
    }
    for (int thread = 0; thread < 3; thread++)
        EXPECT_EQ(*at(thread, 2 * MiB - 1), thread + 1);
}

TEST_F(Segments, LieAnywhereIfThereIsNoSuchAddress)
{
#ifdef BN_HAS_TSAN
    GTEST_SKIP() << "ThreadSanitizer takes a mapping at such an address for one at 0";
#endif
    const uint64_t nowhere = UINT64_C(1) << 57;
    ASSERT_EQ(bn_segments_create(&segments, nowhere, 2, {MiB, 0}, 16 * MiB), BN_OK);
    is_made = true;
    EXPECT_LT(segments.base, nowhere);
    *at(1, MiB - 1) = 1;
}

TEST_F(Segments, OtherProcessesSeeMemoryThatGrowsLater)
{
    make(2, 4096, 64 * MiB);
    pid_t child = fork();
    if (child == 0) {
        if (!bn_segment_set_local_end(&segments, 1, 8 * MiB) || !bn_segment_set_global_end(&segments, 8 * MiB))
            _exit(1);
        *at(1, BN_SEGMENT_HALF_BYTES + 8 * MiB - 1) = 42;
        *at(0, 4096 + 8 * MiB - 1) = 43;
        *at(1, 4096 + 8 * MiB - 1) = 44;
        _exit(0);
    }
    int status;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
    EXPECT_EQ(*at(1, BN_SEGMENT_HALF_BYTES + 8 * MiB - 1), 42);
    EXPECT_EQ(*at(0, 4096 + 8 * MiB - 1), 43);
    EXPECT_EQ(*at(1, 4096 + 8 * MiB - 1), 44);
}

TEST_F(Segments, LimitHoldsForBothHeapsTogether)
{
    make(2, 0, 32 * MiB);
    EXPECT_FALSE(bn_segment_set_local_end(&segments, 0, 32 * MiB + 4096));
    EXPECT_TRUE(bn_segment_set_local_end(&segments, 1, 20 * MiB));
    EXPECT_FALSE(bn_segment_set_global_end(&segments, 12 * MiB + 4096));
    EXPECT_TRUE(bn_segment_set_global_end(&segments, 12 * MiB));
    EXPECT_FALSE(bn_segment_set_local_end(&segments, 0, 20 * MiB + 4096)) << "the global heap is on all threads";
    EXPECT_TRUE(bn_segment_set_local_end(&segments, 0, 20 * MiB));
}

TEST_F(Segments, RoomThatOneHeapGivesUpServesTheOther)
{
    make(2, 0, 32 * MiB);
    EXPECT_TRUE(bn_segment_set_local_end(&segments, 1, 32 * MiB));
    EXPECT_FALSE(bn_segment_set_global_end(&segments, 4096));
    EXPECT_TRUE(bn_segment_set_local_end(&segments, 1, 0));
    EXPECT_TRUE(bn_segment_set_global_end(&segments, 32 * MiB));
    EXPECT_FALSE(bn_segment_set_local_end(&segments, 1, 4096));
    EXPECT_TRUE(bn_segment_set_global_end(&segments, 0));
    EXPECT_TRUE(bn_segment_set_local_end(&segments, 1, 32 * MiB));
}

TEST_F(Segments, DefaultLimitIsAShareOfTheMemory)
{
    make(2, 0, 0);
    uint64_t of_two = segments.limit_bytes;
    EXPECT_GT(of_two, 0u);
    bn_segments of_eight;
    ASSERT_EQ(bn_segments_create(&of_eight, kAnywhere, 8, {}, 0), BN_OK);
    EXPECT_LT(of_eight.limit_bytes, of_two / 2);
    bn_segments_destroy(&of_eight);
}

TEST_F(Segments, DiscardedMemoryReadsAsZeroEverywhere)
{
    make(2, 0, 64 * MiB);
    ASSERT_TRUE(bn_segment_set_local_end(&segments, 1, 4 * MiB));
    memset(at(1, BN_SEGMENT_HALF_BYTES), 1, 4 * MiB);
    bn_segment_discard(&segments, 1, BN_SEGMENT_HALF_BYTES + MiB, MiB);
    EXPECT_EQ(*at(1, BN_SEGMENT_HALF_BYTES + MiB - 1), 1);
    EXPECT_EQ(*at(1, BN_SEGMENT_HALF_BYTES + MiB), 0);
    EXPECT_EQ(*at(1, BN_SEGMENT_HALF_BYTES + 2 * MiB - 1), 0);
    EXPECT_EQ(*at(1, BN_SEGMENT_HALF_BYTES + 2 * MiB), 1);
}

TEST_F(Segments, UnallocatedMemoryIsABusError)
{
    make(1, 4096, 64 * MiB);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGBUS, SIG_DFL);
        *at(0, 40 * MiB) = 1;
        _exit(0);
    }
    int status;
    ASSERT_EQ(waitpid(child, &status, 0), child);
#if !defined(BN_HAS_ASAN) && !defined(BN_HAS_TSAN)
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGBUS);
#else
    EXPECT_NE(status, 0);
#endif
}

TEST_F(Segments, TellsWhatLiesAtAnAddress)
{
    make(2, 8192, 64 * MiB);
    ASSERT_TRUE(bn_segment_set_global_end(&segments, MiB));
    ASSERT_TRUE(bn_segment_set_local_end(&segments, 1, MiB));
    const uint64_t begin = segments.global_begin;
    EXPECT_EQ(begin, 8192 + bn_memory_page_bytes());
    struct {
        int thread;
        uint64_t offset;
        bn_segment_place place;
    } cases[] = {
        {0, 0, BN_PLACE_STATIC},
        {1, 8191, BN_PLACE_STATIC},
        {1, 8192, BN_PLACE_UNALLOCATED},  // the page that is nobody's
        {1, begin - 1, BN_PLACE_UNALLOCATED},
        {1, begin, BN_PLACE_GLOBAL_HEAP},
        {1, begin + MiB - 1, BN_PLACE_GLOBAL_HEAP},
        {0, begin + MiB, BN_PLACE_UNALLOCATED},
        {1, BN_SEGMENT_HALF_BYTES, BN_PLACE_LOCAL_HEAP},
        {1, BN_SEGMENT_HALF_BYTES + MiB - 1, BN_PLACE_LOCAL_HEAP},
        {1, BN_SEGMENT_HALF_BYTES + MiB, BN_PLACE_UNALLOCATED},
        {0, BN_SEGMENT_HALF_BYTES, BN_PLACE_UNALLOCATED},
        {1, BN_SEGMENT_BYTES - 1, BN_PLACE_UNALLOCATED},
        {0, BN_SEGMENT_BYTES, BN_PLACE_UNALLOCATED},  // between the segments
        {1, bn_stride(1) - 1, BN_PLACE_UNALLOCATED},
    };
    for (const auto& c : cases) {
        int thread = -1;
        uint64_t offset = 1;
        uint64_t address = bn_segment_address(&segments, c.thread, c.offset);
        EXPECT_EQ(bn_segment_classify(&segments, address, &thread, &offset), c.place) << c.offset;
        EXPECT_EQ(thread, c.thread);
        EXPECT_EQ(offset, c.offset);
    }
    EXPECT_EQ(bn_segment_bytes_behind(&segments, 0, begin + MiB + 5), 5u);
    EXPECT_EQ(bn_segment_bytes_behind(&segments, 0, 8192 + 3), 3u);
    EXPECT_EQ(bn_segment_bytes_behind(&segments, 0, BN_SEGMENT_HALF_BYTES + 7), 7u);
    EXPECT_EQ(bn_segment_bytes_behind(&segments, 1, BN_SEGMENT_HALF_BYTES + MiB + 9), 9u);
    int thread = 77;
    uint64_t offset = 77;
    EXPECT_EQ(bn_segment_classify(&segments, segments.base - 1, &thread, &offset), BN_PLACE_OUTSIDE);
    EXPECT_EQ(bn_segment_classify(&segments, segments.base + bn_stride(2), &thread, &offset), BN_PLACE_OUTSIDE);
    EXPECT_EQ(bn_segment_classify(&segments, 0, &thread, &offset), BN_PLACE_OUTSIDE);
    EXPECT_EQ(thread, 77);
    EXPECT_EQ(offset, 77u);
}

TEST_F(Segments, LeaveTheLowFileNumbersToTheProgram)
{
    int before = dup(0);
    close(before);
    make(4, 0, MiB);
    int after = dup(0);
    close(after);
    EXPECT_EQ(after, before);
    for (int thread = 0; thread < 4; thread++)
        EXPECT_GT(segments.lower_files[thread], after);
    rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    EXPECT_GE(static_cast<rlim_t>(segments.lower_files[0]) + 1, std::min<rlim_t>(limit.rlim_cur, 1000));
    EXPECT_LT(segments.lower_files[0], 5000) << "each fork copies a table up to the highest number";
}

// Mappings are copied when a thread is forked and removed when it ends, so with n threads there are n times n times as
// many
TEST_F(Segments, TakeTwoMappingsForEachThread)
{
    enum { kThreads = 5 };
    make(kThreads, 8192, MiB);
    std::ifstream maps("/proc/self/maps");
    int count = 0;
    for (std::string line; std::getline(maps, line);) {
        uint64_t first = strtoull(line.c_str(), nullptr, 16);
        count += first >= segments.base && first < segments.base + bn_stride(kThreads);
    }
    EXPECT_EQ(count, 2 * kThreads);
}

TEST(SegmentErrors, TakenRangeIsNamed)
{
    bn_segments first;
    bn_segments second;
    ASSERT_EQ(bn_segments_create(&first, kAnywhere, 1, {}, MiB), BN_OK);
    testing::internal::CaptureStderr();
    EXPECT_EQ(bn_segments_create(&second, first.base, 1, {}, MiB), BN_ERR_MEMORY);
    std::string message = testing::internal::GetCapturedStderr();
    EXPECT_NE(message.find("is taken by"), std::string::npos) << message;
    EXPECT_NE(message.find("memfd:banyan"), std::string::npos) << message;
    bn_segments_destroy(&first);
}

TEST(SegmentErrors, TooManyThreads)
{
    bn_segments segments;
    testing::internal::CaptureStderr();
    EXPECT_EQ(bn_segments_create(&segments, kAnywhere, BN_SEGMENT_MAX_THREADS + 1, {}, MiB), BN_ERR_LIMIT);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("1025 threads"), std::string::npos);
}

TEST(SegmentErrors, StaticsThatDoNotFitIntoMemory)
{
    bn_segments segments;
    testing::internal::CaptureStderr();
    EXPECT_EQ(bn_segments_create(&segments, kAnywhere, 1024, {UINT64_C(30) << 30, 0}, 0), BN_ERR_MEMORY);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("30T"), std::string::npos);
}

TEST_F(Segments, StaticsOfTheFirstThreadAloneCountOnce)
{
    constexpr int kThreads = 8;
    uint64_t bytes = std::min(bn_memory_available_bytes("") / 4, UINT64_C(15) << 30) / MiB * MiB;
    ASSERT_EQ(bn_segments_create(&segments, kAnywhere, kThreads, {bytes, bytes}, 0), BN_OK);
    is_made = true;
    EXPECT_GT(segments.limit_bytes, bytes / kThreads) << "the heaps have the rest";
    EXPECT_EQ(*at(kThreads - 1, bytes - 1), 0) << "and there is room of the same size on each";
}

// In processes of their own, since limits cannot be raised again
int status_under_limit(int resource, rlim_t limit, const char* expected_text)
{
    pid_t child = fork();
    if (child == 0) {
        rlimit limits = {limit, limit};
        setrlimit(static_cast<__rlimit_resource>(resource), &limits);
        bn_segments segments;
        testing::internal::CaptureStderr();
        bn_status_t status = bn_segments_create(&segments, kAnywhere, 8, {}, MiB);
        std::string message = testing::internal::GetCapturedStderr();
        if (status == BN_OK || message.find(expected_text) == std::string::npos) {
            fprintf(stderr, "status %d: %s\n", status, message.c_str());
            _exit(1);
        }
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

TEST(SegmentErrors, TooFewOpenFiles)
{
    EXPECT_EQ(status_under_limit(RLIMIT_NOFILE, 50, "ulimit -n"), 0);
}

TEST_F(Segments, LargeBlocksAskForHugePagesIfTheyMay)
{
    make(1, 0, 64 * MiB);
    ASSERT_TRUE(bn_segment_set_local_end(&segments, 0, 16 * MiB));
    unsigned char* block = at(0, BN_SEGMENT_HALF_BYTES);
    auto present = [block](uint64_t offset) {
        unsigned char is_there = 0;
        mincore(block + offset, 4096, &is_there);
        return (is_there & 1) != 0;
    };
    bn_segment_use_huge_pages(&segments, 0, BN_SEGMENT_HALF_BYTES, 8 * MiB);
    EXPECT_FALSE(present(MiB));
    segments.asks_for_huge_pages = true;
    bn_segment_use_huge_pages(&segments, 0, BN_SEGMENT_HALF_BYTES, 8 * MiB);
    if (bn_huge_pages_read("").way != BN_HUGE_ON_REQUEST || bn_huge_pages_try() != 0)
        GTEST_SKIP() << "this system gives no huge pages on request";
    EXPECT_TRUE(present(MiB));
    EXPECT_TRUE(present(8 * MiB - 4096));
    EXPECT_FALSE(present(9 * MiB));
}

TEST_F(Segments, ABlockBeyondTheShareInWhatIsAvailableAsksForNone)
{
    uint64_t share = bn_memory_available_bytes("") / 2 / 4;
    if (share > BN_SEGMENT_HALF_BYTES / 4)
        GTEST_SKIP() << "this machine has more memory than a heap may have";
    make(4, 0, 3 * share);
    segments.asks_for_huge_pages = true;
    ASSERT_TRUE(bn_segment_set_local_end(&segments, 0, 2 * share / 4096 * 4096));
    bn_segment_use_huge_pages(&segments, 0, BN_SEGMENT_HALF_BYTES, 2 * share / 4096 * 4096);
    unsigned char is_there = 1;
    EXPECT_EQ(mincore(at(0, BN_SEGMENT_HALF_BYTES), 4096, &is_there), 0);
    EXPECT_EQ(is_there & 1, 0);
}

TEST(SegmentErrors, TooLittleAddressSpace)
{
#if defined(BN_HAS_ASAN) || defined(BN_HAS_TSAN)
    GTEST_SKIP() << "sanitizers need more address space than the limit";
#endif
    EXPECT_EQ(status_under_limit(RLIMIT_AS, UINT64_C(1) << 32, "ulimit -v"), 0);
}

TEST(SegmentErrors, GrowthBeyondTheFileLimitIsRefusedQuietly)
{
    pid_t child = fork();
    if (child == 0) {
        rlimit limits = {4 * MiB, 4 * MiB};
        setrlimit(RLIMIT_FSIZE, &limits);
        bn_segments segments;
        if (bn_segments_create(&segments, kAnywhere, 1, {}, 64 * MiB) != BN_OK)
            _exit(1);
        bool has_grown = bn_segment_set_local_end(&segments, 0, 2 * MiB);
        _exit(has_grown && !bn_segment_set_local_end(&segments, 0, 8 * MiB) ? 0 : 2);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

}  // namespace
