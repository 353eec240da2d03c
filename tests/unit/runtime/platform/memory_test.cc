#include "platform/memory.h"

#include "mib.h"
#include "platform/shared_file.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

bool are_pages_absent = false;  // what mincore says

}  // namespace

// As for pages that are swapped out
extern "C" int mincore(void* begin, size_t size_bytes, unsigned char* is_there) noexcept
{
    int status = static_cast<int>(syscall(SYS_mincore, begin, size_bytes, is_there));
    if (status == 0 && are_pages_absent)
        memset(is_there, 0, (size_bytes + bn_memory_page_bytes() - 1) / bn_memory_page_bytes());
    return status;
}

namespace {

constexpr uint64_t GiB = UINT64_C(1) << 30;

TEST(Memory, ReservesAlignedAddressSpaceAnywhere)
{
    uint64_t address;
    ASSERT_EQ(bn_memory_reserve(0, 4 * GiB, 4 * GiB, 1, &address), BN_OK);
    EXPECT_EQ(address % (4 * GiB), 0u);
    uint64_t same;
    bn_memory_release(address, 4 * GiB);
    ASSERT_EQ(bn_memory_reserve(address, 4 * GiB, 0, 1, &same), BN_OK);
    EXPECT_EQ(same, address);
    EXPECT_TRUE(bn_memory_is_taken(address));
    bn_memory_release(address, 4 * GiB);
    EXPECT_FALSE(bn_memory_is_taken(address));
}

TEST(Memory, KnowsHowHighAddressesAre)
{
#ifdef BN_HAS_TSAN
    GTEST_SKIP() << "ThreadSanitizer takes a mapping at such an address for one at 0";
#endif
    uint64_t address;
    ASSERT_EQ(bn_memory_reserve(0, MiB, MiB, 1, &address), BN_OK);
    EXPECT_TRUE(bn_memory_has_address(address + MiB - 1));
    bn_memory_release(address, MiB);
    EXPECT_TRUE(bn_memory_has_address(address));
    EXPECT_FALSE(bn_memory_is_taken(address));
    EXPECT_FALSE(bn_memory_has_address(UINT64_C(1) << 57));
}

TEST(Memory, FilesGrowNeverShrink)
{
    int file;
    ASSERT_EQ(bn_memory_file_create("test", 0, &file), BN_OK);
    EXPECT_TRUE(bn_memory_file_grow(file, MiB));
    errno = 77;
    EXPECT_FALSE(bn_memory_file_grow(file, 4096));
    EXPECT_EQ(errno, 77);
    struct stat status;
    fstat(file, &status);
    EXPECT_EQ(static_cast<uint64_t>(status.st_size), MiB);
    bn_memory_file_close(file);
}

TEST(Memory, WhatAJobCannotDoWithoutIsNamedWithTheReason)
{
    int file;
    ASSERT_EQ(bn_memory_file_create("test", 0, &file), BN_OK);
    EXPECT_EQ(bn_memory_file_hold(file, MiB, "tests"), BN_OK);
    EXPECT_EQ(bn_memory_file_hold(file, 0, "tests"), BN_OK);
    testing::internal::CaptureStderr();
    EXPECT_EQ(bn_memory_file_hold(file, 4096, "tests"), BN_ERR_MEMORY);  // which would shrink it
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "banyan: cannot make room for 4K of tests: Operation not permitted; the container or sandbox must "
              "allow the system calls memfd_create and ftruncate\n");
    bn_memory_file_close(file);
}

// The flags of the mapping that begins at an address, as /proc/self/smaps has them
std::set<std::string> flags_at(uint64_t address)
{
    std::ifstream maps("/proc/self/smaps");
    char begin[32];
    snprintf(begin, sizeof begin, "%llx-", (unsigned long long)address);
    bool is_there = false;
    for (std::string line, flag; std::getline(maps, line);) {
        is_there = is_there || line.rfind(begin, 0) == 0;
        if (!is_there || line.rfind("VmFlags:", 0) != 0)
            continue;
        std::istringstream words(line.substr(sizeof "VmFlags:" - 1));
        std::set<std::string> flags;
        while (words >> flag)
            flags.insert(flag);
        return flags;
    }
    return {};
}

TEST(Memory, CoreFilesLeaveOutWhatIsMapped)
{
    uint64_t address;
    int file;
    ASSERT_EQ(bn_memory_reserve(0, 64 * GiB, GiB, 1, &address), BN_OK);
    ASSERT_EQ(bn_memory_file_create("test", 0, &file), BN_OK);
    ASSERT_EQ(bn_memory_file_map(file, address, 64 * GiB), BN_OK);
    EXPECT_EQ(flags_at(address).count("dd"), 1u);
    bn_memory_release(address, 64 * GiB);
    bn_memory_file_close(file);

    char path[BN_SHARED_FILE_PATH_BYTES];
    file = bn_shared_file_make(GiB, path);
    ASSERT_GE(file, 0);
    void* memory = bn_shared_file_map(file, GiB, 0);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(flags_at(reinterpret_cast<uint64_t>(memory)).count("dd"), 1u);
    bn_shared_file_unmap(memory, GiB);
    bn_shared_file_close(file);

    ASSERT_EQ(bn_memory_share(GiB, &memory), BN_OK);
    EXPECT_EQ(flags_at(reinterpret_cast<uint64_t>(memory)).count("dd"), 1u);
    bn_memory_unshare(memory, GiB);
}

// Then a killed process leaves nothing behind.
TEST(Memory, FilesOfFoldersNeedNoName)
{
    char folder[] = "/tmp/banyan-XXXXXX", path[BN_SHARED_FILE_PATH_BYTES];
    ASSERT_NE(mkdtemp(folder), nullptr);
    int named = bn_shared_file_make_in(folder, MiB, path);
    ASSERT_GE(named, 0);
    EXPECT_EQ(access(path, F_OK), 0);
    bn_shared_file_close(named);
    bn_shared_file_remove(path);
    int file = bn_shared_file_make_in(folder, MiB, nullptr);
    EXPECT_EQ(rmdir(folder), 0) << "it is empty";
    if (file < 0)
        GTEST_SKIP() << "files of this folder have names";
    void* memory = bn_shared_file_map(file, MiB, 0);
    EXPECT_NE(memory, nullptr);
    bn_shared_file_unmap(memory, MiB);
    bn_shared_file_close(file);
}

TEST(Memory, ZerosTakeNoMemory)
{
    const uint64_t bytes = UINT64_C(1) << 33;
    void* memory;
    ASSERT_EQ(bn_memory_zeros(bytes, &memory), BN_OK);
    for (uint64_t at : {UINT64_C(0), bytes / 2 + 1, bytes - 1})
        EXPECT_EQ(static_cast<const char*>(memory)[at], 0);
    bn_memory_release(reinterpret_cast<uint64_t>(memory), bytes);
}

TEST(Memory, SharedMemoryIsZeroAndSharedWithChildren)
{
    void* memory;
    ASSERT_EQ(bn_memory_share(MiB, &memory), BN_OK);
    unsigned char* bytes = static_cast<unsigned char*>(memory);
    EXPECT_EQ(bytes[0], 0);
    EXPECT_EQ(bytes[MiB - 1], 0);
    pid_t child = fork();
    if (child == 0) {
        bytes[MiB - 1] = 9;
        _exit(0);
    }
    waitpid(child, nullptr, 0);
    EXPECT_EQ(bytes[MiB - 1], 9);
    bn_memory_unshare(memory, MiB);
}

// ---- Available memory, on simulated machines ----

class MemoryMachine : public testing::Test {
protected:
    void SetUp() override
    {
        char name[] = "/tmp/banyan-memory-XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        root = name;
        write("proc/meminfo",
              "MemTotal:       16777216 kB\nMemFree:         1048576 kB\nMemAvailable:    8388608 kB\n");
    }
    void TearDown() override { std::filesystem::remove_all(root); }
    void write(const std::string& path, const std::string& text)
    {
        std::filesystem::create_directories(std::filesystem::path(root + "/" + path).parent_path());
        std::ofstream(root + "/" + path) << text;
    }
    void mount_version_2(const std::string& group)
    {
        write("proc/self/mountinfo",
              "22 28 0:20 / /sys rw shared:7 - sysfs sysfs rw\n"
              "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
        write("proc/self/cgroup", "0::" + group + "\n");
    }
    void group_of_version_2(const std::string& path, const std::string& limit, uint64_t usage, uint64_t cache)
    {
        std::string folder = "sys/fs/cgroup" + path + "/";
        write(folder + "memory.max", limit + "\n");
        write(folder + "memory.current", std::to_string(usage) + "\n");
        write(folder + "memory.stat", "anon 5\nfile 7\ninactive_file " + std::to_string(cache) + "\nactive_file 3\n");
    }
    uint64_t available() { return bn_memory_available_bytes(root.c_str()); }

    std::string root;
};

TEST_F(MemoryMachine, WithoutGroupsIsWhatTheSystemHas)
{
    EXPECT_EQ(available(), 8 * GiB);
}

TEST_F(MemoryMachine, OldSystemsTellFreeMemoryOnly)
{
    write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree:         1048576 kB\n");
    EXPECT_EQ(available(), 1 * GiB);
}

TEST_F(MemoryMachine, GroupLimitLessUsagePlusCacheThatCanGo)
{
    mount_version_2("/job");
    group_of_version_2("/job", std::to_string(2 * GiB), GiB, 256 * MiB);
    EXPECT_EQ(available(), GiB + 256 * MiB);
}

TEST_F(MemoryMachine, GroupWithoutLimit)
{
    mount_version_2("/job");
    group_of_version_2("/job", "max", GiB, 0);
    EXPECT_EQ(available(), 8 * GiB);
}

TEST_F(MemoryMachine, GroupThatIsOverItsLimit)
{
    mount_version_2("/job");
    group_of_version_2("/job", std::to_string(GiB), 2 * GiB, 0);
    EXPECT_EQ(available(), 0u);
}

TEST_F(MemoryMachine, TightestOfNestedGroupsCounts)
{
    mount_version_2("/outer/middle/inner");
    group_of_version_2("/outer", std::to_string(4 * GiB), GiB, 0);
    group_of_version_2("/outer/middle", std::to_string(3 * GiB), 2 * GiB + 512 * MiB, 0);
    group_of_version_2("/outer/middle/inner", "max", 0, 0);
    EXPECT_EQ(available(), 512 * MiB);
}

TEST_F(MemoryMachine, ContainerWhosePathIsTheHosts)
{
    mount_version_2("/system.slice/docker-abc.scope");
    group_of_version_2("", std::to_string(GiB), 256 * MiB, 0);
    EXPECT_EQ(available(), GiB - 256 * MiB);
}

TEST_F(MemoryMachine, GroupsOfVersionOne)
{
    write("proc/self/mountinfo", "31 30 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
                                 "33 30 0:29 / /sys/fs/cgroup/no_memory rw - cgroup cgroup rw,name=memory_of_ours\n"
                                 "32 30 0:28 / /sys/fs/cgroup/memory rw shared:10 - cgroup cgroup rw,memory\n");
    write("proc/self/cgroup", "5:cpu,cpuacct:/\n6:name=memory_of_ours:/outer\n4:memory:/outer/inner\n0::/\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    write("sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n");
    write("sys/fs/cgroup/memory/outer/memory.limit_in_bytes", std::to_string(2 * GiB));
    write("sys/fs/cgroup/no_memory/outer/memory.limit_in_bytes", "4096\n");
    write("sys/fs/cgroup/memory/outer/memory.usage_in_bytes", std::to_string(GiB));
    write("sys/fs/cgroup/memory/outer/memory.stat", "cache 1\ninactive_file 4096\ntotal_inactive_file 1048576\n");
    EXPECT_EQ(available(), GiB + MiB);
}

TEST(MemoryHere, SomeIsAvailableAndNotMoreThanThereIs)
{
    uint64_t available = bn_memory_available_bytes("");
    uint64_t total = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * bn_memory_page_bytes();
    EXPECT_GT(available, 0u);
    EXPECT_LE(available, total);
}

TEST(MemoryHere, ClearedPagesAreZeroAndUntouchedOnesStaySo)
{
    const uint64_t page = bn_memory_page_bytes(), count = 10000;
    void* memory = nullptr;
    ASSERT_EQ(bn_memory_share(count * page, &memory), BN_OK);
    auto* bytes = static_cast<unsigned char*>(memory);
    const std::set<uint64_t> written = {0, 1, 4095, 4096, 8191, 9999};
    for (uint64_t index : written)
        memset(bytes + index * page, 0xA5, page);
    bn_memory_clear(memory, count * page);
    std::vector<unsigned char> is_there(count);
    ASSERT_EQ(mincore(memory, count * page, is_there.data()), 0);
    uint64_t touched = 0;
    for (unsigned char state : is_there)
        touched += state & 1;
    EXPECT_LT(touched, count / 2); /* the system may bring neighbours in */
    for (uint64_t index : written)
        for (uint64_t i = 0; i < page; i++)
            ASSERT_EQ(bytes[index * page + i], 0) << index << " " << i;
    bn_memory_unshare(memory, count * page);
}

TEST(MemoryHere, PagesThatAreSwappedOutAreCleared)
{
    const uint64_t size_bytes = 3 * bn_memory_page_bytes();
    void* shared = nullptr;
    ASSERT_EQ(bn_memory_share(size_bytes, &shared), BN_OK);
    void* own = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(own, MAP_FAILED);
    for (void* memory : {shared, own}) {
        memset(memory, 0xA5, size_bytes);
        are_pages_absent = true;
        bn_memory_clear(memory, size_bytes);
        are_pages_absent = false;
        auto* bytes = static_cast<unsigned char*>(memory);
        for (uint64_t i = 0; i < size_bytes; i++)
            ASSERT_EQ(bytes[i], 0) << i;
    }
    munmap(own, size_bytes);
    bn_memory_unshare(shared, size_bytes);
}

// A heap's pages are smaller than the system's where those have 16 or 64 KiB.
TEST(MemoryHere, NothingBesideWhatIsDiscardedChanges)
{
    const size_t page = bn_memory_page_bytes();
    void* memory;
    ASSERT_EQ(bn_memory_share(4 * page, &memory), BN_OK);
    auto* bytes = static_cast<unsigned char*>(memory);
    for (size_t begin : {size_t{0}, page / 2, page})
        for (size_t size : {page / 2, page, page + 1, 2 * page, 2 * page + page / 2}) {
            memset(memory, 1, 4 * page);
            errno = 77;
            bn_memory_discard(reinterpret_cast<uint64_t>(memory) + begin, size);
            EXPECT_EQ(errno, 77);
            for (size_t first = 0; first < 4 * page; first += page) {
                bool is_whole = begin <= first && first + page <= begin + size;
                EXPECT_EQ(bytes[first], !is_whole) << begin << " " << size << " " << first;
                EXPECT_EQ(bytes[first + page - 1], !is_whole) << begin << " " << size << " " << first;
            }
        }
    bn_memory_unshare(memory, 4 * page);
}

TEST(MemoryHere, NothingBesideWhatIsClearedChanges)
{
    const uint64_t page = bn_memory_page_bytes(), count = 4;
    void* memory = nullptr;
    ASSERT_EQ(bn_memory_share(count * page, &memory), BN_OK);
    auto* bytes = static_cast<unsigned char*>(memory);
    for (uint64_t begin : {uint64_t{0}, uint64_t{64}, page - 64, page, page + 512})
        for (uint64_t size : {uint64_t{0}, uint64_t{64}, uint64_t{512}, page - 64, page, page + 1, 2 * page + 100}) {
            memset(memory, 0xA5, count * page);
            bn_memory_clear(bytes + begin, size);
            for (uint64_t i = 0; i < count * page; i++)
                ASSERT_EQ(bytes[i], i >= begin && i < begin + size ? 0 : 0xA5) << begin << " " << size << " " << i;
        }
    bn_memory_unshare(memory, count * page);
}

TEST(MemoryHere, LimitOfAddressSpaceCounts)
{
#if defined(BN_HAS_ASAN) || defined(BN_HAS_TSAN)
    GTEST_SKIP() << "sanitizers need more address space than the limit";
#endif
    pid_t child = fork();
    if (child == 0) {
        rlimit limit = {512 * MiB, 512 * MiB};
        setrlimit(RLIMIT_AS, &limit);
        uint64_t room = bn_memory_address_room_bytes("");
        bool is_checked = bn_memory_check_limit(MiB) == BN_OK && bn_memory_check_limit(512 * MiB) == BN_ERR_MEMORY;
        _exit(is_checked && room > 0 && room < 512 * MiB && bn_memory_available_bytes("") <= room ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

}  // namespace
