// way.h: what a message passes from one node to another.
#pragma once

#include <cstdint>
#include <vector>

namespace bn::sim {

struct Way {
    std::vector<uint32_t> links;  // in order, those of the nodes themselves included
    double latency_ns = 0;
};

}  // namespace bn::sim
