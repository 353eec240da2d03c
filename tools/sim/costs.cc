#include "sim/costs.h"

#include <algorithm>
#include <cmath>

namespace bn::sim {

namespace {

constexpr double kLook = 0.5;               // of the way of a line from writer to reader: the reader's part
constexpr double kFitsNoMore = 16;          // times what fits into caches, memory itself is what counts
constexpr double kCachedBytes = 256 << 10;  // of a thread's own data, which take no bandwidth of the region

}  // namespace

CopyCosts::CopyCosts(const Machine& machine, const Schedule& schedule)
    : machine_(machine), moved_bytes_(schedule.thread_count())
{
    std::vector<double> of_lane(machine.lane_count);
    for (uint32_t thread = 0; thread < schedule.thread_count(); thread++) {
        const Schedule::Row& row = schedule.of(thread);
        for (uint32_t i = 0; i < row.count; i++) {
            if (row.events[i].kind == Kind::kCopy)
                of_lane[machine.lanes[thread]] += static_cast<double>(row.events[i].bytes);
        }
    }
    for (uint32_t thread = 0; thread < schedule.thread_count(); thread++)
        moved_bytes_[thread] = of_lane[machine.lanes[thread]];
}

size_t CopyCosts::distance(uint32_t thread, const Event& event) const
{
    return std::max(machine_.near_distance(thread, event.to), machine_.near_distance(thread, event.from));
}

// A part of what its core moves takes its part of the time of all: it follows other parts, and the caches hold all or
// none.
double CopyCosts::ns(uint32_t thread, const Event& event, bool is_near) const
{
    const Parameters& parameters = machine_.parameters();
    size_t distance = is_near ? kSelf : this->distance(thread, event);
    const CopyTimes& times = (event.to == thread ? parameters.copies : parameters.brought)[distance];
    auto bytes = static_cast<double>(event.bytes);
    double all = std::max(moved_bytes_[thread], bytes);
    double least = distance == kSelf ? 0 : kLook * parameters.line_ns[distance];
    return std::max(bytes * times.ns_of(all) / all, least);
}

double CopyCosts::shared_bandwidth(uint32_t thread, const Event& event) const
{
    const Parameters& parameters = machine_.parameters();
    if (distance(thread, event) == kSelf && static_cast<double>(event.bytes) <= kCachedBytes)
        return 0;
    double share = std::log(moved_bytes_[thread] / parameters.fits_bytes) / std::log(kFitsNoMore);
    double ratio = parameters.memory_bytes_per_ns / parameters.cached_bytes_per_ns;
    return parameters.cached_bytes_per_ns * std::pow(ratio, std::clamp(share, 0.0, 1.0));
}

}  // namespace bn::sim
