// measure.h: how long each way of an operation takes on this machine.
#pragma once

#include "coll/operation.h"

#include <string>
#include <vector>

namespace bn::tune {

// Pairs of synchronisation modes, each measured on behalf of all similar pairs.
enum class Sync { kAll, kPartners, kNone, kCount };

const char* sync_name(Sync sync);

// The mode, at entry and at exit, of the pair that is measured
inline bn_sync mode_of(Sync sync)
{
    constexpr bn_sync kModes[] = {BN_SYNC_ALL, BN_SYNC_MY, BN_SYNC_NO};
    return kModes[static_cast<int>(sync)];
}

// One job: its threads and everything that they measure
struct Plan {
    bn_operation operation;
    Sync sync;
    int thread_count;
    int core_count;
    std::vector<size_t> sizes;  // of a block, in bytes
    int rounds;                 // at most; each goes through all ways in turn
    double round_us;            // approximate time per way
    double size_us;             // no further round of a size begins after this long
    int node_count = 1;         // nodes that the threads are on; measurements here are on one
    int largest_node = 0;       // threads on the fullest node, if there are several
};

struct Result {
    size_t nbytes;
    std::string entry;
    double median_us;  // over the rounds, per call
};

// Runs the job; nothing if it could not be run, which has been reported.
std::vector<Result> measure(const Plan& plan);

}  // namespace bn::tune
