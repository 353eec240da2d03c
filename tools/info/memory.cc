#include "info/memory.h"

#include "base/options.h"
#include "coll/plan.h"
#include "platform/cpus.h"
#include "sync/lock.h"
#include "upc/context.h"

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <vector>

namespace bn::info {

using Json = nlohmann::ordered_json;

namespace {

// Bytes of the trees that a thread builds for one way, over all roots, with all threads in one memory region
size_t tree_bytes(int thread_count)
{
    std::vector<bn_place> places(static_cast<size_t>(thread_count));
    bn_hierarchy* hierarchy = nullptr;
    bn_shape shape;
    if (bn_hierarchy_create(places.data(), thread_count, &hierarchy) != BN_OK)
        return 0;
    bn_shape_parse("binomial.binomial.binomial", &shape);
    int64_t limit = bn_option_describe(BN_OPTION_COLL_TREES)->fallback;
    int tree_count = thread_count <= limit ? thread_count : 1;
    size_t bytes = 0;
    for (int root = 0; root < tree_count; root++) {
        bn_tree tree;
        if (bn_shape_tree(hierarchy, &shape, root, 0, &tree) != BN_OK)
            break;
        bytes += sizeof tree + static_cast<size_t>(tree.child_count) * sizeof *tree.children;
        bn_tree_destroy(&tree);
    }
    free(hierarchy);
    return bytes;
}

}  // namespace

Json memory_facts(int thread_count)
{
    Json facts = Json::array();
    std::vector<int> counts = {2, 64, 512};
    if (thread_count > 0)
        counts = {thread_count};
    for (int count : counts) {
        size_t threads = static_cast<size_t>(count);
        Json row;
        row["threads"] = count;
        row["collectives_shared"] = bn_team_control_bytes(count) / threads;
        row["collectives_private"] = sizeof(bn_team) + sizeof(bn_plans);
        row["trees_of_a_way"] = tree_bytes(count);
        row["barriers"] = (2 * bn_barrier_size_bytes() + bn_barrier_lines_bytes(count)) / threads;
        row["locks_and_values"] = sizeof(bn_lock_waiter) + sizeof(bn_shown);
        row["places"] = sizeof(bn_pu_set) + bn_hierarchy_max_bytes(count) / threads;
        facts.push_back(row);
    }
    return facts;
}

std::string memory_text(const Json& facts)
{
    static constexpr struct {
        const char* key;
        const char* label;
    } kRows[] = {{"threads", "threads"},
                 {"collectives_shared", "collectives: flags and rooms that others see"},
                 {"collectives_private", "collectives: plans"},
                 {"trees_of_a_way", "collectives: trees, for each way that is used"},
                 {"barriers", "barriers"},
                 {"locks_and_values", "locks, values that are shown"},
                 {"places", "where threads are"}};
    std::string text = "Memory for control, in bytes for each thread\n";
    char cell[80];
    for (const auto& row : kRows) {
        snprintf(cell, sizeof cell, "  %-46s", row.label);
        text += cell;
        for (const Json& column : facts) {
            snprintf(cell, sizeof cell, " %8zu", column[row.key].get<size_t>());
            text += cell;
        }
        text += "\n";
    }
    return text;
}

}  // namespace bn::info
