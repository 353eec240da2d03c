// costs.h: how long copies within a node take while no other thread copies.
#pragma once

#include "sim/caches.h"
#include "sim/machine.h"
#include "sim/schedule.h"

#include <optional>
#include <vector>

namespace bn::sim {

struct CopyCost {
    double ns;
    double shared_bytes_per_ns;  // the bandwidth that the memory regions offer to all copies; 0: none used
};

class CopyCosts {
public:
    CopyCosts(const Machine& machine, const Schedule& schedule);

    // The cost of a copy by a thread, which is carried out now. is_near: without information on caches, the source is
    // taken to be in the caches of the thread's core, since a thread of it has read the data.
    CopyCost of(uint32_t thread, const Event& event, bool is_near);

private:
    double part_ns(const CopyTimes& times, uint32_t thread, double bytes, size_t distance) const;
    double plain_ns(uint32_t thread, const Event& event, size_t distance) const;
    double found_ns(uint32_t thread, const Event& event, const Found& found) const;
    double shared_bandwidth(uint32_t thread, const Event& event, bool is_all_near) const;

    const Machine& machine_;
    std::vector<double> moved_bytes_;  // by all threads of a thread's core, in the whole operation
    std::optional<Caches> caches_;     // if the description gives copy times by cache state
};

}  // namespace bn::sim
