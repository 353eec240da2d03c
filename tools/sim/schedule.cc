#include "sim/schedule.h"

#include <algorithm>

namespace bn::sim {

void Schedule::set(uint32_t thread, const std::vector<Event>& events)
{
    if (events.size() > room_) {
        room_ = std::max(kChunkEvents, events.size());
        chunks_.push_back(std::make_unique_for_overwrite<Event[]>(room_));
        next_ = chunks_.back().get();
    }
    std::copy(events.begin(), events.end(), next_);
    rows_[thread] = {next_, static_cast<uint32_t>(events.size())};
    next_ += events.size();
    room_ -= events.size();
    event_count_ += events.size();
}

}  // namespace bn::sim
