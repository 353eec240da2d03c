#include "sim/study.h"

#include "base/parse.h"
#include "sim/fluid.h"
#include "sim/text.h"

#include <algorithm>
#include <cstdio>
#include <sys/resource.h>

namespace bn::sim {

namespace {

bn_operation find_operation(const std::string& name)
{
    std::string names;
    for (int i = 0; i < BN_UPC_OPERATION_COUNT; i++) {
        bn_operation operation = static_cast<bn_operation>(i);
        if (name == bn_operation_name(operation))
            return operation;
        names += std::string(i > 0 ? ", " : "") + bn_operation_name(operation);
    }
    throw WrongCommandLine("\"" + name + "\" is not an operation; there are " + names + ", start");
}

Placement find_placement(const Wishes& wishes)
{
    Placement placement;
    int64_t seed = 0;
    placement.node_count = wishes.node_count;
    if (wishes.order == "block")
        return placement;
    placement.order = Order::kCyclic;
    if (wishes.order == "cyclic")
        return placement;
    placement.order = Order::kRandom;
    if (wishes.order.starts_with("random:") && bn_parse_int(wishes.order.c_str() + 7, &seed))
        placement.seed = static_cast<uint64_t>(seed);
    else if (wishes.order != "random")
        throw WrongCommandLine("--order " + wishes.order + " is none of block, cyclic, random, random:SEED");
    return placement;
}

std::vector<size_t> find_sizes(const Wishes& wishes, bn_operation operation)
{
    bool has_blocks = bn_operation_has_blocks(operation);
    if (!has_blocks && !wishes.sizes.empty())
        throw WrongCommandLine(wishes.operation + " moves one value of each thread, or nothing, and has no --size");
    if (!has_blocks)
        return {sizeof(double)};
    if (wishes.sizes.empty())
        return {8, 1024, 65536, 1048576};
    std::vector<size_t> sizes;
    for (const std::string& text : wishes.sizes) {
        uint64_t bytes = 0;
        if (!bn_parse_bytes(text.c_str(), 1, &bytes) || bytes == 0)
            throw WrongCommandLine("--size " + text + " is not a number of bytes, such as 8, 64K, 1M");
        sizes.push_back(bytes);
    }
    return sizes;
}

std::vector<const bn_entry*> find_ways(const Wishes& wishes, bn_operation operation)
{
    std::vector<const bn_entry*> ways;
    int count = 0;
    const bn_entry* entries = bn_registry(operation, &count);
    bool wants_all = wishes.ranks && wishes.ways.empty();
    for (const std::string& name : wishes.ways) {
        const bn_entry* way = bn_registry_find(operation, name.c_str());
        wants_all = wants_all || name == "all";
        if (way)
            ways.push_back(way);
        else if (name != "all") {
            std::string names;
            for (int i = 0; i < count; i++)
                names += std::string(i > 0 ? ", " : "") + entries[i].name;
            throw WrongCommandLine("\"" + name + "\" is not a way of " + wishes.operation + "; there are all, " +
                                   names);
        }
    }
    for (int i = 0; wants_all && i < count; i++)
        ways.push_back(&entries[i]);
    return ways;
}

// Processor time of this process and of the children that it has waited for
double seconds_used()
{
    double seconds = 0;
    for (int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage = {};
        getrusage(who, &usage);
        for (const timeval& time : {usage.ru_utime, usage.ru_stime})
            seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    }
    return seconds;
}

bool run_way(const Machine& machine, const Question& question, bool is_only_one, bool is_fluid, Run* run)
{
    run->way = question.way;
    run->refusal = refusal_of(machine, question);
    if (run->refusal && is_only_one)
        return complain(std::string(bn_operation_name(question.operation)) + " \"" + question.way->name +
                        "\" cannot be used: " + *run->refusal);
    if (run->refusal)
        return true;
    double begin = seconds_used();
    std::optional<Schedule> schedule = record(machine, question);
    if (!schedule) {
        run->refusal = "takes too many steps";
        return !is_only_one;
    }
    bn_barrier_kind kind = question.operation == BN_BARRIER ? question.way->barrier : BN_BARRIER_CENTRAL;
    std::optional<Outcome> outcome =
        is_fluid ? simulate_fluid(machine, *schedule, kind) : simulate(machine, *schedule, kind);
    if (!outcome)
        return false;
    run->outcome = *outcome;
    run->memory = control_memory(machine, question);
    run->simulation_s = seconds_used() - begin;
    return true;
}

bool run_cell(const Machine& machine, const Study& study, const std::vector<const bn_entry*>& ways, bool is_fluid,
              Cell* cell)
{
    Question question = {study.operation, nullptr, cell->nbytes, study.root, study.sync, study.sync};
    const bn_entry* usual = usual_way(machine, question);
    std::vector<const bn_entry*> taken = ways.empty() ? std::vector<const bn_entry*>{usual} : ways;
    for (const bn_entry* way : taken) {
        Run run;
        question.way = way;
        if (!run_way(machine, question, taken.size() == 1, is_fluid, &run))
            return false;
        run.is_usual = way == usual;
        cell->runs.push_back(std::move(run));
    }
    std::stable_sort(cell->runs.begin(), cell->runs.end(), [](const Run& a, const Run& b) {
        return a.refusal.has_value() != b.refusal.has_value() ? !a.refusal : !a.refusal && a.outcome.ns < b.outcome.ns;
    });
    return true;
}

bn_sync find_sync(const std::string& name)
{
    for (bn_sync each : {BN_SYNC_ALL, BN_SYNC_MY, BN_SYNC_NO}) {
        if (name == sync_text(each))
            return each;
    }
    throw WrongCommandLine("--sync " + name + " is none of all, my, no");
}

}  // namespace

bool find_description(const Wishes& wishes, Description* description)
{
    return read_description(wishes.machine, description) &&
           (wishes.platform.empty() || take_platform(wishes.platform, description));
}

const char* sync_text(bn_sync sync)
{
    static constexpr const char* kNames[] = {"all", "my", "no"};
    return kNames[sync];
}

bool carry_out(const Wishes& wishes, Study* study)
{
    study->operation = find_operation(wishes.operation);
    study->order = wishes.order;
    study->root = wishes.root;
    study->sync = find_sync(wishes.sync);
    Placement placement = find_placement(wishes);
    std::vector<size_t> sizes = find_sizes(wishes, study->operation);
    std::vector<const bn_entry*> ways = find_ways(wishes, study->operation);
    if (!wishes.svg_file.empty() && wishes.thread_counts.size() > 1 && sizes.size() > 1 && ways.size() > 1)
        throw WrongCommandLine(
            "--svg draws several ways over numbers of threads or over sizes, not over both; name one "
            "--size");
    if (!find_description(wishes, &study->description))
        return false;
    std::vector<int> counts = wishes.thread_counts.empty() ? std::vector<int>{0} : wishes.thread_counts;
    for (int count : counts) {
        Machine machine;
        placement.thread_count = count;
        if (!make_machine(study->description, placement, &machine))
            return false;
        if (wishes.root >= machine.thread_count)
            throw WrongCommandLine("--root: there is no thread " + std::to_string(wishes.root) +
                                   "; threads are numbered from 0 to " + std::to_string(machine.thread_count - 1));
        std::optional<std::string> refusal = wishes.is_fluid ? fluid_refusal(machine) : std::nullopt;
        if (refusal)
            return complain(*refusal);
        if (!wishes.table_file.empty() && machine.node_count > 1 && study->operation == BN_BARRIER)
            return complain("barriers between nodes have only one way, and " + std::to_string(machine.thread_count) +
                            " threads are on " + std::to_string(machine.node_count) + " nodes; leave out --table");
        for (size_t nbytes : sizes) {
            Cell cell = {.thread_count = machine.thread_count,
                         .node_count = machine.node_count,
                         .largest_node = machine.largest_node,
                         .pus_of_node = machine.pus_of_node,
                         .is_crowded = machine.is_crowded,
                         .nbytes = nbytes,
                         .runs = {}};
            if (!run_cell(machine, *study, ways, wishes.is_fluid, &cell))
                return false;
            study->cells.push_back(std::move(cell));
        }
    }
    return true;
}

}  // namespace bn::sim
