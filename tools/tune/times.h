// times.h: how long each way takes from when the last thread calls until all have returned, for comparison with
// banyan-sim.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace bn::tune {

// Of all operations and ways, with synchronisation of all at both ends: {"cells": [{"operation", "threads", "bytes",
// "runs": [{"way", "ns"}]}]}.  Null if a job could not be run, which has been reported.
nlohmann::ordered_json measure_times(const std::vector<int>& thread_counts, int core_count);

}  // namespace bn::tune
