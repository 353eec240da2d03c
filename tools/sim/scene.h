// scene.h: the input that simulations of a schedule on a machine share, whichever model keeps the time.
#pragma once

#include "sim/costs.h"
#include "sim/machine.h"
#include "sim/schedule.h"

#include "sync/barrier.h"

namespace bn::sim {

constexpr double kLineBytes = 64;  // of a cache

class Scene {
protected:
    Scene(const Machine& machine, const Schedule& schedule, bn_barrier_kind barrier)
        : machine_(machine), parameters_(machine.parameters()), schedule_(schedule), costs_(machine, schedule),
          barrier_(barrier), threads_(schedule.thread_count())
    {
    }

    // Whether two threads are on different nodes
    bool is_far(uint32_t a, uint32_t b) const { return machine_.nodes[a] != machine_.nodes[b]; }

    const Machine& machine_;
    const Parameters& parameters_;
    const Schedule& schedule_;
    CopyCosts costs_;
    bn_barrier_kind barrier_;  // kind of every barrier
    uint32_t threads_;
};

}  // namespace bn::sim
