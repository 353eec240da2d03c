#include "sim/network.h"

#include "sim/platform.h"

namespace bn::sim {

namespace {

uint32_t size_at(const Network& network, size_t index)
{
    return static_cast<uint32_t>(network.sizes[index]);
}

}  // namespace

Extent extent_of(const Network& network)
{
    double product = 1;
    for (int size : network.sizes)
        product *= size;
    if (network.kind == Net::kTorus)
        return {product, product * 2 * static_cast<double>(network.sizes.size())};
    double groups = network.sizes[0], routers = network.sizes[1];
    return {product, groups * routers * routers + groups * groups};
}

/*
 * Links after those of the nodes, by kind of network:
 *
 *     tree        up from each switch, then down to each
 *     torus       of each place: for each dimension forward, then backward
 *     dragonfly   of each router: to each router of its group, then to each other group by way of one router of both
 */
Routes::Routes(const Description& description, uint32_t node_count)
    : network_(description.network), parameters_(description.parameters), node_count_(node_count)
{
    const Network& network = network_;
    link_count_ = node_count > 1 ? 2 * node_count : 0;
    if (network.kind == Net::kPlatform) {
        link_count_ = static_cast<uint32_t>(network.platform->links().size());
    } else if (network.kind == Net::kTree) {
        switch_count_ = (node_count + size_at(network, 0) - 1) / size_at(network, 0);
        link_count_ += 2 * switch_count_;
    } else if (network.kind == Net::kTorus || network.kind == Net::kDragonfly) {
        Extent extent = extent_of(network);
        switch_count_ = network.kind == Net::kTorus ? static_cast<uint32_t>(extent.nodes)
                                                    : size_at(network, 0) * size_at(network, 1);
        link_count_ += static_cast<uint32_t>(extent.links);
    }
}

// One hop between the nodes' own links, and one more for each further link.
const Route& Routes::find(uint32_t from, uint32_t to)
{
    if (network_.kind == Net::kPlatform)
        return network_.platform->route(from, to);
    route_.links = {from};
    if (network_.kind == Net::kTree)
        find_in_tree(from, to);
    else if (network_.kind == Net::kTorus)
        find_in_torus(from, to);
    else if (network_.kind == Net::kDragonfly)
        find_in_dragonfly(from, to);
    route_.links.push_back(node_count_ + to);
    route_.latency_ns = parameters_.nic_latency_ns + static_cast<double>(route_.links.size() - 1) * parameters_.hop_ns;
    return route_;
}

double Routes::bytes_per_ns(uint32_t link) const
{
    if (network_.kind == Net::kPlatform)
        return network_.platform->links()[link].bytes_per_ns;
    return link < 2 * node_count_ ? parameters_.nic_bytes_per_ns : parameters_.link_bytes_per_ns;
}

bool Routes::is_shared(uint32_t link) const
{
    return network_.kind != Net::kPlatform || network_.platform->links()[link].is_shared;
}

void Routes::find_in_tree(uint32_t from, uint32_t to)
{
    uint32_t first = from / size_at(network_, 0), last = to / size_at(network_, 0);
    if (first == last)
        return;
    route_.links.push_back(2 * node_count_ + first);
    route_.links.push_back(2 * node_count_ + switch_count_ + last);
}

// One dimension after another, in the shorter direction
void Routes::find_in_torus(uint32_t from, uint32_t to)
{
    auto dimensions = static_cast<uint32_t>(network_.sizes.size());
    uint32_t place = from, step = 1;
    for (uint32_t dimension = 0; dimension < dimensions; dimension++) {
        uint32_t length = size_at(network_, dimension);
        uint32_t target = to / step % length;
        while (place / step % length != target) {
            uint32_t here = place / step % length;
            bool is_forward = (target + length - here) % length * 2 <= length;
            uint32_t next = (here + (is_forward ? 1 : length - 1)) % length;
            route_.links.push_back(2 * node_count_ + (place * dimensions + dimension) * 2 + (is_forward ? 0 : 1));
            place = place - here * step + next * step;
        }
        step *= length;
    }
}

// The shortest route: within the group to the router that has the global link, over that link, and within the other
// group.  The link between groups g and h is at router (h mod routers) of g and (g mod routers) of h.
void Routes::find_in_dragonfly(uint32_t from, uint32_t to)
{
    uint32_t groups = size_at(network_, 0), routers = size_at(network_, 1), nodes = size_at(network_, 2);
    uint32_t router = from / nodes, last = to / nodes;
    uint32_t group = router / routers, other = last / routers;
    auto go = [&](uint32_t to_router) {
        if (router != to_router)
            route_.links.push_back(2 * node_count_ + router * routers + to_router % routers);
        router = to_router;
    };
    if (group != other) {
        go(group * routers + other % routers);
        route_.links.push_back(2 * node_count_ + switch_count_ * routers + group * groups + other);
        router = other * routers + group % routers;
    }
    go(last);
}

std::string Routes::name_of(uint32_t link) const
{
    if (network_.kind == Net::kPlatform)
        return network_.platform->links()[link].name;
    if (link < node_count_)
        return "from node " + std::to_string(link) + " to the network";
    if (link < 2 * node_count_)
        return "from the network to node " + std::to_string(link - node_count_);
    uint32_t index = link - 2 * node_count_;
    if (network_.kind == Net::kTree)
        return (index < switch_count_ ? "up from switch " : "down to switch ") + std::to_string(index % switch_count_);
    if (network_.kind == Net::kTorus) {
        auto dimensions = static_cast<uint32_t>(network_.sizes.size());
        return "of place " + std::to_string(index / 2 / dimensions) + " in dimension " +
               std::to_string(index / 2 % dimensions) + (index % 2 == 0 ? ", forward" : ", backward");
    }
    uint32_t groups = size_at(network_, 0), routers = size_at(network_, 1);
    if (index < switch_count_ * routers)
        return "from router " + std::to_string(index / routers) + " to router " +
               std::to_string(index / routers / routers * routers + index % routers);
    index -= switch_count_ * routers;
    return "from group " + std::to_string(index / groups) + " to group " + std::to_string(index % groups);
}

}  // namespace bn::sim
