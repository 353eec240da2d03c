// Trees and rings on the machines of tests/fixtures/machines, and on clusters of them.

#include "coll/whole_tree.h"
#include "topology/spread.h"

#include <filesystem>
#include <fstream>
#include <map>

namespace {

using Machine = std::unique_ptr<bn_machine, decltype(&bn_machine_destroy)>;

const std::filesystem::path folder = std::filesystem::path(__FILE__).parent_path() / "../../../fixtures/machines";

/* Descriptions of machines by name */
std::map<std::string, std::string> descriptions()
{
    std::map<std::string, std::string> list;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream file(entry.path());
        std::string line;
        const std::string mark = "machine: ";
        while (entry.path().extension() == ".txt" && std::getline(file, line)) {
            if (!line.starts_with(mark))
                continue;
            std::string text = line.substr(mark.size());
            bool is_file = text.find(' ') == std::string::npos;
            list[entry.path().stem()] = is_file ? (folder / text).string() : text;
        }
    }
    return list;
}

void check_trees(const bn_hierarchy* hierarchy)
{
    for (const char* name : shape_names) {
        bn_shape shape = parse_shape(name);
        for (int root : some_roots(bn_hierarchy_member_count(hierarchy))) {
            SCOPED_TRACE(std::string(name) + ", root " + std::to_string(root));
            WholeTree tree(hierarchy, shape, root);
            ASSERT_FALSE(testing::Test::HasFatalFailure());
            ASSERT_LE(tree.depth, depth_bound(hierarchy, shape));
            ASSERT_GE(tree.weight, least_weight(hierarchy));
            for (int part = 0; part + 1 < shape.part_count; ++part) {
                bn_level level = shape.parts[part].level;
                ASSERT_EQ(tree.crossings(hierarchy, level), bn_hierarchy_group_count(hierarchy, level) - 1);
            }
            if (std::string(name) == "distance") {
                ASSERT_EQ(tree.weight, least_weight(hierarchy));
            }
        }
    }
}

/* Enters each group of each level once, if there are several. */
void check_ring(const bn_hierarchy* hierarchy)
{
    int count = bn_hierarchy_member_count(hierarchy);
    std::vector<int> visits(static_cast<size_t>(count));
    std::vector<int> entered(BN_LEVEL_COUNT);
    int rank = 0;
    for (int step = 0; step < count; ++step) {
        bn_ring ring = bn_shape_ring(hierarchy, BN_RING_BY_DISTANCE, rank);
        ASSERT_EQ(bn_shape_ring(hierarchy, BN_RING_BY_DISTANCE, ring.next).previous, rank);
        for (int level = 0; level < BN_LEVEL_COUNT; ++level)
            entered[static_cast<size_t>(level)] += bn_distance(hierarchy, rank, ring.next) > level;
        visits[static_cast<size_t>(rank)]++;
        rank = ring.next;
    }
    ASSERT_EQ(visits, std::vector<int>(static_cast<size_t>(count), 1));
    for (int level = 0; level < BN_LEVEL_COUNT; ++level) {
        int groups = bn_hierarchy_group_count(hierarchy, static_cast<bn_level>(level));
        ASSERT_EQ(entered[static_cast<size_t>(level)], groups > 1 ? groups : 0)
            << bn_level_name(static_cast<bn_level>(level));
    }
}

class Fixture : public testing::TestWithParam<std::pair<const std::string, std::string>> {
protected:
    void SetUp() override
    {
        bn_machine* machine = nullptr;
        bn_status_t status = bn_machine_read(GetParam().second.c_str(), nullptr, false, &machine);
        if (status == BN_UNSUPPORTED)
            GTEST_SKIP() << "libhwloc is not there";
        ASSERT_EQ(status, BN_OK);
        machine_.reset(machine);
    }

    Machine machine_{nullptr, bn_machine_destroy};
};

/* Clusters of 1 to 512 nodes, powers of two and not, full and not, with and without switches */
TEST_P(Fixture, TreesAndRings)
{
    constexpr int kMembersMax = 1024;
#if defined(BN_HAS_ASAN) || defined(BN_HAS_TSAN)
    const int node_counts[] = {1, 3, 16, 100};  // of one thread, which they slow down most
#else
    const int node_counts[] = {1, 2, 3, 4, 7, 16, 30, 64, 100, 512};
#endif
    for (int nodes : node_counts) {
        for (bn_spread_order order : {BN_SPREAD_BLOCK, BN_SPREAD_CYCLIC, BN_SPREAD_RANDOM}) {
            int members = std::min(machine_->pu_count * nodes - (nodes > 1), kMembersMax - nodes % 2);
            bn_spread spread = {nodes, nodes > 4 ? 5 : 0, order, static_cast<uint64_t>(nodes)};
            bn_hierarchy* raw = nullptr;
            SCOPED_TRACE(GetParam().first + ": " + std::to_string(members) + " on " + std::to_string(nodes) +
                         " nodes, order " + std::to_string(order));
            ASSERT_EQ(bn_spread_hierarchy(machine_.get(), &spread, members, &raw), BN_OK);
            Hierarchy hierarchy(raw, free);
            check_trees(hierarchy.get());
            check_ring(hierarchy.get());
            ASSERT_FALSE(HasFatalFailure());
        }
    }
}

std::string name_of(const testing::TestParamInfo<Fixture::ParamType>& info)
{
    std::string name = info.param.first;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Machines, Fixture, testing::ValuesIn(descriptions()), name_of);

TEST(Fixtures, AreThere)
{
    EXPECT_GE(descriptions().size(), 11u);
}

}  // namespace
