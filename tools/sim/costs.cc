#include "sim/costs.h"

#include <algorithm>
#include <cmath>

namespace bn::sim {

namespace {

constexpr double kLook = 0.5;               // the reader's part of the time of a line from writer to reader
constexpr double kFitsNoMore = 16;          // multiple of what fits into caches at which only memory bandwidth counts
constexpr double kCachedBytes = 256 << 10;  // up to here, a thread's own data take no bandwidth of the region

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
    if (machine.parameters().knows_targets)
        caches_.emplace(machine, schedule);
}

// A copy takes its share of the time for everything that its core moves: copies follow one another, and the caches hold
// either all of it or nothing.
double CopyCosts::part_ns(const CopyTimes& times, uint32_t thread, double bytes, size_t distance) const
{
    double all = std::max(moved_bytes_[thread], bytes);
    double least = distance == kSelf ? 0 : kLook * machine_.parameters().line_ns[distance];
    return std::max(bytes * times.ns_of(all) / all, least);
}

double CopyCosts::plain_ns(uint32_t thread, const Event& event, size_t distance) const
{
    const Parameters& parameters = machine_.parameters();
    const CopyTable& table = event.to == thread ? parameters.copies : parameters.brought;
    Target target = event.to == thread ? kTargetOwn : kTargetWritten;
    return part_ns(table[target][distance], thread, static_cast<double>(event.bytes), distance);
}

double CopyCosts::found_ns(uint32_t thread, const Event& event, const Found& found) const
{
    const Parameters& parameters = machine_.parameters();
    double ns = 0;
    for (size_t source = 0; source < kDistances; source++) {
        for (size_t target = 0; found.sources[source] > 0 && target < kTargets; target++) {
            for (size_t at = 0; at < kDistances; at++) {
                double part = found.sources[source] * found.targets[target][at];
                if (part == 0)
                    continue;
                size_t distance = std::max(source, at);
                bool is_brought = source == kSelf && target != kTargetOwn;
                const CopyTimes& times = (is_brought ? parameters.brought : parameters.copies)[target][distance];
                ns += part * part_ns(times, thread, static_cast<double>(event.bytes), distance);
            }
        }
    }
    return ns;
}

double CopyCosts::shared_bandwidth(uint32_t thread, const Event& event, bool is_all_near) const
{
    const Parameters& parameters = machine_.parameters();
    if (is_all_near && static_cast<double>(event.bytes) <= kCachedBytes)
        return 0;
    double share = std::log(moved_bytes_[thread] / parameters.fits_bytes) / std::log(kFitsNoMore);
    double ratio = parameters.memory_bytes_per_ns / parameters.cached_bytes_per_ns;
    return parameters.cached_bytes_per_ns * std::pow(ratio, std::clamp(share, 0.0, 1.0));
}

CopyCost CopyCosts::of(uint32_t thread, const Event& event, bool is_near)
{
    if (caches_) {
        Found found = caches_->take(thread, event);
        bool is_all_near = found.sources[kSelf] == 1 && found.targets[kTargetOwn][kSelf] == 1;
        return {found_ns(thread, event, found), shared_bandwidth(thread, event, is_all_near)};
    }
    size_t distance =
        is_near ? size_t{kSelf}
                : std::max(machine_.near_distance(thread, event.to), machine_.near_distance(thread, event.from));
    double shared = is_near ? 0 : shared_bandwidth(thread, event, distance == kSelf);
    return {plain_ns(thread, event, distance), shared};
}

}  // namespace bn::sim
