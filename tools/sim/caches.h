// caches.h: which data each core's caches hold, and therefore what a copy within a node finds there.
#pragma once

#include "sim/machine.h"
#include "sim/schedule.h"

#include <array>
#include <unordered_map>
#include <vector>

namespace bn::sim {

// The state of the lines that a copy reads and writes, as fractions that add up to 1 for each
struct Found {
    std::array<double, kDistances> sources{};                        // by distance of the cache
    std::array<std::array<double, kDistances>, kTargets> targets{};  // by who has them, and how far away
};

class Caches {
public:
    // The state that the same operation leaves behind in a program that then reads its results and rewrites its sources
    Caches(const Machine& machine, const Schedule& schedule);

    // What the thread's copy finds in caches.  The copy is carried out as well, so the state changes.
    Found take(uint32_t thread, const Event& event);

private:
    // Lines from `begin` up to, but not including, `end`
    struct Piece {
        uint32_t begin, end;
        uint32_t writer;
        uint32_t reader;               // the reader on another core since the write that is farthest from the writer
        uint64_t readers;              // their lanes, by the last six bits, including the writer's own if it has read
        uint64_t written_at, read_at;  // bytes that the lanes of writer and reader had touched by then
    };
    using Pieces = std::vector<Piece>;

    struct Span {
        Pieces* pieces;
        size_t first, behind;  // indices into *pieces
    };

    Pieces* pieces_of(uint32_t owner, Area area);  // null if there are none
    Span cut(uint32_t owner, uint32_t place, uint64_t bytes);
    bool is_near(uint32_t a, uint32_t b) const { return machine_.nodes[a] == machine_.nodes[b]; }
    bool has(const Piece& piece, uint32_t thread) const;
    void note_read(const Span& span, uint32_t thread);
    void note_write(const Span& span, uint32_t thread);
    double part_held(uint32_t thread, uint64_t since) const;
    void find_target(const Piece& piece, uint32_t thread, double part, Found* found) const;

    const Machine& machine_;
    std::unordered_map<uint64_t, Pieces> memory_;  // by owner and area
    std::vector<uint64_t> touched_;                // bytes, by lane
};

}  // namespace bn::sim
