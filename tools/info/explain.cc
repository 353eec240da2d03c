#include "info/explain.h"

#include "base/log.h"
#include "base/parse.h"
#include "coll/plan.h"
#include "info/facts.h"
#include "info/words.h"
#include "platform/cpus.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <nlohmann/json.hpp>

namespace bn::info {

using Json = nlohmann::ordered_json;

namespace {

struct Kind {
    const char* name;
    bn_sync mode;
    bool has_nodes = false;
    bn_reach reach = BN_REACH_MAPPED;
};

// The synchronisation modes of UPC, the same at entry and exit; then several machines, and MPI programs, for which
// there are no tables
constexpr Kind kKinds[] = {{"ALLSYNC", BN_SYNC_ALL},
                           {"MYSYNC", BN_SYNC_MY},
                           {"NOSYNC", BN_SYNC_NO},
                           {"on nodes", BN_SYNC_ALL, true},
                           {"MPI", BN_SYNC_MY, false, BN_REACH_KERNEL},
                           {"no CMA", BN_SYNC_MY, false, BN_REACH_STAGES},
                           {"heap", BN_SYNC_MY, false, BN_REACH_HEAP}};

constexpr int kUsualNodes = 2;  // if --nodes is not given

int find_operation(const std::string& name)
{
    std::string all;
    for (int operation = 0; operation < BN_OPERATION_COUNT; operation++) {
        const char* known = bn_operation_name(static_cast<bn_operation>(operation));
        if (name == known)
            return operation;
        all += std::string(all.empty() ? "" : ", ") + known;
    }
    bn_log_error("--explain: \"%s\" is not a collective operation; there are %s", name.c_str(), all.c_str());
    return -1;
}

// How many memory regions the threads would be in
int region_count(const bn_options& options, int thread_count)
{
    int regions = 1;
    for (const Json& row : hierarchy_facts(options, thread_count)) {
        for (const Json& level : row["levels"]) {
            if (level == "numa")
                regions = static_cast<int>(row["groups"].size());
        }
    }
    return regions;
}

Json choice_facts(const bn_table* table, bn_operation operation, const bn_conditions& conditions,
                  const bn_entry* forced)
{
    Json facts;
    const char* origin;
    if (forced) {
        facts["way"] = forced->name;
        facts["because"] = "it is forced";
        size_t limit_bytes = bn_entry_limit_among(forced, conditions.member_count, conditions.largest_node);
        if (limit_bytes != 0 && conditions.nbytes > limit_bytes)
            facts["because"] = "it is forced, but cannot carry so much: the program would end";
        return facts;
    }
    const bn_rule* rule = bn_plan_rule(table, operation, &conditions, nullptr, &origin);
    facts["way"] = rule->entry;
    facts["because"] = std::string(origin) + (rule->evidence ? std::string(": ") + rule->evidence : "");
    return facts;
}

bool has_operation(const Kind& kind, bn_operation operation)
{
    if (operation == BN_BARRIER && (kind.mode != BN_SYNC_ALL || kind.has_nodes))
        return false;
    if (kind.reach == BN_REACH_MAPPED)
        return operation < BN_UPC_OPERATION_COUNT;
    return operation != BN_PERMUTE && operation != BN_REDUCE && operation != BN_REDUCE_ALL && operation != BN_PREFIX;
}

// One entry per kind that has the operation; `all` holds the conditions common to all of them.
Json choices_facts(const bn_table* table, bn_operation operation, const bn_conditions& all, int node_count,
                   const bn_entry* forced)
{
    Json facts;
    for (const Kind& kind : kKinds) {
        int nodes = !kind.has_nodes ? 1 : node_count > 0 ? node_count : kUsualNodes;
        if (!has_operation(kind, operation) || nodes > all.member_count || (kind.has_nodes && nodes == 1))
            continue;
        bn_conditions conditions = all;
        conditions.in = conditions.out = kind.mode;
        conditions.node_count = nodes;
        conditions.largest_node = (all.member_count + nodes - 1) / nodes;
        conditions.reach = kind.reach;
        const bn_table* asked = kind.reach == BN_REACH_MAPPED ? table : nullptr;
        facts[kind.name] = choice_facts(asked, operation, conditions, forced);
    }
    return facts;
}

Json size_facts(const bn_table* table, bn_option_id option)
{
    const char* origin;
    size_t bytes = bn_plan_size_bytes(table, option, &origin);
    return {{"bytes", bytes}, {"origin", origin}};
}

// All ways, and which of them are only for OpenSHMEM jobs or only for MPI programs
Json ways_facts(bn_operation operation)
{
    Json facts;
    int count;
    const bn_entry* entries = bn_registry(operation, &count);
    facts["ways_over_openshmem"] = facts["ways_of_mpi"] = Json::array();
    for (int i = 0; i < count; i++) {
        facts["ways"].push_back(entries[i].name);
        if (entries[i].needs_stages)
            facts["ways_of_mpi"].push_back(entries[i].name);
        else if (!bn_entry_is_of_one_machine(&entries[i]))
            facts["ways_over_openshmem"].push_back(entries[i].name);
    }
    return facts;
}

}  // namespace

Json collective_facts(const bn_options& options, const std::vector<std::string>& wish, int thread_count, int node_count)
{
    uint64_t nbytes = 8;
    int operation = find_operation(wish[0]);
    if (operation < 0)
        return nullptr;
    if (wish.size() > 1 && (!bn_parse_bytes(wish[1].c_str(), 1, &nbytes) || nbytes == 0)) {
        bn_log_error("--explain: \"%s\" is not a size, such as 64, 8K or 2M", wish[1].c_str());
        return nullptr;
    }
    bn_options_load(&options);
    bn_table* table = nullptr;
    if (bn_plans_check_options() != BN_OK || bn_table_load(&table, nullptr) != BN_OK)
        return nullptr;
    Json facts;
    const bn_option_value& value = options.values[BN_OPTION_COLL_BROADCAST + operation];
    bn_operation number = static_cast<bn_operation>(operation);
    const bn_entry* forced = value.text && value.text[0] ? bn_registry_find(number, value.text) : nullptr;
    int threads = thread_count > 0 ? thread_count : bn_cpus_usable_count();
    if (node_count > threads) {
        bn_log_error("--nodes %d is more than the %d threads; ask for more threads with -n", node_count, threads);
        bn_table_destroy(table);
        return nullptr;
    }
    facts["operation"] = wish[0];
    if (number != BN_BARRIER)
        facts["bytes"] = nbytes;
    facts["threads"] = threads;
    facts["cores"] = bn_cpus_usable_count();
    facts["regions"] = region_count(options, threads);
    facts["rules"] = table ? table->path : "built in";
    bn_conditions conditions = {};
    conditions.nbytes = size_t{1} << bn_size_class(nbytes);
    conditions.member_count = threads;
    conditions.core_count = facts["cores"];
    conditions.region_count = facts["regions"];
    facts["choices"] = choices_facts(table, number, conditions, node_count, forced);
    if (number == BN_PREFIX)
        facts["sizes"] = {{"block by block from", size_facts(table, BN_OPTION_COLL_PREFIX_BLOCKS)}};
    else if (number != BN_BARRIER)
        facts["sizes"] = {{"chunk", size_facts(table, BN_OPTION_COLL_CHUNK)},
                          {"halves from", size_facts(table, BN_OPTION_COLL_HALVES)}};
    facts.update(ways_facts(number));
    bn_table_destroy(table);
    return facts;
}

std::string collective_text(const Json& facts)
{
    std::string operation = facts["operation"];
    std::string text;
    std::string upper = operation;
    std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return toupper(c); });
    std::string size = facts.contains("bytes") ? " of " + std::to_string(facts["bytes"].get<size_t>()) + " bytes" : "";
    text += operation + size + ", " + counted(facts["threads"].get<int>(), "thread") + " on " +
            counted(facts["cores"].get<int>(), "core") + " in " +
            counted(facts["regions"].get<int>(), "memory region") + "; rules: " + facts["rules"].get<std::string>() +
            "\n";
    for (const auto& [flags, choice] : facts["choices"].items()) {
        std::string kind = flags;
        kind.resize(strlen("on nodes"), ' ');  // the longest of kKinds
        text += "  " + kind + " " + choice["way"].get<std::string>() + "\n           " +
                choice["because"].get<std::string>() + "\n";
    }
    const Json sizes = facts.value("sizes", Json::object());
    for (const auto& [name, size] : sizes.items()) {
        text += "  " + name + " " + std::to_string(size["bytes"].template get<size_t>()) + " bytes (" +
                size["origin"].template get<std::string>() + ")\n";
    }
    text += "Ways, for BANYAN_COLL_" + upper + ":\n";
    for (const Json& way : facts["ways"]) {
        auto is_in = [&](const char* key) { return std::count(facts[key].begin(), facts[key].end(), way) > 0; };
        text += "  " + way.get<std::string>();
        text += is_in("ways_over_openshmem") ? " (with -network=shmem)" : is_in("ways_of_mpi") ? " (MPI programs)" : "";
        text += "\n";
    }
    return text;
}

}  // namespace bn::info
