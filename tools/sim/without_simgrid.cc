#include "sim/fluid.h"
#include "sim/platform.h"

namespace bn::sim {

std::shared_ptr<Platform> Platform::open(const std::string& file, std::string* why)
{
    *why = file + " is for SimGrid, without which this banyan-sim was built (Debian: libsimgrid-dev)";
    return nullptr;
}

Platform::~Platform() = default;

const Route& Platform::route(uint32_t, uint32_t)
{
    throw PlatformFailure("there is no SimGrid");
}

std::optional<std::string> fluid_refusal(const Machine&)
{
    return "this banyan-sim was built without SimGrid (Debian: libsimgrid-dev); leave out --fluid";
}

std::optional<Outcome> simulate_fluid(const Machine&, const Schedule&, bn_barrier_kind)
{
    return std::nullopt;
}

}  // namespace bn::sim
