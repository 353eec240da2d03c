#include "platform/huge_pages.h"

#include "platform/memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

// A simulated machine with these settings; nullptr leaves a file out
class Settings {
public:
    Settings(const char* bytes, const char* all, const char* size = nullptr)
    {
        char name[] = "/tmp/banyan-huge-XXXXXX";
        root_ = mkdtemp(name);
        write("hpage_pmd_size", bytes);
        write("shmem_enabled", all);
        write("hugepages-2048kB/shmem_enabled", size);
    }
    ~Settings() { std::filesystem::remove_all(root_); }
    Settings(const Settings&) = delete;
    Settings& operator=(const Settings&) = delete;

    bn_huge_way way() const { return bn_huge_pages_read(root_.c_str()).way; }
    std::string why() const { return bn_huge_pages_read(root_.c_str()).why; }

private:
    void write(const std::string& name, const char* text) const
    {
        std::filesystem::path path = root_ / "sys/kernel/mm/transparent_hugepage" / name;
        if (!text)
            return;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text << "\n";
    }

    std::filesystem::path root_;
};

constexpr const char* kSize = "2097152";
constexpr const char* kNever = "always within_size advise [never] deny force";

TEST(HugePages, SettingsDecideTheWay)
{
    EXPECT_EQ(Settings(kSize, kNever).way(), BN_HUGE_ON_REQUEST);
    EXPECT_EQ(Settings(kSize, "always within_size [advise] never deny force").way(), BN_HUGE_ON_REQUEST);
    EXPECT_EQ(Settings(kSize, "[always] within_size advise never deny force").way(), BN_HUGE_ON_TOUCH);
    EXPECT_EQ(Settings(kSize, "always [within_size] advise never deny force").way(), BN_HUGE_ON_TOUCH);
    EXPECT_EQ(Settings(kSize, "always within_size advise never deny [force]").way(), BN_HUGE_ON_TOUCH);
}

TEST(HugePages, TheSwitchOfTheSizeGoesBeforeTheCommonOne)
{
    EXPECT_EQ(Settings(kSize, kNever, "[always] inherit within_size advise never").way(), BN_HUGE_ON_TOUCH);
    EXPECT_EQ(Settings(kSize, kNever, "always [inherit] within_size advise never").way(), BN_HUGE_ON_REQUEST);
    EXPECT_EQ(
        Settings(kSize, "[always] within_size advise never deny force", "always inherit within_size advise [never]")
            .way(),
        BN_HUGE_ON_REQUEST);
}

TEST(HugePages, WhatIsMissingIsSaid)
{
    EXPECT_EQ(Settings(nullptr, kNever).way(), BN_HUGE_NONE);
    EXPECT_EQ(Settings(nullptr, kNever).why(), "this system has no transparent huge pages");
    EXPECT_EQ(Settings("536870912", kNever).why(), "this system's huge pages are not of 2 MiB");
    EXPECT_EQ(Settings(kSize, nullptr).why(), "this system has no huge pages for memory files");
    EXPECT_EQ(Settings(kSize, "garbage").way(), BN_HUGE_NONE);
    EXPECT_EQ(Settings(kSize, "always within_size advise never [deny] force").why(),
              "transparent_hugepage/shmem_enabled is deny");
}

// Room for two huge pages at a multiple of their size, mapped from a memory file
class HugeRoom : public testing::Test {
protected:
    static constexpr uint64_t kPage = BN_HUGE_PAGE_BYTES;
    static constexpr uint64_t kBytes = 2 * kPage;

    void SetUp() override
    {
        if (bn_huge_pages_read("").way != BN_HUGE_ON_REQUEST || bn_huge_pages_try() != 0)
            GTEST_SKIP() << "this system gives no huge pages on request: " << bn_huge_pages_read("").why;
        ASSERT_EQ(bn_memory_reserve(0, kBytes, kPage, 1, &begin_), BN_OK);
        ASSERT_EQ(bn_memory_file_create("test", 0, &file_), BN_OK);
        ASSERT_TRUE(bn_memory_file_grow(file_, kBytes));
        ASSERT_EQ(bn_memory_file_map(file_, begin_, kBytes), BN_OK);
    }
    void TearDown() override
    {
        if (begin_ == 0)
            return;
        bn_memory_file_close(file_);
        bn_memory_release(begin_, kBytes);
    }
    // How many of the small pages are present
    uint64_t present() const
    {
        std::vector<unsigned char> is_there(kBytes / bn_memory_page_bytes());
        mincore(reinterpret_cast<void*>(begin_), kBytes, is_there.data());
        uint64_t count = 0;
        for (unsigned char flags : is_there)
            count += flags & 1;
        return count;
    }

    uint64_t begin_ = 0;
    int file_ = -1;
};

TEST_F(HugeRoom, WholeOnesAreTakenAndReadAsZero)
{
    int error = -1;
    errno = 77;
    EXPECT_FALSE(bn_huge_pages_are_touched(begin_, begin_ + kBytes));
    EXPECT_EQ(bn_huge_pages_take(begin_, begin_ + kBytes, &error), kBytes);
    EXPECT_EQ(error, 0);
    EXPECT_EQ(errno, 77);
    EXPECT_TRUE(bn_huge_pages_are_touched(begin_, begin_ + kBytes));
    EXPECT_EQ(present(), kBytes / bn_memory_page_bytes());
    for (uint64_t at = 0; at < kBytes; at += 4000)
        ASSERT_EQ(reinterpret_cast<const char*>(begin_)[at], 0);
}

TEST_F(HugeRoom, PartsOfOneAreLeftAlone)
{
    int error = -1;
    EXPECT_TRUE(bn_huge_pages_are_touched(begin_ + 64, begin_ + kPage + 64));
    EXPECT_EQ(bn_huge_pages_take(begin_ + 64, begin_ + kPage + 64, &error), 0u);
    EXPECT_EQ(error, 0);
    EXPECT_EQ(present(), 0u);
}

TEST_F(HugeRoom, WhatIsInUseStaysAsItIs)
{
    int error = -1;
    *reinterpret_cast<char*>(begin_) = 5;
    EXPECT_EQ(bn_huge_pages_take(begin_, begin_ + kBytes, &error), kPage);
    EXPECT_EQ(present(), 1 + kPage / bn_memory_page_bytes());
    EXPECT_EQ(*reinterpret_cast<const char*>(begin_), 5);
}

TEST_F(HugeRoom, ARefusalIsToldAndNothingIsTouchedBeyond)
{
    int error = 0;
    void* second = reinterpret_cast<void*>(begin_ + kPage);
    ASSERT_EQ(mprotect(second, kPage, PROT_NONE), 0);
    EXPECT_EQ(bn_huge_pages_take(begin_ + kPage, begin_ + kBytes, &error), 0u);
    EXPECT_NE(error, 0);
    EXPECT_EQ(present(), 0u);
}

}  // namespace
