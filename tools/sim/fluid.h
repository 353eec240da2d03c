// fluid.h: simulates the same schedules in SimGrid, where transfers share links and memory regions fairly at any time.
//
// For up to some thousands of threads, each of which is an actor.
#pragma once

#include "sim/model.h"

#include <optional>
#include <string>

namespace bn::sim {

// Why the machine cannot be simulated this way; nothing if it can.
std::optional<std::string> fluid_refusal(const Machine& machine);

// Runs in a process of its own, since SimGrid can be started only once per process.  Nothing, with a message on
// standard error, if that process ends early.
std::optional<Outcome> simulate_fluid(const Machine& machine, const Schedule& schedule, bn_barrier_kind barrier);

}  // namespace bn::sim
