// hierarchy.cc: the machine as a tree, and the threads of a job in it, as the runtime sees them.

#include "info/facts.h"
#include "info/handles.h"

#include "boot/bind.h"
#include "topology/spread.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bn::info {

using Json = nlohmann::ordered_json;

namespace {

// The machine described, or what this process may use of this one; null, with the reason reported, if it cannot be
// read.
Machine read_machine(const char* description)
{
    bn_machine* machine = nullptr;
    bn_pu_set usable;
    bn_cpus_affinity(&usable);
    return bn_machine_read(description, &usable, false, &machine) == BN_OK ? Machine(machine) : nullptr;
}

std::string kind_name(const bn_machine_object& object)
{
    static const char* const names[] = {"machine", "board", "socket",         "memory region",
                                        "cache",   "core",  "processing unit"};
    if (object.kind == BN_OBJECT_CACHE)
        return "L" + std::to_string(object.cache_level) + " cache";
    return names[object.kind];
}

// A part and everything in it; equal neighbours are merged into one part with a count.
struct Part {
    std::string what;
    uint64_t bytes = 0;
    int count = 1;
    std::vector<Part> parts;

    bool is_like(const Part& other) const
    {
        if (what != other.what || bytes != other.bytes || parts.size() != other.parts.size())
            return false;
        for (size_t i = 0; i < parts.size(); ++i) {
            if (parts[i].count != other.parts[i].count || !parts[i].is_like(other.parts[i]))
                return false;
        }
        return true;
    }
};

// The part that begins at objects[at]; advances `at` past it.
Part collect_part(const bn_machine& machine, int& at)
{
    const bn_machine_object& object = machine.objects[at++];
    Part part{kind_name(object), object.size_bytes, 1, {}};
    while (at < machine.object_count && machine.objects[at].depth > object.depth) {
        Part inner = collect_part(machine, at);
        if (!part.parts.empty() && part.parts.back().is_like(inner))
            part.parts.back().count++;
        else
            part.parts.push_back(std::move(inner));
    }
    return part;
}

void list_parts(const Part& part, int depth, Json& list)
{
    Json row;
    row["depth"] = depth;
    row["count"] = part.count;
    row["what"] = part.what;
    row["bytes"] = part.bytes;
    list.push_back(row);
    for (const Part& inner : part.parts)
        list_parts(inner, depth + 1, list);
}

// Places as the runtime finds them (runtime/upc/hierarchy.c)
bn_status_t find_places(const bn_options& options, const bn_machine& machine, std::vector<bn_place>& places)
{
    auto count = static_cast<int>(places.size());
    if (options.values[BN_OPTION_TOPOLOGY].text) {
        const bn_spread block = {1, 0, BN_SPREAD_BLOCK, 0};
        return bn_spread_places(&machine, &block, count, places.data());
    }
    auto wish = static_cast<bn_bind_choice>(options.values[BN_OPTION_BIND].number);
    bn_bind_choice choice = bn_bind_resolve(wish, bn_cpus_usable_count(), count);
    auto plan = std::make_unique<bn_bind_machine>();
    bn_bind_machine_read("", plan.get());
    for (int thread = 0; thread < count; ++thread) {
        bn_pu_set set;
        bn_bind_plan(plan.get(), choice, count, thread, &set);
        places[static_cast<size_t>(thread)] = bn_machine_place(&machine, &set);
    }
    return BN_OK;
}

Json group_facts(const bn_hierarchy* hierarchy, bn_level level)
{
    Json groups = Json::array();
    for (int group = 0; group < bn_hierarchy_group_count(hierarchy, level); ++group) {
        Json members = Json::array();
        int begin = bn_hierarchy_group_begin(hierarchy, level, group);
        for (int i = 0; i < bn_hierarchy_group_size(hierarchy, level, group); ++i)
            members.push_back(bn_hierarchy_member_at(hierarchy, begin + i));
        groups.push_back(members);
    }
    return groups;
}

}  // namespace

Json structure_facts(const std::string& description)
{
    Json list = Json::array();
    if (Machine machine = read_machine(description.empty() ? nullptr : description.c_str())) {
        int at = 0;
        list_parts(collect_part(*machine, at), 0, list);
    }
    return list;
}

Json hierarchy_facts(const bn_options& options, int thread_count)
{
    Json list = Json::array();
    Machine machine = read_machine(options.values[BN_OPTION_TOPOLOGY].text);
    std::vector<bn_place> places(static_cast<size_t>(thread_count));
    bn_hierarchy* raw = nullptr;
    if (!machine || find_places(options, *machine, places) != BN_OK ||
        bn_hierarchy_create(places.data(), thread_count, &raw) != BN_OK)
        return list;
    Hierarchy hierarchy(raw, free);
    for (int i = BN_LEVEL_NODE; i >= 0; --i) {
        auto level = static_cast<bn_level>(i);
        if (!list.empty() &&
            list.back()["groups"].size() == static_cast<size_t>(bn_hierarchy_group_count(hierarchy.get(), level))) {
            list.back()["levels"].push_back(bn_level_name(level));
            continue;
        }
        Json row;
        row["levels"] = {bn_level_name(level)};
        row["groups"] = group_facts(hierarchy.get(), level);
        list.push_back(row);
    }
    return list;
}

}  // namespace bn::info
