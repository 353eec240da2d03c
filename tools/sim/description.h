// description.h: the machine as a person describes it, or as banyan-tune --calibrate has measured it.
//
// A file of lines, each a keyword and its values; # begins a comment.  Anything left out has the default below.
//
//     node     pack:2 [numa] l3:1 core:8 pu:1     hwloc's notation, or an XML file of lstopo
//     nodes    64
//     network  flat | tree NODES | torus AxBxC... | dragonfly GROUPSxROUTERSxNODES | platform FILE
//     nic      latency=1us overhead=0.3us gap=0.1us bandwidth=12G       of a node
//     link     hop=0.1us bandwidth=12G                                  of the network, in each direction
//     line     cache=60ns numa=80ns socket=100ns node=150ns             until a raised flag is seen
//     turn     20ns                                                     between two readers of one line
//     copy     cache 64=8ns 4K=300ns 64K=5us 1M=60us                    from memory of a thread that far away
//     copy     cache to=read 64=9ns ...                                 the same, to memory that such a thread has read
//     copy     cache to=written 64=9ns ...                              ... or written since the copying thread has
//     bring    cache 64=8ns 4K=300ns 64K=6us 1M=60us                    to such a thread's memory; default: as copy
//     bring    cache to=read 64=9ns ...                                 to memory that such a thread has read since
//     memory   bandwidth=20G cached=80G fits=1M       of a memory region, shared by all its threads: `cached` while a
//                                                     core moves at most `fits`, `bandwidth` from 16 times that on,
//                                                     interpolated between
//     between  socket=8G board=6G                     limit on the traffic out of each such part, and into it; levels
//                                                     that are not named have no limit
//     held     512K=100% 1M=60% 2M=0%                   the part of what a core has read or written that its own caches
//                                                       still hold after it has touched so much more
//     switch   1.6us                                                    to another thread on the same core
//     call     50ns                                                     of an operation, on top of everything else
//
// A platform is a file of SimGrid, named by its full path or relative to this file: its hosts are the nodes, in its
// order, and its links have latency and bandwidth.
//
// Levels are those of topology/level.h, and "self" for copies within one thread's memory; a level that is not given is
// as the next nearer one.
#pragma once

#include "topology/level.h"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace bn::sim {

class Platform;

enum class Net { kFlat, kTree, kTorus, kDragonfly, kPlatform };

struct Network {
    Net kind = Net::kFlat;
    std::vector<int> sizes{};  // nodes per switch; lengths of the torus; groups, routers of each, nodes of each
    std::shared_ptr<Platform> platform{};
};

// How long a copy of so many bytes takes: linear interpolation between points in logarithms, proportional to the size
// beyond the last point.
struct CopyTimes {
    struct Point {
        double bytes, ns;
    };
    std::vector<Point> points;  // ascending

    double ns_of(double bytes) const;
};

constexpr int kDistances = BN_LEVEL_NODE + 2;  // self, then the levels of one machine

// What other threads' caches hold of the memory that is copied to: nothing; what the copying thread wrote and they have
// read; what they wrote
enum Target { kTargetOwn, kTargetRead, kTargetWritten, kTargets };

using CopyTable = std::array<std::array<CopyTimes, kDistances>, kTargets>;

struct HeldPoint {
    double bytes, part;
};

struct Parameters {
    double nic_latency_ns = 1000, nic_overhead_ns = 300, nic_gap_ns = 100, nic_bytes_per_ns = 12;
    double hop_ns = 100, link_bytes_per_ns = 12;
    std::array<double, kDistances> line_ns{};
    double turn_ns = 20;
    CopyTable copies, brought;   // from memory written by a thread so far away; to memory of such a thread
    bool knows_targets = false;  // whether there are times for each target
    std::array<double, kDistances> between_bytes_per_ns{};  // for parts of that level; 0: no limit
    double memory_bytes_per_ns = 20, cached_bytes_per_ns = 80, fits_bytes = 1 << 20;
    std::vector<HeldPoint> held = {{1 << 20, 1}, {2 << 20, 0}};  // ascending
    double switch_ns = 1600;
    double call_ns = 50;

    double part_held(double bytes) const;
};

// The index of a level in those arrays; kSelf: the memory of the thread itself
constexpr int kSelf = 0;
inline int distance_of(bn_level level)
{
    return static_cast<int>(level) + 1;
}

struct Description {
    std::string origin;   // as given by the user
    std::string node;     // as bn_machine_read reads it; empty: this machine
    std::string node_at;  // the file and line that give it; empty: none
    int node_count = 0;   // 0: as many as the threads fill
    Network network;
    Parameters parameters;
};

// Reads what `text` means: this machine if it is empty, a file in the notation above, the name of such a file in
// share/banyan/machines, or a node.  False, with a message on standard error, if it cannot be read.
bool read_description(const std::string& text, Description* description);

// The names in share/banyan/machines, with commas between them
std::string known_machine_names();

// Replaces the described network by a platform file of SimGrid.  False, with a message on standard error, if the file
// cannot be used.
bool take_platform(const std::string& file, Description* description);

}  // namespace bn::sim
