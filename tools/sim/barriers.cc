#include "sim/barriers.h"

#include "coll/barrier_groups.h"

#include <algorithm>
#include <unordered_map>

namespace bn::sim {

namespace {

// The threads of one node, in the order of the hierarchy
struct Members {
    const Machine& machine;
    int begin, count;

    uint32_t at(int index) const
    {
        return static_cast<uint32_t>(bn_hierarchy_member_at(machine.hierarchy.get(), begin + index));
    }
};

double line_ns(const Machine& machine, uint32_t a, uint32_t b)
{
    return machine.parameters().line_ns[machine.near_distance(a, b)];
}

// Whoever increments a counter needs its cache line, which takes half of the time from a writer to a reader.
double count_ns(const Machine& machine, uint32_t a, uint32_t b)
{
    return line_ns(machine, a, b) / 2;
}

// All increment one counter; returns when the last one has.
double count_in_turn(const Members& members, const std::vector<double>& times)
{
    std::vector<uint32_t> order;
    for (int i = 0; i < members.count; i++)
        order.push_back(members.at(i));
    std::sort(order.begin(), order.end(),
              [&](uint32_t a, uint32_t b) { return times[a] != times[b] ? times[a] < times[b] : a < b; });
    double ns = 0;
    for (size_t i = 0; i < order.size(); i++)
        ns = std::max(ns, times[order[i]]) + count_ns(members.machine, order[i], order[i > 0 ? i - 1 : 0]);
    return ns;
}

// All poll one word, which somebody has written.
void release(const Members& members, double ns, std::vector<double>* times)
{
    uint32_t first = members.at(0);
    for (int i = 0; i < members.count; i++) {
        uint32_t thread = members.at(i);
        (*times)[thread] = ns + line_ns(members.machine, first, thread) + i * members.machine.parameters().turn_ns;
    }
}

void pass_pair(const Machine& machine, std::vector<double>* times)
{
    double ns = std::max((*times)[0], (*times)[1]) + line_ns(machine, 0, 1);
    *times = {ns, ns};
}

// By the engine's groups: the last to arrive in a group continues to the next one.
void pass_tree(const Machine& machine, std::vector<double>* times)
{
    struct Group {
        uint32_t arrivals = 0;
        double ns = 0;
    };
    std::unordered_map<uint32_t, Group> groups;
    std::vector<uint32_t> order(times->size());
    for (uint32_t i = 0; i < order.size(); i++)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return (*times)[a] < (*times)[b]; });
    double end = 0;
    int line_count = 0;
    for (uint32_t thread : order) {
        bn_barrier_tree tree;
        if (bn_barrier_groups_make(machine.hierarchy.get(), static_cast<int>(thread), &tree) != BN_OK)
            return;
        double ns = (*times)[thread];
        for (int i = 0; i < tree.path_length; i++) {
            Group& group = groups[tree.path[i].line];
            group.ns = std::max(group.ns, ns) + count_ns(machine, thread, tree.path[i].line);
            ns = group.ns;
            if (++group.arrivals < tree.path[i].input_count)
                break;
        }
        end = std::max(end, ns);
        line_count = tree.line_count;
        bn_barrier_groups_destroy(&tree);
    }
    end += line_count * machine.parameters().turn_ns;
    int per_group = static_cast<int>(times->size()) / std::max(line_count, 1);
    for (uint32_t i = 0; i < times->size(); i++)
        (*times)[i] =
            end + line_ns(machine, i, 0) + static_cast<int>(i) % std::max(per_group, 1) * machine.parameters().turn_ns;
}

// Threads signal the leader of their node, leaders signal each other, and then their node (pgas/remote/barrier.c).
void pass_nodes(const Machine& machine, std::vector<double>* times)
{
    const Parameters& parameters = machine.parameters();
    auto message_ns = [&](size_t from, size_t to) {
        return parameters.nic_overhead_ns + machine.latency_ns(static_cast<uint32_t>(from), static_cast<uint32_t>(to));
    };
    auto members_of = [&](int node) {
        const bn_hierarchy* hierarchy = machine.hierarchy.get();
        return Members{machine, bn_hierarchy_group_begin(hierarchy, BN_LEVEL_NODE, node),
                       bn_hierarchy_group_size(hierarchy, BN_LEVEL_NODE, node)};
    };
    size_t count = static_cast<size_t>(machine.node_count);
    std::vector<double> leaders(count);
    for (size_t node = 0; node < count; node++)
        leaders[node] = count_in_turn(members_of(static_cast<int>(node)), *times);
    if (count >= 3 && count <= 8) {
        double all = leaders[0];
        for (size_t node = 1; node < count; node++)
            all = std::max(all, leaders[node] + message_ns(node, 0));
        for (size_t node = 1; node < count; node++)
            leaders[node] = all + static_cast<double>(node) * parameters.nic_gap_ns + message_ns(0, node);
        leaders[0] = all + static_cast<double>(count - 1) * parameters.nic_overhead_ns;
    } else {
        for (size_t distance = 1; distance < count; distance *= 2) {
            std::vector<double> before = leaders;
            for (size_t node = 0; node < count; node++) {
                size_t from = (node + count - distance) % count;
                leaders[node] = std::max(before[node], before[from] + message_ns(from, node));
            }
        }
    }
    for (size_t node = 0; node < count; node++)
        release(members_of(static_cast<int>(node)), leaders[node], times);
}

}  // namespace

void pass_barrier(const Machine& machine, bn_barrier_kind kind, std::vector<double>* times)
{
    const Members all = {machine, 0, machine.thread_count};
    if (machine.thread_count < 2)
        return;
    if (machine.node_count > 1)
        pass_nodes(machine, times);
    else if (kind == BN_BARRIER_TREE)
        pass_tree(machine, times);
    else if (machine.thread_count == 2)
        pass_pair(machine, times);
    else
        release(all, count_in_turn(all, *times), times);
}

}  // namespace bn::sim
