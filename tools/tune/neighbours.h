// neighbours.h: how near to each other two cores are, which may change over time.
//
// The host of a virtual machine moves its cores about: for seconds they are two hardware threads of one core, then two
// cores with a common cache, then two cores with separate caches, and access to each other's data takes from once to
// twenty times as long.  Measurements in one placement say nothing about another.
#pragma once

#include <cstddef>
#include <vector>

namespace bn::tune {

class Neighbours {
public:
    // pus: two of them; with fewer, nothing is measured.
    explicit Neighbours(const std::vector<int>& pus) : pus_(pus) {}

    // Measures how near they are now.  False if the job could not be run, which has been reported.
    bool look();

    // The index of the last look, to which everything measured until the next look belongs
    size_t now() const { return looks_.size() - 1; }

    // Whether they were as near as usual, from that look to the next one
    bool are_usual(size_t look) const;

    double usual_ns() const;
    int usual_percent() const;  // percentage of looks

private:
    std::vector<int> pus_;
    std::vector<double> looks_;  // nanoseconds to write a block on one that the other has read
};

}  // namespace bn::tune
