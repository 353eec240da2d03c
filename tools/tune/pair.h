// pair.h: what is measured between two hosts, and the lines of a description (sim/description.h) that say so.
#pragma once

#include "printed.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace bn::tune {

// Of one pair of hosts, in nanoseconds
struct Pair {
    double told, sent, fetched, gap, bytes_per_ns;
};

// Whether banyan-sim can take it.  A disturbance may make a large block seem to arrive before a small one.  (A gap
// below 0 counts as 0.)
inline bool is_plausible(const Pair& pair)
{
    double finite = pair.told + pair.sent + pair.fetched + pair.gap + pair.bytes_per_ns;
    return std::isfinite(finite) && std::min({pair.told, pair.sent, pair.fetched}) >= 0 && pair.bytes_per_ns > 0;
}

inline double median_of(const std::vector<Pair>& pairs, double Pair::* field)
{
    std::vector<double> values;
    for (const Pair& pair : pairs)
        values.push_back(pair.*field);
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// The pairs are of the first host with each other one.  A message costs its sender overhead, and is then under way. The
// time per message in a stream, whether spent at the sender or later, is the gap.
inline std::string network_lines(const std::vector<std::string>& hosts, const std::vector<Pair>& pairs)
{
    double told = median_of(pairs, &Pair::told), sent = median_of(pairs, &Pair::sent);
    double fetched = median_of(pairs, &Pair::fetched), gap = median_of(pairs, &Pair::gap);
    double bandwidth = median_of(pairs, &Pair::bytes_per_ns);
    std::string names = hosts[0];
    for (size_t i = 1; i < hosts.size(); i++)
        names += (i + 1 == hosts.size() ? " and " : ", ") + hosts[i];
    return printed("# Of the network between %s: a word is there after %.4gus, and fetched in %.4gus;\n"
                   "# links between switches are taken to be as those of the hosts.\n"
                   "nic     latency=%.4gus overhead=%.4gus gap=%.4gus bandwidth=%.4gM\n"
                   "link    hop=0ns bandwidth=%.4gM\n",
                   names.c_str(), told / 1000, fetched / 1000, std::max(told - sent, 0.0) / 1000, sent / 1000,
                   std::max(gap, 0.0) / 1000, bandwidth * 1000, bandwidth * 1000);
}

}  // namespace bn::tune
