// barriers.h: when threads leave a barrier that they enter at different times.
#pragma once

#include "sim/machine.h"

#include "sync/barrier.h"

#include <vector>

namespace bn::sim {

// times: in, when each thread arrives; out, when it leaves. kind: of the barriers within one machine, central or tree
void pass_barrier(const Machine& machine, bn_barrier_kind kind, std::vector<double>* times);

}  // namespace bn::sim
