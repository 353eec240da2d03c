// times.h: how long each way takes from when the last thread calls until all have returned, for comparison with
// banyan-sim.
#pragma once

#include "tune/neighbours.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace bn::tune {

// Of all operations and ways, with synchronisation of all at both ends
class Times {
public:
    Times(const std::vector<int>& thread_counts, int core_count)
        : thread_counts_(thread_counts), core_count_(core_count)
    {
    }

    // Looks at the neighbours from time to time.  False if a job could not be run, which has been reported.
    bool sweep(Neighbours* neighbours);

    // {"stamp_ns": what it takes to look at the clock, "cells": [{"operation", "threads", "bytes", "runs": [{"way",
    // "ns"}]}]}: the least of the sweeps in which the neighbours were as near as usual.  Cells that they never were in
    // are left out, which is said.
    nlohmann::ordered_json result(const Neighbours& neighbours) const;

private:
    struct Part {
        size_t look;
        nlohmann::ordered_json cells;  // of one operation and number of threads
    };

    std::vector<int> thread_counts_;
    int core_count_;
    std::vector<std::vector<Part>> parts_;  // by the same, then by sweep
};

}  // namespace bn::tune
