#include "sim/study.h"

#include "base/log.h"
#include "coll/table.h"
#include "date.h"
#include "json_text.h"
#include "platform/cpus.h"
#include "sim/text.h"
#include "tune/rules.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace bn::sim {

using Json = nlohmann::ordered_json;

namespace {

Json levels_json(const Outcome& outcome)
{
    Json levels = Json::object();
    for (size_t level = 0; level < kLevels; level++) {
        const Traffic& traffic = outcome.copies[level];
        if (traffic.messages == 0 && outcome.signals[level] == 0)
            continue;
        const char* name = level == BN_LEVEL_CLUSTER ? "cluster" : bn_level_name(static_cast<bn_level>(level));
        levels[name] = {{"copies", traffic.messages}, {"bytes", traffic.bytes}, {"flags", outcome.signals[level]}};
    }
    return levels;
}

Json run_json(const Run& run)
{
    Json json;
    json["way"] = run.way->name;
    json["usual"] = run.is_usual;
    if (run.refusal) {
        json["refusal"] = *run.refusal;
        return json;
    }
    json["ns"] = run.outcome.ns;
    json["median_ns"] = run.outcome.median_ns;
    json["last_begin_ns"] = run.outcome.last_begin_ns;
    json["steps"] = run.outcome.step_count;
    json["levels"] = levels_json(run.outcome);
    json["busiest"] = {{"name", run.outcome.busiest.name},
                       {"bytes", run.outcome.busiest.bytes},
                       {"busy_ns", run.outcome.busiest.busy_ns}};
    json["memory_bytes"] = {{"shared", run.memory.shared},
                            {"plans", run.memory.plans},
                            {"trees", run.memory.trees},
                            {"hierarchy", run.memory.machine}};
    json["simulation_s"] = run.simulation_s;
    return json;
}

tune::Sync kind_of(bn_sync sync)
{
    return sync == BN_SYNC_ALL ? tune::Sync::kAll : sync == BN_SYNC_MY ? tune::Sync::kPartners : tune::Sync::kNone;
}

// The measurements that banyan-tune would have made with as many threads
std::vector<tune::Group> groups_of(const Study& study)
{
    std::vector<tune::Group> groups;
    for (const Cell& cell : study.cells) {
        if (groups.empty() || groups.back().plan.thread_count != cell.thread_count) {
            tune::Group group;
            group.plan = {.operation = study.operation,
                          .sync = kind_of(study.sync),
                          .thread_count = cell.thread_count,
                          .core_count = cell.pus_of_node,
                          .sizes = {},
                          .rounds = 0,
                          .round_us = 0,
                          .size_us = 0,
                          .node_count = cell.node_count,
                          .largest_node = cell.largest_node};
            groups.push_back(group);
        }
        for (const Run& run : cell.runs) {
            if (!run.refusal && (cell.node_count > 1 || bn_entry_is_of_one_machine(run.way)))
                groups.back().results.push_back({cell.nbytes, run.way->name, run.outcome.ns * 1e-3});
        }
    }
    return groups;
}

bool is_for_nodes(const Json& rule)
{
    return rule.contains("min_nodes");
}

// Whether two rules belong to the same kind of study: the same mode, both on one node or both on several
bool are_alike(const Json& left, const Json& right)
{
    return left.value("sync", Json()) == right.value("sync", Json()) && is_for_nodes(left) == is_for_nodes(right);
}

// Whether this is an object with a list of rules for each operation
bool are_rules(const Json& rules)
{
    auto is_rule = [](const Json& rule) { return rule.is_object(); };
    auto is_list = [&](const Json& list) { return list.is_array() && std::all_of(list.begin(), list.end(), is_rule); };
    return rules.is_object() && std::all_of(rules.begin(), rules.end(), is_list);
}

// Reads an existing table of the same machine; null if there is none.  False, with a message on standard error, if the
// file is something else.
bool read_table(const std::string& file, const std::string& machine, Json* table)
{
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        return true;
    Json found = json_of_file(file);
    bool is_table = found.is_object() && found.value("schema", Json()) == BN_TABLE_SCHEMA &&
                    are_rules(found.value("rules", Json()));
    if (!is_table)
        complain(file + " exists and is not a table of rules; name another file");
    else if (found.value("machine", Json()) == machine)
        *table = found;
    return is_table;
}

}  // namespace

std::string study_json(const Study& study)
{
    Json json;
    json["operation"] = bn_operation_name(study.operation);
    json["sync"] = sync_text(study.sync);
    json["root"] = study.root;
    json["machine"] = study.description.origin;
    json["order"] = study.order;
    json["cells"] = Json::array();
    for (const Cell& cell : study.cells) {
        Json one;
        one["threads"] = cell.thread_count;
        one["nodes"] = cell.node_count;
        one["bytes"] = cell.nbytes;
        one["crowded"] = cell.is_crowded;
        one["runs"] = Json::array();
        for (const Run& run : cell.runs)
            one["runs"].push_back(run_json(run));
        json["cells"].push_back(one);
    }
    return json_text(json, 1) + "\n";
}

std::string study_table(const Study& study, const std::string& machine, const std::string& file)
{
    char here[BN_TABLE_MACHINE_BYTES];
    bn_table_machine(here, sizeof here);
    Json rules = tune::rules_of(groups_of(study), study.operation);
    for (Json& rule : rules)
        rule["evidence"] = "simulated, " + rule["evidence"].get<std::string>();
    Json table;
    if (!read_table(file, machine.empty() ? here : machine, &table))
        return "";
    table["schema"] = BN_TABLE_SCHEMA;
    table["machine"] = machine.empty() ? here : machine;
    table["date"] = date_today();
    Json& all = table["rules"][bn_operation_name(study.operation)];
    Json others = Json::array();
    for (const Json& rule : all) {
        if (std::none_of(rules.begin(), rules.end(), [&](const Json& made) { return are_alike(made, rule); }))
            others.push_back(rule);
    }
    rules.insert(rules.end(), others.begin(), others.end());
    all = rules;
    std::string text = json_text(table, 1) + "\n";
    bn_table* checked = nullptr;
    if (bn_table_parse(text.c_str(), "the table", nullptr, &checked) != BN_OK)
        return "";
    bn_table_destroy(checked);
    return text;
}

}  // namespace bn::sim
