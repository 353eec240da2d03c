// fluid.h: the same schedules in SimGrid, where those that share a link or a memory region share it fairly at any time.
//
// For up to some thousands of threads: each is an actor.
#pragma once

#include "sim/model.h"

#include <optional>
#include <string>

namespace bn::sim {

// Why it cannot be; nothing if it can.
std::optional<std::string> fluid_refusal(const Machine& machine);

// In a process of its own, since SimGrid can be started once in each.  Nothing, with a message on standard error, if
// that has ended early.
std::optional<Outcome> simulate_fluid(const Machine& machine, const Schedule& schedule, bn_barrier_kind barrier);

}  // namespace bn::sim
