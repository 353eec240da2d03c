// times.h: how long each way takes from the last thread's call until all have returned, for comparison with banyan-sim.
#pragma once

#include "tune/neighbours.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace bn::tune {

// Times of all operations and ways, with synchronisation of all threads at both ends
class Times {
public:
    Times(const std::vector<int>& thread_counts, int core_count)
        : thread_counts_(thread_counts), core_count_(core_count)
    {
    }

    // Looks at the neighbours from time to time.  False if a job could not be run, which has been reported.
    bool sweep(Neighbours* neighbours);

    // {"stamp_ns": the cost of reading the clock, "cells": [{"operation", "threads", "bytes", "runs": [{"way",
    // "ns"}]}]}: the minimum over the sweeps in which the neighbours were as near as usual.  Cells without such a sweep
    // are left out, which is reported.
    nlohmann::ordered_json result(const Neighbours& neighbours) const;

private:
    struct Part {
        size_t look;
        nlohmann::ordered_json cells;  // for one operation and number of threads
    };

    std::vector<int> thread_counts_;
    int core_count_;
    std::vector<std::vector<Part>> parts_;  // in the same order, then by sweep
};

}  // namespace bn::tune
