// costs.h: how long copies within a node take while nobody else copies.
#pragma once

#include "sim/machine.h"
#include "sim/schedule.h"

#include <vector>

namespace bn::sim {

class CopyCosts {
public:
    CopyCosts(const Machine& machine, const Schedule& schedule);

    // Of a copy by a thread; is_near: what it reads is in the caches of its core, since somebody there has read it.
    double ns(uint32_t thread, const Event& event, bool is_near) const;

    // Bytes in a nanosecond that the memory regions of this copy have for all; 0: it takes nothing of them
    double shared_bandwidth(uint32_t thread, const Event& event) const;

private:
    size_t distance(uint32_t thread, const Event& event) const;

    const Machine& machine_;
    std::vector<double> moved_bytes_;  // by the threads of a thread's core, in the whole operation
};

}  // namespace bn::sim
