// measure.h: how long each way of an operation takes on this machine.
#pragma once

#include "coll/operation.h"

#include <string>
#include <vector>

namespace bn::tune {

// Pairs of synchronisation modes that are measured for all that are like them.
enum class Sync { kAll, kPartners, kNone, kCount };

const char* sync_name(Sync sync);

// One job: threads and everything that is measured in it
struct Plan {
    bn_operation operation;
    Sync sync;
    int thread_count;
    int core_count;
    std::vector<size_t> sizes;  // of a block, in bytes
    int rounds;                 // most of them; each goes through all ways in turn
    double round_us;            // about this long for each way
    double size_us;             // when a size has taken this long, no further round begins
    int node_count = 1;         // that the threads are on; those that are measured here are on one
    int largest_node = 0;       // threads of the node that has most, if there are several
};

struct Result {
    size_t nbytes;
    std::string entry;
    double median_us;  // of the rounds, for one call
};

// Runs the job; nothing if it could not be run, which has been reported.
std::vector<Result> measure(const Plan& plan);

}  // namespace bn::tune
