#include "sim/start.h"

#include "base/log.h"
#include "coll/shape.h"
#include "json_text.h"
#include "pgas/remote/rounds.h"
#include "sim/text.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace bn::sim {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kStartThreadsMax = 1 << 17;       // with more, "places to all" takes more steps than fit into memory
constexpr int kLeaderBytes = sizeof(uint32_t);  // of bn_start_control

struct Step {
    const char* name;
    std::string how;
    double ns = 0;
    bool is_measured = false;  // on this computer, not simulated
};

double now_ns()
{
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The rounds of pgas/remote/segment.c: words followed by a flag, in one message if it is far
void note_round(const Machine& machine, uint32_t thread, int round, std::vector<Event>* events)
{
    bn_round part = bn_round_of(static_cast<int>(thread), machine.thread_count, round);
    auto to = static_cast<uint32_t>(part.to);
    auto slot = static_cast<uint8_t>(round);
    uint64_t bytes = static_cast<uint64_t>(part.count) * kLeaderBytes;
    bool is_far = machine.nodes[to] != machine.nodes[thread];
    if (!is_far)
        events->push_back({Kind::kCopy, Flag::kProgress, 0, Manner::kPlain, 0, to, thread, 0, bytes});
    events->push_back({Kind::kRaise, Flag::kSlot, slot, Manner::kHandedOver, 1, to, thread, 0, is_far ? bytes : 0});
    events->push_back({Kind::kAwait, Flag::kSlot, slot, Manner::kPlain, 1, thread, 0, 0, 0});
}

Step exchange_leaders(const Machine& machine)
{
    auto threads = static_cast<uint32_t>(machine.thread_count);
    int rounds = bn_round_count(machine.thread_count);
    Schedule schedule(threads);
    std::vector<Event> events;
    for (uint32_t thread = 0; thread < threads; thread++) {
        events.clear();
        for (int round = 0; round < rounds; round++)
            note_round(machine, thread, round, &events);
        schedule.set(thread, events);
    }
    Step step = {"who is on which node", "", simulate(machine, schedule, BN_BARRIER_CENTRAL).ns};
    step.how = std::to_string(rounds) + " rounds, in the last one " +
               bytes_text(static_cast<double>(bn_round_of(0, machine.thread_count, rounds - 1).count * kLeaderBytes)) +
               " to each thread";
    return step;
}

// Simulates one operation by one way
bool run_step(const Machine& machine, bn_operation operation, const char* way, size_t nbytes, Step* step)
{
    Question question = {operation, bn_registry_find(operation, way), nbytes, 0, BN_SYNC_MY, BN_SYNC_MY};
    if (std::optional<std::string> refusal = refusal_of(machine, question))
        return complain(std::string(bn_operation_name(operation)) + " \"" + way + "\" cannot be used: " + *refusal);
    std::optional<Schedule> schedule = record(machine, question);
    if (!schedule)
        return false;
    Outcome outcome = simulate(machine, *schedule, BN_BARRIER_CENTRAL);
    step->how = std::string(way) + ", " + bytes_text(static_cast<double>(nbytes)) + " of each thread";
    if (operation == BN_BROADCAST)
        step->how = std::string(way) + ", " + bytes_text(static_cast<double>(nbytes));
    if (operation == BN_BARRIER)
        step->how = machine.node_count > 1 ? "over nodes" : way;
    step->ns = outcome.ns;
    return true;
}

// Measures, on this computer, the work that each node and each thread does for itself
std::vector<Step> measure_own(const Machine& machine, const Placement& placement)
{
    std::vector<Step> steps;
    Machine again;
    double begin = now_ns();
    make_machine(machine.description, placement, &again);
    steps.push_back({"hierarchy, on each node",
                     with_commas(bn_hierarchy_size_bytes(machine.hierarchy.get()) >> 10) + " KiB of shared memory",
                     now_ns() - begin, true});
    bn_shape shape;
    bn_tree tree;
    bn_shape_parse("binomial.binomial.binomial", &shape);
    // Twice, since other work may disturb the first turn
    double tree_ns = 0;
    for (int turn = 0; turn < 2; turn++) {
        begin = now_ns();
        bn_shape_tree(machine.hierarchy.get(), &shape, 0, machine.thread_count / 2, &tree);
        tree_ns = turn == 0 ? now_ns() - begin : std::min(tree_ns, now_ns() - begin);
        if (turn == 0)
            bn_tree_destroy(&tree);
    }
    steps.push_back({"a tree, in each thread",
                     std::to_string(tree.child_count) + " children, depth " + std::to_string(tree.depth), tree_ns,
                     true});
    bn_tree_destroy(&tree);
    return steps;
}

bool find_steps(const Machine& machine, const Placement& placement, std::vector<Step>* steps)
{
    const char* kGather = "push/binomial.binomial.binomial/whole";
    const char* kBroadcast = "pull/binomial.binomial.binomial/chunks";
    size_t all = static_cast<size_t>(machine.thread_count) * sizeof(bn_place);
    Step meet{"all are there", "", 0}, collect{"places to one", "", 0}, tell{"places to all", "", 0};
    if (machine.node_count > 1)
        steps->push_back(exchange_leaders(machine));
    if (!run_step(machine, BN_BARRIER, "central", 1, &meet) ||
        !run_step(machine, BN_GATHER, kGather, sizeof(bn_place), &collect) ||
        !run_step(machine, BN_BROADCAST, kBroadcast, all, &tell))
        return false;
    steps->insert(steps->end(), {meet, collect, tell});
    for (const Step& step : measure_own(machine, placement))
        steps->push_back(step);
    return true;
}

std::string steps_text(const Machine& machine, const std::vector<Step>& steps)
{
    std::string text = "start of " + count_text(static_cast<uint64_t>(machine.thread_count), "thread") + " on " +
                       count_text(static_cast<uint64_t>(machine.node_count), "node") + " (" +
                       machine.description.origin + "), when all processes are there\n";
    for (const Step& step : steps)
        text += "  " + left(step.name, 26) + right(time_text(step.ns), 10) + "  " + step.how +
                (step.is_measured ? "; measured on this computer\n" : "\n");
    return text;
}

Json steps_json(const Machine& machine, const std::vector<Step>& steps)
{
    Json json = {{"operation", "start"}, {"threads", machine.thread_count}, {"nodes", machine.node_count}};
    for (const Step& step : steps)
        json["steps"].push_back(
            {{"name", step.name}, {"how", step.how}, {"ns", step.ns}, {"measured", step.is_measured}});
    return json;
}

}  // namespace

bool show_start(const Wishes& wishes)
{
    bool asks_for_more =
        !wishes.sizes.empty() || !wishes.ways.empty() || !wishes.svg_file.empty() || wishes.ranks || wishes.is_fluid;
    if (asks_for_more || wishes.order != "block" || wishes.sync != "all" || wishes.root != 0)
        throw WrongCommandLine("start takes only --threads, --nodes, --machine, --platform and --json");
    std::vector<int> counts = wishes.thread_counts.empty() ? std::vector<int>{0} : wishes.thread_counts;
    Description description;
    if (!find_description(wishes, &description))
        return false;
    Json all = Json::array();
    for (int count : counts) {
        Machine machine;
        std::vector<Step> steps;
        Placement placement;
        placement.thread_count = count;
        placement.node_count = wishes.node_count;
        if (!make_machine(description, placement, &machine))
            return false;
        if (machine.thread_count > kStartThreadsMax)
            return complain("start is simulated for up to " + with_commas(kStartThreadsMax) +
                            " threads, but there are " + with_commas(static_cast<uint64_t>(machine.thread_count)) +
                            "; use --threads");
        if (!find_steps(machine, placement, &steps))
            return false;
        if (wishes.is_json)
            all.push_back(steps_json(machine, steps));
        else
            printf("%s", steps_text(machine, steps).c_str());
    }
    if (wishes.is_json)
        printf("%s\n", json_text(all, 1).c_str());
    return bn_log_output_arrived();
}

}  // namespace bn::sim
