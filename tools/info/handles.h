// handles.h: owning pointers for objects of runtime/topology.
#pragma once

#include "topology/hierarchy.h"
#include "topology/machine.h"

#include <cstdlib>
#include <memory>

namespace bn::info {

struct DestroyMachine {
    void operator()(bn_machine* machine) const { bn_machine_destroy(machine); }
};
using Machine = std::unique_ptr<bn_machine, DestroyMachine>;
using Hierarchy = std::unique_ptr<bn_hierarchy, decltype(&free)>;

}  // namespace bn::info
