// thread_counts.h: for how many threads banyan-tune measures unless it is told.
#pragma once

#include <algorithm>
#include <vector>

namespace bn::tune {

// Twice as many threads as cores, and four times as many, stand for all oversubscribed jobs.  In increasing order; no
// number is above `most`.
inline std::vector<int> default_thread_counts(int core_count, int most)
{
    std::vector<int> counts;
    for (int count = 2; count < core_count; count *= 2)
        counts.push_back(count);
    if (core_count >= 2)
        counts.push_back(core_count);
    counts.push_back(core_count >= 2 ? 2 * core_count : 2);
    counts.push_back(2 * counts.back());
    for (int& count : counts)
        count = std::min(count, most);
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

}  // namespace bn::tune
