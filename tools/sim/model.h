// model.h: how long a schedule takes: LogGP, with every shared resource serving requests one at a time.
//
// Events are processed in the order of their times.  A copy within a node takes the time measured for its size and
// distance.  Memory regions, the links of nodes and those of the network have a bandwidth and serve requests in order
// of arrival.  A message costs overhead at its sender, its turn at each link of its route, and latency; memory of
// another node is read by a request and an answer.  A flag is seen when its line has arrived; readers of one line take
// turns.  Threads that share a core run until they have to wait; then the next one runs, after a context switch.
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
    double median_ns = 0;                     // until half of them are done
    double last_begin_ns = 0;                 // when the last thread begins, if threads share cores
    std::array<Traffic, kLevels> copies;      // by the innermost level that both ends share
    std::array<uint64_t, kLevels> signals{};  // flags heard, by the innermost level that owner and listener share
    uint64_t step_count = 0;

    struct {
        std::string name;
        double bytes = 0, busy_ns = 0;
    } busiest;  // link or memory region
};

// barrier: the kind of every barrier within one machine
Outcome simulate(const Machine& machine, const Schedule& schedule, bn_barrier_kind barrier);

// Counts what is moved; the result does not depend on the model of time.
void count_traffic(const Machine& machine, const Schedule& schedule, Outcome* outcome);

}  // namespace bn::sim
