#include "tune/rules.h"

#include "tune/job.h"

#include "coll/registry.h"
#include "coll/select.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace bn::tune {

namespace {

using Json = nlohmann::ordered_json;

Json sync_pairs(Sync sync)
{
    static const char* const kNames[] = {"all", "my", "no"};
    Json pairs = Json::array();
    for (int in = 0; in < BN_SYNC_COUNT; in++) {
        for (int out = 0; out < BN_SYNC_COUNT; out++) {
            bool is_all = in == BN_SYNC_ALL && out == BN_SYNC_ALL;
            bool is_none = in == BN_SYNC_NO && out == BN_SYNC_NO;
            Sync kind = is_all ? Sync::kAll : is_none ? Sync::kNone : Sync::kPartners;
            if (kind == sync)
                pairs.push_back(std::string(kNames[in]) + "," + kNames[out]);
        }
    }
    return pairs;
}

std::string built_in_choice(const Plan& plan, size_t nbytes)
{
    bn_sync mode = mode_of(plan.sync);
    bn_conditions conditions = {.nbytes = nbytes,
                                .in = mode,
                                .out = mode,
                                .member_count = plan.thread_count,
                                .core_count = plan.core_count,
                                .region_count = 1,
                                .node_count = plan.node_count,
                                .largest_node = plan.node_count > 1 ? plan.largest_node : plan.thread_count,
                                .reach = BN_REACH_MAPPED};
    return bn_rules_find(bn_rules_default(plan.operation), &conditions)->entry;
}

struct Choice {
    const Result* best = nullptr;
    const Result* other = nullptr;  // the built-in choice
};

Choice choose(const Group& group, size_t nbytes)
{
    Choice choice;
    std::string usual_name = built_in_choice(group.plan, nbytes);
    const Result* usual = nullptr;
    for (const Result& result : group.results) {
        if (result.nbytes != nbytes)
            continue;
        if (result.entry == usual_name)
            usual = &result;
        if (!choice.best || result.median_us < choice.best->median_us)
            choice.best = &result;
    }
    choice.other = usual;
    if (usual && choice.best->median_us > kWorthwhile * usual->median_us)
        choice.best = usual;
    return choice;
}

std::string evidence(const Choice& choice)
{
    char text[256];
    snprintf(text, sizeof text, "%zu bytes: %.2f us", choice.best->nbytes, choice.best->median_us);
    std::string all = text;
    if (choice.other && choice.other != choice.best) {
        snprintf(text, sizeof text, "; %s %.2f us", choice.other->entry.c_str(), choice.other->median_us);
        all += text;
    }
    return all;
}

// A measured number of threads or nodes also stands for those between it and the next smaller one; the largest, for all
// above it too.
struct Range {
    int min, max;  // max 0: any
};

Range range_of(int count, std::vector<int> counts)
{
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    auto place = std::find(counts.begin(), counts.end(), count);
    return {place == counts.begin() ? 2 : *(place - 1) + 1, place + 1 == counts.end() ? 0 : *place};
}

// Whether a rule for the largest measured size can hold for all larger sizes
bool carries_any_size(bn_operation operation, const std::string& entry)
{
    return bn_registry_find(operation, entry.c_str())->max_bytes == 0;
}

void add_rules_of_group(const Group& group, Range members, Range nodes, Json* rules)
{
    std::vector<size_t> sizes;
    for (const Result& result : group.results) {
        if (sizes.empty() || sizes.back() != result.nbytes)
            sizes.push_back(result.nbytes);
    }
    size_t first_rule = rules->size();
    for (size_t nbytes : sizes) {
        Choice choice = choose(group, nbytes);
        bool continues = rules->size() > first_rule && rules->back()["entry"] == choice.best->entry;
        if (!continues) {
            Json rule;
            rule["min_members"] = members.min;
            rule["max_members"] = members.max;
            if (group.plan.node_count > 1) {
                rule["min_nodes"] = nodes.min;
                rule["max_nodes"] = nodes.max;
            }
            rule["sync"] = sync_pairs(group.plan.sync);
            rule["entry"] = choice.best->entry;
            rule["evidence"] = evidence(choice);
            rules->push_back(rule);
        }
        bool is_last = nbytes == sizes.back() && carries_any_size(group.plan.operation, choice.best->entry);
        rules->back()["max_bytes"] = is_last ? 0 : nbytes;
    }
}

}  // namespace

Json rules_of(const std::vector<Group>& groups, bn_operation operation)
{
    Json rules = Json::array();
    std::vector<int> node_counts;                   // if there are several
    std::map<int, std::vector<int>> thread_counts;  // by number of nodes
    for (const Group& group : groups) {
        thread_counts[group.plan.node_count].push_back(group.plan.thread_count);
        if (group.plan.node_count > 1)
            node_counts.push_back(group.plan.node_count);
    }
    for (const Group& group : groups) {
        const Plan& plan = group.plan;
        if (plan.operation != operation || group.results.empty())
            continue;
        Range nodes = plan.node_count > 1 ? range_of(plan.node_count, node_counts) : Range{};
        add_rules_of_group(group, range_of(plan.thread_count, thread_counts[plan.node_count]), nodes, &rules);
    }
    return rules;
}

}  // namespace bn::tune
