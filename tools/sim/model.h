// model.h: how long a schedule takes: LogGP, with everything that is shared taken in turn.
//
// Events are taken in the order of their times.  A copy within a node takes what was measured for its size and
// distance; memory regions, the links of nodes and those of the network pass on so many bytes in a time, for all that
// want them in the order in which they come.  A message takes overhead at its sender, its turn at each link on its way,
// and latency; memory of another node is read by a request and an answer.  A flag is seen when its line has come;
// readers of one line take turns.  Threads that share a core run until they have to wait, and then the next one does,
// after a switch.
#pragma once

#include "sim/machine.h"
#include "sim/schedule.h"

#include "sync/barrier.h"

#include <array>
#include <string>

namespace bn::sim {

struct Traffic {
    uint64_t messages = 0;
    double bytes = 0;
};

constexpr size_t kLevels = BN_LEVEL_CLUSTER + 1;

struct Outcome {
    double ns = 0;                            // until the last thread is done
    double median_ns = 0;                     // until half of them are
    double last_begin_ns = 0;                 // when the last one begins, where threads share cores
    std::array<Traffic, kLevels> copies;      // by the innermost level that both ends share
    std::array<uint64_t, kLevels> signals{};  // flags heard, by that of their owner and the listener
    uint64_t step_count = 0;

    struct {
        std::string name;
        double bytes = 0, busy_ns = 0;
    } busiest;  // link or memory region
};

// barrier: the kind of all barriers of one machine
Outcome simulate(const Machine& machine, const Schedule& schedule, bn_barrier_kind barrier);

// What moves, whoever says how long that takes
void count_traffic(const Machine& machine, const Schedule& schedule, Outcome* outcome);

}  // namespace bn::sim
