// costs.h: how long copies within a node take while nobody else copies.
#pragma once

#include "sim/caches.h"
#include "sim/machine.h"
#include "sim/schedule.h"

#include <optional>
#include <vector>

namespace bn::sim {

struct CopyCost {
    double ns;
    double shared_bytes_per_ns;  // that the memory regions of the copy have for all; 0: it takes nothing of them
};

class CopyCosts {
public:
    CopyCosts(const Machine& machine, const Schedule& schedule);

    // Of a copy by a thread, which is made now; is_near: where nothing is said of caches, what it reads is in those of
    // its core, since somebody there has read it.
    CopyCost of(uint32_t thread, const Event& event, bool is_near);

private:
    double part_ns(const CopyTimes& times, uint32_t thread, double bytes, size_t distance) const;
    double plain_ns(uint32_t thread, const Event& event, size_t distance) const;
    double found_ns(uint32_t thread, const Event& event, const Found& found) const;
    double shared_bandwidth(uint32_t thread, const Event& event, bool is_all_near) const;

    const Machine& machine_;
    std::vector<double> moved_bytes_;  // by the threads of a thread's core, in the whole operation
    std::optional<Caches> caches_;     // where the description says what they do
};

}  // namespace bn::sim
