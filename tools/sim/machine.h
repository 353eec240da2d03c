// machine.h: a described machine with threads on it.
#pragma once

#include "sim/description.h"
#include "sim/network.h"

#include "topology/distance.h"
#include "topology/hierarchy.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace bn::sim {

enum class Order { kBlock, kCyclic, kRandom };

struct Placement {
    int thread_count = 0;  // 0: one per processing unit of all nodes
    int node_count = 0;    // 0: as described, or as many as the threads fill
    Order order = Order::kBlock;
    uint64_t seed = 0;
};

using Hierarchy = std::unique_ptr<bn_hierarchy, decltype(&free)>;

// All parts of one level on all nodes, connected by links with a limit
struct Parts {
    bn_level level;
    double bytes_per_ns;               // out of each part, and into it
    std::vector<uint32_t> of_threads;  // by thread
    uint32_t count;
};

struct Machine {
    Description description;
    int thread_count = 0;
    int node_count = 0;
    int pus_of_node = 0;
    int largest_node = 0;  // threads on the fullest node
    Hierarchy hierarchy{nullptr, free};
    std::vector<uint32_t> nodes;    // by thread
    std::vector<uint32_t> regions;  // memory regions of all nodes, by thread
    std::vector<uint32_t> lanes;    // processing units, which run one thread at a time; by thread
    uint32_t region_count = 0, lane_count = 0;
    std::vector<Parts> parts;  // innermost first
    bool is_crowded = false;   // some lane has several threads
    std::shared_ptr<Routes> routes;

    const Parameters& parameters() const { return description.parameters; }
    bn_level distance(uint32_t a, uint32_t b) const
    {
        return bn_distance(hierarchy.get(), static_cast<int>(a), static_cast<int>(b));
    }
    // The latency of a word from one node to another
    double latency_ns(uint32_t from_node, uint32_t to_node) const
    {
        return routes->find(from_node, to_node).latency_ns;
    }
    // The index of the distance between two threads of one node in the arrays of the parameters
    size_t near_distance(uint32_t a, uint32_t b) const
    {
        return a == b ? kSelf : static_cast<size_t>(distance_of(distance(a, b)));
    }
};

// False, with a message on standard error, if the machine cannot be read or has no room.  Throws WrongCommandLine
// if the placement makes no sense.
bool make_machine(const Description& description, const Placement& placement, Machine* machine);

}  // namespace bn::sim
