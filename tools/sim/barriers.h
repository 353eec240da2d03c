// barriers.h: when threads leave a barrier that they come to at different times.
#pragma once

#include "sim/machine.h"

#include "sync/barrier.h"

#include <vector>

namespace bn::sim {

// arrivals in, when they leave out; kind: of those of one machine, central or tree
void pass_barrier(const Machine& machine, bn_barrier_kind kind, std::vector<double>* times);

}  // namespace bn::sim
