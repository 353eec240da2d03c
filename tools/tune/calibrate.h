// calibrate.h: what banyan-sim has to know of this machine, measured.
#pragma once

#include "tune/copies.h"
#include "tune/neighbours.h"

#include "topology/level.h"

#include <map>
#include <string>
#include <vector>

namespace bn::tune {

// Measures the same several times, some time apart.  What was measured while the cores were as near to each other as at
// most times counts, and of that the least: who else runs on the machine adds to it.
class Calibration {
public:
    // False if this machine cannot be looked at, which has been reported.
    bool look_at_machine();

    // The first pu and the nearest other one; one alone where there is no other
    std::vector<int> neighbours() const;

    // After a look at them.  False if a job could not be run, which has been reported.
    bool sweep(const Neighbours& neighbours);

    // A description as banyan-sim reads it (sim/description.h), of this machine alone or with `network`, lines that say
    // what the network does.
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
        double memory, cached;  // bytes in a nanosecond
        double switch_ns, call_ns;
    };

    std::map<bn_level, Partner> partners_;  // of the first pu
    std::vector<int> in_region_;            // one pu of each core of its memory region
    int first_ = 0;
    std::vector<Sweep> sweeps_;
};

}  // namespace bn::tune
