#include "platform/cpus.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace {

bn_pu_set parse(const char* text)
{
    bn_pu_set set;
    EXPECT_TRUE(bn_pu_set_parse(text, &set)) << text;
    return set;
}

TEST(PuSet, ReadsTheKernelsNotation)
{
    bn_pu_set set = parse("0-3,8,10-11\n");
    EXPECT_EQ(bn_pu_set_count(&set), 7);
    EXPECT_TRUE(bn_pu_set_has(&set, 3));
    EXPECT_FALSE(bn_pu_set_has(&set, 4));
    EXPECT_EQ(bn_pu_set_next(&set, 4), 8);
    EXPECT_EQ(bn_pu_set_next(&set, 9), 10);
    EXPECT_EQ(bn_pu_set_next(&set, 12), -1);
    bn_pu_set empty = parse("\n");
    EXPECT_EQ(bn_pu_set_count(&empty), 0);
}

TEST(PuSet, RefusesOtherTexts)
{
    bn_pu_set set;
    for (const char* text : {"x", "1-", "3-1", "-1", "1,,2", "1 2", "4096", "0-5000"})
        EXPECT_FALSE(bn_pu_set_parse(text, &set)) << text;
}

TEST(PuSet, WritesWhatItReads)
{
    for (const char* text : {"", "0", "63-64", "0-3,8,10-11", "4095"}) {
        bn_pu_set set = parse(text);
        char again[100];
        bn_pu_set_format(&set, again, sizeof again);
        EXPECT_STREQ(again, text);
    }
    bn_pu_set set = {};
    for (int pu = 1; pu < BN_PU_MAX; pu++) {
        if (pu % 3 != 0)
            bn_pu_set_add(&set, pu);
    }
    char longest[BN_PU_SET_TEXT_BYTES];
    bn_pu_set_format(&set, longest, sizeof longest);
    EXPECT_TRUE(std::string(longest).ends_with(",4093-4094"));
    char small[6];
    bn_pu_set_format(&set, small, sizeof small);
    EXPECT_LT(std::string(small).size(), sizeof small);
}

/* A tree of files that simulates a machine's */
class Machine : public testing::Test {
protected:
    void SetUp() override
    {
        char pattern[] = "/tmp/banyan-cpus-XXXXXX";
        root_ = mkdtemp(pattern);
    }
    void TearDown() override { std::filesystem::remove_all(root_); }

    void write(const std::string& path, const std::string& text)
    {
        std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
        std::ofstream(root_ + path) << text;
    }
    void mount_version_2()
    {
        write("/proc/self/mountinfo",
              "22 28 0:20 / /sys rw shared:7 - sysfs sysfs rw\n"
              "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
    }
    long quota() const { return bn_cpus_quota_milli(root_.c_str()); }

    std::string root_;
};

TEST_F(Machine, WithoutControlGroupsThereIsNoQuota)
{
    EXPECT_EQ(quota(), 0);
}

TEST_F(Machine, QuotaOfVersion2)
{
    mount_version_2();
    write("/proc/self/cgroup", "0::/user/job\n");
    write("/sys/fs/cgroup/user/job/cpu.max", "150000 100000\n");
    EXPECT_EQ(quota(), 1500);
    write("/sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
    EXPECT_EQ(quota(), 0);
}

TEST_F(Machine, TheSmallestQuotaAboveCounts)
{
    mount_version_2();
    write("/proc/self/cgroup", "0::/user/job\n");
    write("/sys/fs/cgroup/user/job/cpu.max", "400000 100000\n");
    write("/sys/fs/cgroup/user/cpu.max", "200000 100000\n");
    EXPECT_EQ(quota(), 2000);
    write("/sys/fs/cgroup/cpu.max", "50000 100000\n");
    EXPECT_EQ(quota(), 500);
}

TEST_F(Machine, InAContainerTheTopOfTheTreeIsOurs)
{
    mount_version_2();
    write("/proc/self/cgroup", "0::/somewhere/on/the/host\n");
    write("/sys/fs/cgroup/cpu.max", "300000 100000\n");
    EXPECT_EQ(quota(), 3000);
}

TEST_F(Machine, QuotaOfVersion1)
{
    write("/proc/self/mountinfo", "31 30 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
                                  "32 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n");
    write("/proc/self/cgroup", "5:memory:/job\n4:cpu,cpuacct:/job\n2:cpuset:/other\n0::/\n");
    write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "250000\n");
    write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(quota(), 2500);
    write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
    EXPECT_EQ(quota(), 0);
}

TEST_F(Machine, QuotaOfGroupsMountedElsewhere)
{
    write("/proc/self/mountinfo", "31 30 0:27 / /cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
                                  "32 30 0:28 / /cgroup/processors rw - cgroup cgroup rw,cpuacct,cpu\n");
    write("/proc/self/cgroup", "4:cpuacct,cpu:/job\n3:cpuset:/\n");
    write("/cgroup/processors/cpu.cfs_quota_us", "100000\n");
    write("/cgroup/processors/cpu.cfs_period_us", "50000\n");
    EXPECT_EQ(quota(), 2000);
}

TEST_F(Machine, PlacesOfHardwareThreadsAndRegions)
{
    for (int pu = 0; pu < 8; ++pu) {
        std::string siblings = std::to_string(pu % 4) + "," + std::to_string(pu % 4 + 4);
        write("/sys/devices/system/cpu/cpu" + std::to_string(pu) + "/topology/thread_siblings_list", siblings + "\n");
    }
    write("/sys/devices/system/node/online", "0,2\n");
    write("/sys/devices/system/node/node0/cpulist", "0-1,4-5\n");
    write("/sys/devices/system/node/node2/cpulist", "2-3,6-7\n");
    bn_pu_set set = parse("1,2,5,6");
    bn_pu_place places[8];
    ASSERT_EQ(bn_cpus_places(root_.c_str(), &set, places, 8), 4);
    EXPECT_EQ(places[0].pu, 1);
    EXPECT_EQ(places[0].core, 1);
    EXPECT_EQ(places[0].core_rank, 0);
    EXPECT_EQ(places[0].numa, 0);
    EXPECT_EQ(places[2].pu, 5);
    EXPECT_EQ(places[2].core, 1);
    EXPECT_EQ(places[2].core_rank, 1);
    EXPECT_EQ(places[3].pu, 6);
    EXPECT_EQ(places[3].numa, 2);
}

TEST_F(Machine, UnknownMachinesHaveACoreForEachUnit)
{
    bn_pu_set set = parse("0-2");
    bn_pu_place places[2];
    ASSERT_EQ(bn_cpus_places(root_.c_str(), &set, places, 2), 2);
    EXPECT_EQ(places[1].core, 1);
    EXPECT_EQ(places[1].numa, 0);
}

TEST_F(Machine, SocketsAndLargestCaches)
{
    auto write_cache = [&](int index, const char* type, const char* level, const char* sharers) {
        std::string folder = "/sys/devices/system/cpu/cpu5/cache/index" + std::to_string(index);
        write(folder + "/type", type);
        write(folder + "/level", level);
        write(folder + "/size", "2048K\n");
        write(folder + "/shared_cpu_list", sharers);
    };
    write("/sys/devices/system/cpu/cpu5/topology/physical_package_id", "3\n");
    write("/sys/devices/system/cpu/cpu6/topology/physical_package_id", "-1\n");
    write_cache(0, "Data\n", "1\n", "5\n");
    write_cache(1, "Unified\n", "2\n", "4-5\n");
    write_cache(2, "Instruction\n", "3\n", "0-7\n");
    EXPECT_EQ(bn_cpus_socket(root_.c_str(), 5), 3);
    EXPECT_EQ(bn_cpus_socket(root_.c_str(), 6), 0);
    EXPECT_EQ(bn_cpus_socket(root_.c_str(), 7), 0);
    bn_pu_cache cache = bn_cpus_largest_cache(root_.c_str(), 5);
    EXPECT_EQ(cache.first_pu, 4);
    EXPECT_EQ(cache.level, 2);
    EXPECT_EQ(cache.size_bytes, 2u << 20);
    cache = bn_cpus_largest_cache(root_.c_str(), 7);
    EXPECT_EQ(cache.first_pu, 7);
    EXPECT_EQ(cache.level, 0);
}

TEST(Cpus, ThisProcess)
{
    bn_pu_set set;
    bn_cpus_affinity(&set);
    EXPECT_GE(bn_pu_set_count(&set), 1);
    EXPECT_GE(bn_cpus_usable_count(), 1);
    EXPECT_LE(bn_cpus_usable_count(), bn_pu_set_count(&set));
    EXPECT_EQ(bn_cpus_bind(&set), BN_OK);
}

}  // namespace
