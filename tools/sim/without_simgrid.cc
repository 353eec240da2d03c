#include "sim/fluid.h"

namespace bn::sim {

std::optional<std::string> fluid_refusal(const Machine&)
{
    return "this banyan-sim was built without SimGrid (Debian: libsimgrid-dev); leave out --fluid";
}

std::optional<Outcome> simulate_fluid(const Machine&, const Schedule&, bn_barrier_kind)
{
    return std::nullopt;
}

}  // namespace bn::sim
