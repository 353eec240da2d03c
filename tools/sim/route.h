// route.h: the links that a message passes from one node to another.
#pragma once

#include <cstdint>
#include <vector>

namespace bn::sim {

struct Route {
    std::vector<uint32_t> links;  // in order, including those of the nodes themselves
    double latency_ns = 0;
};

}  // namespace bn::sim
