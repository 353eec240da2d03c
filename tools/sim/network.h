// network.h: the way from node to node, and what lies on it.
#pragma once

#include "sim/description.h"

#include <cstdint>
#include <string>
#include <vector>

namespace bn::sim {

// Links are numbered; those of the nodes themselves, to and from the network, come first.
class Routes {
public:
    Routes(const Network& network, uint32_t node_count);

    uint32_t link_count() const { return link_count_; }
    uint32_t out_of(uint32_t node) const { return node; }
    uint32_t into(uint32_t node) const { return node_count_ + node; }

    // The links between the nodes' own, in order; one hop each, and one more
    void find(uint32_t from, uint32_t to, std::vector<uint32_t>* links) const;

    std::string name_of(uint32_t link) const;

private:
    void find_in_torus(uint32_t from, uint32_t to, std::vector<uint32_t>* links) const;
    void find_in_dragonfly(uint32_t from, uint32_t to, std::vector<uint32_t>* links) const;

    Network network_;
    uint32_t node_count_;
    uint32_t switch_count_ = 0;  // leaves of the tree, places of the torus, routers of the dragonfly
    uint32_t link_count_;
};

}  // namespace bn::sim
