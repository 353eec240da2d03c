// network.h: routes between nodes, and the links on them.
#pragma once

#include "sim/description.h"
#include "sim/route.h"

#include <cstdint>
#include <string>
#include <vector>

namespace bn::sim {

// The capacity of a torus or dragonfly, and its number of links besides those of the nodes.  As doubles, since a
// description may ask for more than fits into an integer.
struct Extent {
    double nodes, links;
};
Extent extent_of(const Network& network);

// Links are numbered; except for platforms, the nodes' own links, to and from the network, come first.
class Routes {
public:
    Routes(const Description& description, uint32_t node_count);

    uint32_t link_count() const { return link_count_; }
    double bytes_per_ns(uint32_t link) const;
    bool is_shared(uint32_t link) const;  // false: every message has the full bandwidth
    std::string name_of(uint32_t link) const;

    // The route between two nodes; valid until the next call.  Throws PlatformFailure.
    const Route& find(uint32_t from, uint32_t to);

private:
    void find_in_tree(uint32_t from, uint32_t to);
    void find_in_torus(uint32_t from, uint32_t to);
    void find_in_dragonfly(uint32_t from, uint32_t to);

    Network network_;
    Parameters parameters_;
    uint32_t node_count_;
    Route route_;
    uint32_t switch_count_ = 0;  // leaves of the tree, places of the torus, routers of the dragonfly
    uint32_t link_count_;
};

}  // namespace bn::sim
