// neighbours.h: how near to each other two cores are from time to time.
//
// A virtual machine's cores are moved about by its host: for seconds they are two halves of one core, then two cores at
// one cache, then at two caches, and what they write and read of each other takes from once to twenty times as long.
// What was measured with them in one place says nothing of another.
#pragma once

#include <cstddef>
#include <vector>

namespace bn::tune {

class Neighbours {
public:
    // pus: two of them; nothing is looked at where there are fewer.
    explicit Neighbours(const std::vector<int>& pus) : pus_(pus) {}

    // Looks how near they are now.  False if the job could not be run, which has been reported.
    bool look();

    // Of what is measured from now on until the next look
    size_t now() const { return looks_.size() - 1; }

    // Whether they were as near as at most times, from that look to the next one
    bool are_usual(size_t look) const;

    double usual_ns() const;
    int usual_percent() const;  // of the looks

private:
    std::vector<int> pus_;
    std::vector<double> looks_;  // nanoseconds of a block that one of them writes where the other has read
};

}  // namespace bn::tune
