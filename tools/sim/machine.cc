#include "sim/machine.h"

#include "platform/cpus.h"
#include "sim/platform.h"
#include "sim/text.h"
#include "topology/machine.h"
#include "topology/spread.h"

#include <algorithm>
#include <cstdio>
#include <unordered_map>

namespace bn::sim {

namespace {

constexpr int kThreadsMax = 1 << 20;

struct DestroyMachine {
    void operator()(bn_machine* machine) const { bn_machine_destroy(machine); }
};
using Node = std::unique_ptr<bn_machine, DestroyMachine>;

Node read_node(const std::string& text)
{
    bn_machine* machine = nullptr;
    bn_pu_set usable;
    bn_cpus_affinity(&usable);
    const char* description = text.empty() ? nullptr : text.c_str();
    return bn_machine_read(description, &usable, false, &machine) == BN_OK ? Node(machine) : nullptr;
}

// How many nodes fit on a network; 0: any number
int room_of(const Network& network)
{
    if (network.kind == Net::kFlat || network.kind == Net::kTree)
        return 0;
    if (network.kind == Net::kPlatform)
        return static_cast<int>(std::min<uint32_t>(network.platform->host_count(), kThreadsMax));
    return static_cast<int>(std::min<double>(extent_of(network).nodes, kThreadsMax));
}

bool count_threads_and_nodes(const Placement& placement, Machine* machine)
{
    const Description& description = machine->description;
    int room = room_of(description.network);
    machine->node_count = placement.node_count > 0 ? placement.node_count : description.node_count;
    machine->thread_count = placement.thread_count;
    if (description.network.kind == Net::kPlatform && machine->node_count == 0 && machine->thread_count == 0)
        machine->node_count = room;
    if (machine->thread_count == 0) {
        int64_t pus = int64_t{std::max(machine->node_count, 1)} * machine->pus_of_node;
        if (pus > kThreadsMax)
            return complain("there would be " + with_commas(static_cast<uint64_t>(pus)) +
                            " threads, but at most 1,048,576 can be simulated; use --threads");
        machine->thread_count = static_cast<int>(pus);
    }
    if (machine->node_count == 0)
        machine->node_count = (machine->thread_count + machine->pus_of_node - 1) / machine->pus_of_node;
    if (placement.node_count > machine->thread_count)
        throw WrongCommandLine("--nodes " + std::to_string(placement.node_count) + " is more than the " +
                               count_text(static_cast<uint64_t>(machine->thread_count), "thread"));
    machine->node_count = std::min(machine->node_count, machine->thread_count);
    if (room > 0 && machine->node_count > room)
        return complain("the network has room for " + count_text(static_cast<uint64_t>(room), "node") +
                        ", but there are " + std::to_string(machine->node_count));
    return true;
}

// Assigns consecutive numbers from 0 to keys, in order of first use.
class Numbers {
public:
    uint32_t of(uint64_t key)
    {
        return numbers_.try_emplace(key, static_cast<uint32_t>(numbers_.size())).first->second;
    }
    uint32_t count() const { return static_cast<uint32_t>(numbers_.size()); }

private:
    std::unordered_map<uint64_t, uint32_t> numbers_;
};

void put_on_lanes(const std::vector<bn_place>& places, uint32_t pus_of_core, Machine* machine)
{
    Numbers cores, lanes;
    std::vector<uint32_t> on_core;
    for (size_t i = 0; i < places.size(); i++) {
        uint32_t core = cores.of(places[i].parts[BN_LEVEL_CORE]);
        if (core == on_core.size())
            on_core.push_back(0);
        uint32_t pu = on_core[core]++ % pus_of_core;
        machine->lanes.push_back(lanes.of(uint64_t{core} * pus_of_core + pu));
    }
    machine->lane_count = lanes.count();
    machine->is_crowded = machine->lane_count < places.size();
}

uint32_t pus_of_core(const bn_machine& node)
{
    uint32_t most = 1;
    for (int i = 0; i < node.pu_count; i++)
        most = std::max(most, static_cast<uint32_t>(node.pus[i].core_rank) + 1);
    return most;
}

void find_parts(const bn_hierarchy* hierarchy, Machine* machine)
{
    for (int i = 0; i < BN_LEVEL_NODE; i++) {
        auto level = static_cast<bn_level>(i);
        double bytes_per_ns = machine->parameters().between_bytes_per_ns[static_cast<size_t>(distance_of(level))];
        if (bytes_per_ns == 0)
            continue;
        Parts parts = {level, bytes_per_ns, {}, static_cast<uint32_t>(bn_hierarchy_group_count(hierarchy, level))};
        for (int thread = 0; thread < machine->thread_count; thread++)
            parts.of_threads.push_back(static_cast<uint32_t>(bn_hierarchy_group_of(hierarchy, level, thread)));
        machine->parts.push_back(std::move(parts));
    }
}

}  // namespace

bool make_machine(const Description& description, const Placement& placement, Machine* machine)
{
    machine->description = description;
    Node node = read_node(description.node);
    if (!node && !description.node_at.empty())
        return complain(description.node_at + ": this is no node");
    if (!node && description.node == description.origin)
        return complain("the machines that have names are " + known_machine_names());
    if (!node)
        return false;
    machine->pus_of_node = node->pu_count;
    if (!count_threads_and_nodes(placement, machine))
        return false;
    const Network& network = description.network;
    int per_switch = network.kind == Net::kTree        ? network.sizes[0]
                     : network.kind == Net::kDragonfly ? network.sizes[1] * network.sizes[2]
                                                       : 0;
    bn_spread_order order = placement.order == Order::kBlock    ? BN_SPREAD_BLOCK
                            : placement.order == Order::kCyclic ? BN_SPREAD_CYCLIC
                                                                : BN_SPREAD_RANDOM;
    const bn_spread spread = {machine->node_count, per_switch, order, placement.seed};
    std::vector<bn_place> places(static_cast<size_t>(machine->thread_count));
    bn_hierarchy* hierarchy = nullptr;
    if (bn_spread_places(node.get(), &spread, machine->thread_count, places.data()) != BN_OK ||
        bn_hierarchy_create(places.data(), machine->thread_count, &hierarchy) != BN_OK)
        return false;
    machine->hierarchy = Hierarchy(hierarchy, free);
    put_on_lanes(places, pus_of_core(*node), machine);
    for (int thread = 0; thread < machine->thread_count; thread++) {
        machine->nodes.push_back(static_cast<uint32_t>(bn_hierarchy_group_of(hierarchy, BN_LEVEL_NODE, thread)));
        machine->regions.push_back(static_cast<uint32_t>(bn_hierarchy_group_of(hierarchy, BN_LEVEL_NUMA, thread)));
    }
    find_parts(hierarchy, machine);
    machine->routes = std::make_shared<Routes>(description, static_cast<uint32_t>(machine->node_count));
    machine->region_count = static_cast<uint32_t>(bn_hierarchy_group_count(hierarchy, BN_LEVEL_NUMA));
    for (int i = 0; i < machine->node_count; i++)
        machine->largest_node = std::max(machine->largest_node, bn_hierarchy_group_size(hierarchy, BN_LEVEL_NODE, i));
    return true;
}

}  // namespace bn::sim
