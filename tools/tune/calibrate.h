// calibrate.h: measures what banyan-sim has to know about this machine.
#pragma once

#include "tune/copies.h"
#include "tune/neighbours.h"

#include "topology/level.h"

#include <map>
#include <string>
#include <vector>

namespace bn::tune {

// Measures the same things several times, some time apart.  Only sweeps in which the cores were as near to each other
// as they usually are count, and of those the minimum: other programs on the machine only add time.
class Calibration {
public:
    // False if this machine's structure cannot be read, which has been reported.
    bool look_at_machine();

    // The first processing unit and the nearest other one; only one if there is no other
    std::vector<int> neighbours() const;

    // After look_at_machine.  False if a job could not be run, which has been reported.
    bool sweep(const Neighbours& neighbours);

    // A description of this machine in banyan-sim's format (sim/description.h); `network`: lines that describe the
    // network, or "".
    std::string text(const std::string& network, const Neighbours& neighbours) const;

private:
    struct Partner {
        std::vector<int> pus;
        PairCopies copies;
    };

    struct Sweep {
        size_t look;
        std::map<bn_level, double> line_ns;
        double self_ns[kCopySizeCount];
        double memory, cached;  // bytes per nanosecond
        double switch_ns, call_ns;
    };

    std::map<bn_level, Partner> partners_;  // of the first processing unit
    std::vector<int> in_region_;            // one processing unit of each core in its memory region
    int first_ = 0;
    std::vector<Sweep> sweeps_;
};

}  // namespace bn::tune
