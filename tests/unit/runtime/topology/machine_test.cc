#include "topology/machine.h"

#include "topology/parts.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace {

using Machine = std::unique_ptr<bn_machine, decltype(&bn_machine_destroy)>;

Machine make(const std::vector<bn_machine_row>& rows)
{
    bn_machine* machine = nullptr;
    EXPECT_EQ(bn_machine_make(rows.data(), static_cast<int>(rows.size()), &machine), BN_OK);
    return Machine(machine, bn_machine_destroy);
}

Machine owned(bn_machine* machine)
{
    return Machine(machine, bn_machine_destroy);
}

/* The parts of a pu from the core to the board */
std::vector<uint32_t> parts(const Machine& machine, int pu)
{
    const uint32_t* begin = machine->pus[pu].parts;
    return std::vector<uint32_t>(begin, begin + BN_LEVEL_NODE);
}

using Parts = std::vector<uint32_t>;

TEST(Machine, WithoutPartsIsOneCore)
{
    Machine machine = make({});
    ASSERT_EQ(machine->pu_count, 1);
    EXPECT_EQ(parts(machine, 0), (Parts{0, 0, 0, 0, 0, 0}));
}

TEST(Machine, RegionsInSockets)
{
    Machine machine = make({{BN_OBJECT_SOCKET, 2}, {BN_OBJECT_NUMA, 2}, {BN_OBJECT_CACHE, 1}, {BN_OBJECT_CORE, 6}});
    ASSERT_EQ(machine->pu_count, 24);
    /* core, cache, die, memory region, socket, board */
    EXPECT_EQ(parts(machine, 0), (Parts{0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(parts(machine, 7), (Parts{7, 6, 6, 6, 0, 0}));
    EXPECT_EQ(parts(machine, 23), (Parts{23, 18, 18, 18, 12, 0}));
}

TEST(Machine, SocketsInARegion)
{
    Machine machine = make({{BN_OBJECT_NUMA, 1}, {BN_OBJECT_SOCKET, 4}, {BN_OBJECT_CACHE, 2}, {BN_OBJECT_CORE, 2}});
    ASSERT_EQ(machine->pu_count, 16);
    EXPECT_EQ(parts(machine, 7), (Parts{7, 6, 4, 0, 0, 0}));
}

TEST(Machine, BoardsHaveSeveralSockets)
{
    Machine machine = make({{BN_OBJECT_BOARD, 2}, {BN_OBJECT_SOCKET, 4}, {BN_OBJECT_NUMA, 1}, {BN_OBJECT_CORE, 6}});
    EXPECT_EQ(parts(machine, 47), (Parts{47, 47, 42, 42, 42, 24}));
    Machine groups = make({{BN_OBJECT_SOCKET, 2}, {BN_OBJECT_BOARD, 2}, {BN_OBJECT_CORE, 2}});
    EXPECT_EQ(parts(groups, 7), (Parts{7, 7, 4, 0, 0, 0})) << "a group of cores is no board";
    for (int i = 0; i < groups->object_count; ++i)
        EXPECT_NE(groups->objects[i].kind, BN_OBJECT_BOARD);
}

TEST(Machine, CachesThatSpanRegionsDoNotCount)
{
    Machine machine = make(
        {{BN_OBJECT_SOCKET, 1}, {BN_OBJECT_CACHE, 1}, {BN_OBJECT_NUMA, 2}, {BN_OBJECT_CACHE, 2}, {BN_OBJECT_CORE, 2}});
    EXPECT_EQ(parts(machine, 7), (Parts{7, 6, 4, 4, 0, 0}));
}

TEST(Machine, HardwareThreadsComeAfterCores)
{
    Machine machine = make({{BN_OBJECT_CORE, 3}, {BN_OBJECT_PU, 2}});
    std::vector<int> order(static_cast<size_t>(machine->pu_count));
    bn_machine_pu_order(machine.get(), order.data());
    EXPECT_EQ(order, (std::vector<int>{0, 2, 4, 1, 3, 5}));
    EXPECT_EQ(parts(machine, 3), (Parts{2, 2, 0, 0, 0, 0}));
}

TEST(Machine, ObjectsComeDepthFirst)
{
    Machine machine = make({{BN_OBJECT_SOCKET, 2}, {BN_OBJECT_CORE, 1}});
    std::vector<std::pair<bn_object_kind, int>> expected = {
        {BN_OBJECT_MACHINE, 0}, {BN_OBJECT_SOCKET, 1}, {BN_OBJECT_CORE, 2}, {BN_OBJECT_PU, 3},
        {BN_OBJECT_SOCKET, 1},  {BN_OBJECT_CORE, 2},   {BN_OBJECT_PU, 3}};
    ASSERT_EQ(machine->object_count, static_cast<int>(expected.size()));
    for (int i = 0; i < machine->object_count; ++i) {
        EXPECT_EQ(machine->objects[i].kind, expected[static_cast<size_t>(i)].first) << i;
        EXPECT_EQ(machine->objects[i].depth, expected[static_cast<size_t>(i)].second) << i;
    }
}

TEST(Machine, PlacesAreKnownAsFarAsTheSetAllows)
{
    Machine machine = make({{BN_OBJECT_SOCKET, 2}, {BN_OBJECT_NUMA, 2}, {BN_OBJECT_CORE, 2}, {BN_OBJECT_PU, 2}});
    const uint32_t unknown = BN_PLACE_UNKNOWN;
    const struct {
        const char* set;
        Parts parts;
    } cases[] = {
        {"5", {4, 4, 4, 4, 0, 0}},
        {"4-5", {4, 4, 4, 4, 0, 0}},
        {"4,6", {unknown, unknown, 4, 4, 0, 0}},
        {"0,7", {unknown, unknown, unknown, unknown, 0, 0}},
        {"0-15", {unknown, unknown, unknown, unknown, unknown, 0}},
        {"5,99", {4, 4, 4, 4, 0, 0}},
        {"99", {unknown, unknown, unknown, unknown, unknown, unknown}},
    };
    for (const auto& test : cases) {
        bn_pu_set set;
        ASSERT_TRUE(bn_pu_set_parse(test.set, &set));
        bn_place place = bn_machine_place(machine.get(), &set);
        EXPECT_EQ(Parts(place.parts, place.parts + BN_LEVEL_NODE), test.parts) << test.set;
        EXPECT_EQ(place.parts[BN_LEVEL_NODE], 0u);
        EXPECT_EQ(place.parts[BN_LEVEL_SWITCH], 0u);
    }
}

/* Reads with hwloc; skipped if it is not available. */
#define READ(machine, description)                                                                                     \
    Machine machine(nullptr, bn_machine_destroy);                                                                      \
    {                                                                                                                  \
        bn_machine* raw = nullptr;                                                                                     \
        bn_status_t status = bn_machine_read_hwloc(description, nullptr, false, &raw);                                 \
        if (status == BN_UNSUPPORTED)                                                                                  \
            GTEST_SKIP() << "libhwloc is not there";                                                                   \
        ASSERT_EQ(status, BN_OK);                                                                                      \
        machine.reset(raw);                                                                                            \
    }

TEST(MachineOfHwloc, FromItsNotation)
{
    READ(machine, "group:2 pack:2 [numa] l3:1 l2:3 core:1 pu:2");
    ASSERT_EQ(machine->pu_count, 24);
    EXPECT_EQ(parts(machine, 23), (Parts{22, 18, 18, 18, 18, 12}));
    EXPECT_EQ(machine->pus[23].core_rank, 1);
}

TEST(MachineOfHwloc, SocketsThatShareAController)
{
    READ(machine, "[numa] pack:4 l2:2 core:2 pu:1");
    EXPECT_EQ(parts(machine, 7), (Parts{7, 6, 4, 0, 0, 0}));
}

TEST(MachineOfHwloc, RefusesWhatIsNone)
{
    READ(machine, "core:1 pu:1");
    bn_machine* none = nullptr;
    testing::internal::CaptureStderr();
    EXPECT_EQ(bn_machine_read("no such machine", nullptr, false, &none), BN_ERR_INVALID);
    std::string message = testing::internal::GetCapturedStderr();
    EXPECT_NE(message.find("machine \"no such machine\": is neither a file nor a description"), std::string::npos)
        << message;
    testing::internal::CaptureStderr();
    EXPECT_EQ(bn_machine_read(__FILE__, nullptr, false, &none), BN_ERR_INVALID);
    message = testing::internal::GetCapturedStderr();
    EXPECT_NE(message.find("is a file, but not one that hwloc reads"), std::string::npos) << message;
    testing::internal::CaptureStderr();
    EXPECT_EQ(bn_machine_read("/", nullptr, false, &none), BN_ERR_INVALID);
    message = testing::internal::GetCapturedStderr();
    EXPECT_NE(message.find("machine \"/\": is a folder; "), std::string::npos) << message;
    testing::internal::CaptureStderr();
    EXPECT_EQ(bn_machine_read("/dev/zero", nullptr, false, &none), BN_ERR_INVALID);
    message = testing::internal::GetCapturedStderr();
    EXPECT_NE(message.find("machine \"/dev/zero\": is a device; "), std::string::npos) << message;
}

/* Two sockets; a network adapter is attached to the second, a disk to the first. */
TEST(MachineOfHwloc, FindsTheNetworkAdapterIfAsked)
{
    READ(some, "core:1 pu:1");
    std::string folder = std::filesystem::path(__FILE__).parent_path() / "../../../fixtures/machines";
    for (bool wants_network : {false, true}) {
        bn_machine* raw = nullptr;
        ASSERT_EQ(bn_machine_read((folder + "/network-adapter.xml").c_str(), nullptr, wants_network, &raw), BN_OK);
        Machine machine = owned(raw);
        ASSERT_EQ(machine->pu_count, 2);
        EXPECT_FALSE(machine->pus[0].is_near_network);
        EXPECT_EQ(machine->pus[1].is_near_network, wants_network);
        bn_pu_set set = {};
        bn_pu_set_add(&set, 1);
        EXPECT_EQ(bn_machine_place(machine.get(), &set).is_near_network, wants_network);
        bn_pu_set_add(&set, 0);
        EXPECT_FALSE(bn_machine_place(machine.get(), &set).is_near_network);
    }
}

/* For whatever machine this is: as many pus as may be used, and both ways of reading agree on each of them. */
TEST(MachineOfThisProcess, HwlocAndTheSystemAgree)
{
    bn_pu_set affinity;
    bn_cpus_affinity(&affinity);
    bn_machine* raw = nullptr;
    bn_status_t status = bn_machine_read_hwloc(nullptr, &affinity, true, &raw);
    if (status == BN_UNSUPPORTED)
        GTEST_SKIP() << "libhwloc is not there";
    ASSERT_EQ(status, BN_OK);
    Machine by_hwloc = owned(raw);
    ASSERT_EQ(bn_machine_read_system("", &affinity, &raw), BN_OK);
    Machine by_system = owned(raw);
    EXPECT_EQ(by_hwloc->pu_count, bn_pu_set_count(&affinity));
    ASSERT_EQ(by_system->pu_count, by_hwloc->pu_count);
    for (int a = 0; a < by_hwloc->pu_count; ++a) {
        for (int b = 0; b < by_hwloc->pu_count; ++b) {
            auto system_index = [&](int os_number) {
                int i = 0;
                while (by_system->pus[i].os_number != os_number)
                    ++i;
                return i;
            };
            const uint32_t* parts_a = by_system->pus[system_index(by_hwloc->pus[a].os_number)].parts;
            const uint32_t* parts_b = by_system->pus[system_index(by_hwloc->pus[b].os_number)].parts;
            EXPECT_EQ(parts_a[BN_LEVEL_CORE] == parts_b[BN_LEVEL_CORE],
                      by_hwloc->pus[a].parts[BN_LEVEL_CORE] == by_hwloc->pus[b].parts[BN_LEVEL_CORE]);
            EXPECT_EQ(parts_a[BN_LEVEL_NUMA] == parts_b[BN_LEVEL_NUMA],
                      by_hwloc->pus[a].parts[BN_LEVEL_NUMA] == by_hwloc->pus[b].parts[BN_LEVEL_NUMA]);
        }
    }
}

TEST(MachineOfThisProcess, KnowsOnlyWhatMayBeUsed)
{
    bn_pu_set one = {};
    bn_pu_set affinity;
    bn_cpus_affinity(&affinity);
    bn_pu_set_add(&one, bn_pu_set_next(&affinity, 0));
    bn_machine* raw = nullptr;
    ASSERT_EQ(bn_machine_read(nullptr, &one, false, &raw), BN_OK);
    Machine machine = owned(raw);
    ASSERT_EQ(machine->pu_count, 1);
    EXPECT_EQ(machine->pus[0].os_number, bn_pu_set_next(&affinity, 0));
}

/* A tree of files that simulates a machine's */
class SystemFiles : public testing::Test {
protected:
    void SetUp() override
    {
        char pattern[] = "/tmp/banyan-machine-XXXXXX";
        root_ = mkdtemp(pattern);
    }
    void TearDown() override { std::filesystem::remove_all(root_); }

    void write(const std::string& path, const std::string& text)
    {
        std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
        std::ofstream(root_ + path) << text << "\n";
    }

    void write_cache(const std::string& cpu, int index, const char* type, int level, const std::string& sharers)
    {
        std::string folder = cpu + "/cache/index" + std::to_string(index);
        write(folder + "/type", type);
        write(folder + "/level", std::to_string(level));
        write(folder + "/size", "1024K");
        write(folder + "/shared_cpu_list", sharers);
    }

    Machine read(const char* set)
    {
        bn_pu_set usable;
        bn_machine* raw = nullptr;
        EXPECT_TRUE(bn_pu_set_parse(set, &usable));
        EXPECT_EQ(bn_machine_read_system(root_.c_str(), &usable, &raw), BN_OK);
        return owned(raw);
    }

    std::string root_;
};

/* Two sockets with a region each, two cores with two hardware threads; the system numbers second hardware threads
 * last. */
TEST_F(SystemFiles, SocketsRegionsCachesAndCores)
{
    for (int pu = 0; pu < 8; ++pu) {
        std::string cpu = "/sys/devices/system/cpu/cpu" + std::to_string(pu);
        int core = pu % 4;
        int socket = core / 2;
        std::string siblings = std::to_string(core) + "," + std::to_string(core + 4);
        write(cpu + "/topology/physical_package_id", std::to_string(socket));
        write(cpu + "/topology/thread_siblings_list", siblings);
        write_cache(cpu, 0, "Data", 1, siblings);
        write_cache(cpu, 1, "Instruction", 1, siblings);
        write_cache(cpu, 2, "Unified", 3, socket == 0 ? "0-1,4-5" : "2-3,6-7");
    }
    write("/sys/devices/system/node/online", "0-1");
    write("/sys/devices/system/node/node0/cpulist", "0-1,4-5");
    write("/sys/devices/system/node/node1/cpulist", "2-3,6-7");
    Machine machine = read("0-7");
    ASSERT_EQ(machine->pu_count, 8);
    std::vector<int> numbers;
    for (int i = 0; i < 8; ++i)
        numbers.push_back(machine->pus[i].os_number);
    EXPECT_EQ(numbers, (std::vector<int>{0, 4, 1, 5, 2, 6, 3, 7}));
    EXPECT_EQ(parts(machine, 7), (Parts{6, 4, 4, 4, 4, 0}));
    EXPECT_EQ(machine->pus[7].core_rank, 1);
    for (int i = 0; i < machine->object_count; ++i) {
        if (machine->objects[i].kind == BN_OBJECT_CACHE) {
            EXPECT_EQ(machine->objects[i].size_bytes, 1u << 20);
        }
    }
}

TEST_F(SystemFiles, OneRegionForTwoSockets)
{
    for (int pu = 0; pu < 4; ++pu)
        write("/sys/devices/system/cpu/cpu" + std::to_string(pu) + "/topology/physical_package_id",
              std::to_string(pu / 2));
    Machine machine = read("0-3");
    EXPECT_EQ(parts(machine, 3), (Parts{3, 3, 2, 0, 0, 0}));
}

/* Where a device is can be read from its nearby processors; the tree of PCI, which is slow to read, is not read. */
TEST_F(SystemFiles, HwlocFindsTheNetworkAdapterByItsDevice)
{
    READ(some, "core:1 pu:1");
    const std::string devices = "/sys/devices/", adapter = devices + "pci0000:80/0000:81:00.0";
    for (int pu = 0; pu < 4; ++pu) {
        std::string folder = devices + "system/cpu/cpu" + std::to_string(pu) + "/topology/";
        write(folder + "physical_package_id", std::to_string(pu / 2));
        write(folder + "core_id", std::to_string(pu));
        write(folder + "thread_siblings", std::to_string(1 << pu));
        write(folder + "core_siblings", pu < 2 ? "3" : "c");
    }
    for (const char* which : {"online", "possible", "present"})
        write(devices + "system/cpu/" + which, "0-3");
    write(devices + "system/node/online", "0-1");
    write(devices + "system/node/node0/cpumap", "3");
    write(devices + "system/node/node1/cpumap", "c");
    write(adapter + "/local_cpus", "c");
    write(adapter + "/net/fast0/address", "00:00:00:00:00:01");
    write("/sys/class/net/about", "");
    write("/sys/bus/pci/devices/about", "");
    std::filesystem::create_symlink("../../../0000:81:00.0", root_ + adapter + "/net/fast0/device");
    std::filesystem::create_symlink("../../devices/pci0000:80/0000:81:00.0/net/fast0", root_ + "/sys/class/net/fast0");
    std::filesystem::create_symlink("../../../devices/pci0000:80/0000:81:00.0",
                                    root_ + "/sys/bus/pci/devices/0000:81:00.0");
    ASSERT_EQ(setenv("HWLOC_FSROOT", root_.c_str(), 1), 0);
    ASSERT_EQ(setenv("HWLOC_COMPONENTS", "linux,stop", 1), 0); /* nothing of the machine that the test runs on */
    bn_machine* raw = nullptr;
    bn_status_t status = bn_machine_read(nullptr, nullptr, true, &raw);
    unsetenv("HWLOC_FSROOT");
    unsetenv("HWLOC_COMPONENTS");
    ASSERT_EQ(status, BN_OK);
    Machine machine = owned(raw);
    ASSERT_EQ(machine->pu_count, 4);
    for (int pu = 0; pu < 4; ++pu)
        EXPECT_EQ(machine->pus[pu].is_near_network, machine->pus[pu].os_number >= 2) << pu;
}

TEST_F(SystemFiles, NothingIsKnown)
{
    Machine machine = read("2,7");
    ASSERT_EQ(machine->pu_count, 2);
    EXPECT_EQ(parts(machine, 1), (Parts{1, 1, 0, 0, 0, 0}));
    EXPECT_EQ(machine->pus[1].os_number, 7);
}

}  // namespace
