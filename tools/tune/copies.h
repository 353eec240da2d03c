// copies.h: what a copy between two threads takes, by what the caches of the two have of the memory before.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bn::tune {

struct Arrays;

constexpr size_t kCopySizes[] = {64,    512,   1024,  2048,  4096,   6144,    8192,    12288,
                                 16384, 24576, 32768, 65536, 262144, 1048576, 4194304, 16777216};
constexpr size_t kCopySizeCount = sizeof kCopySizes / sizeof kCopySizes[0];
constexpr size_t kLargestCopy = kCopySizes[kCopySizeCount - 1];

constexpr size_t kSpills[] = {0,       128 << 10, 256 << 10, 512 << 10, 768 << 10,
                              1 << 20, 3 << 19,   2 << 20,   4 << 20,   8 << 20};
constexpr size_t kSpillCount = sizeof kSpills / sizeof kSpills[0];

// Memory is written by the thread that copies, as a rule.
struct CopyKind {
    const char* words;  // of a line of a description: what it is called, and behind the distance
    const char* more_words;
    bool is_other_source;    // the other thread has written what is read
    bool is_read, is_other;  // the other thread has read, or written, the memory that is copied to
};
constexpr CopyKind kCopyKinds[] = {{"copy    ", "", true, false, false},
                                   {"copy    ", " to=read", true, true, false},
                                   {"copy    ", " to=written", true, false, true},
                                   {"bring   ", "", false, false, true},
                                   {"bring   ", " to=read", false, true, false}};
constexpr size_t kCopyKindCount = sizeof kCopyKinds / sizeof kCopyKinds[0];

// Samples of one pair of pus, as they come.
class PairCopies {
public:
    explicit PairCopies(const std::vector<int>& pus) : pus_(pus) {}

    bool sweep();  // False if a job could not be run, which has been reported.

    // The lower quarters of the sweeps in which `counts` says true
    std::string lines(const char* distance, const std::vector<bool>& counts) const;

    // "held    512K=98% ...": how much of what a core has read its caches still have when it has touched so much more
    std::string held_line(const std::vector<bool>& counts) const;

private:
    std::vector<int> pus_;
    std::vector<double> samples_[kCopyKindCount][kCopySizeCount];
    std::vector<double> spilled_[kSpillCount];
};

// Of two pus, nanoseconds in which one writes 16 KiB that the other has read; negative if the job could not be run.
double shared_write_ns(const std::vector<int>& pus);

// "copy    self 64=8ns ...": times by size
std::string copies_line(const std::string& words, const double (&times)[kCopySizeCount]);

// Runs threads that are bound to pus.  core_count: how many the waiting policy is to count on.
bool run_on(const std::vector<int>& pus, int core_count, const std::function<void(const Arrays&)>& body,
            size_t array_bytes = kLargestCopy);

// Of times, the mean of those up to the median: others on this machine are left out, and a clock that ticks slowly
// gives more than its ticks.
double lower_mean(double* times, int count);

}  // namespace bn::tune
