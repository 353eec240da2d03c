// copies.h: how long a copy between two threads takes, depending on what the caches of both hold of the memory.
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

// By default, the copying thread has written the memory.
struct CopyKind {
    const char* words;  // the keyword of the description's line, and the words after the distance
    const char* more_words;
    bool is_other_source;    // the other thread has written the source
    bool is_read, is_other;  // the other thread has read, or written, the destination
};
constexpr CopyKind kCopyKinds[] = {{"copy    ", "", true, false, false},
                                   {"copy    ", " to=read", true, true, false},
                                   {"copy    ", " to=written", true, false, true},
                                   {"bring   ", "", false, false, true},
                                   {"bring   ", " to=read", false, true, false}};
constexpr size_t kCopyKindCount = sizeof kCopyKinds / sizeof kCopyKinds[0];

// Samples of one pair of processing units, collected over time.
class PairCopies {
public:
    explicit PairCopies(const std::vector<int>& pus) : pus_(pus) {}

    bool sweep();  // False if a job could not be run, which has been reported.

    // The lower quartiles of the sweeps for which `counts` is true
    std::string lines(const char* distance, const std::vector<bool>& counts) const;

    // "held    512K=98% ...": how much of what a core has read its caches still hold after it has touched so much more
    std::string held_line(const std::vector<bool>& counts) const;

private:
    std::vector<int> pus_;
    std::vector<double> samples_[kCopyKindCount][kCopySizeCount];
    std::vector<double> spilled_[kSpillCount];
};

// Nanoseconds in which one of two processing units writes 16 KiB that the other has read; negative if the job could not
// be run.
double shared_write_ns(const std::vector<int>& pus);

// "copy    self 64=8ns ...": times by size
std::string copies_line(const std::string& words, const double (&times)[kCopySizeCount]);

// Runs threads that are bound to processing units. core_count: the number of cores that the waiting policy assumes.
bool run_on(const std::vector<int>& pus, int core_count, const std::function<void(const Arrays&)>& body,
            size_t array_bytes = kLargestCopy);

// The mean of the times up to the median: this leaves out disturbances by other programs, and averages over the ticks
// of a coarse clock.
double lower_mean(double* times, int count);

}  // namespace bn::tune
