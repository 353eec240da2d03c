// caches.h: who has what in its caches, and so what a copy within a node finds there.
#pragma once

#include "sim/machine.h"
#include "sim/schedule.h"

#include <array>
#include <unordered_map>
#include <vector>

namespace bn::sim {

// Of the lines that a copy reads and writes, how many are how: parts of 1 each
struct Found {
    std::array<double, kDistances> sources{};                        // from so far away
    std::array<std::array<double, kDistances>, kTargets> targets{};  // who has them, and how far away
};

class Caches {
public:
    // As the same operation has left them, and a program that has read what it got and written what it gives
    Caches(const Machine& machine, const Schedule& schedule);

    // What the copy of a thread finds; it is made then.
    Found take(uint32_t thread, const Event& event);

private:
    // Lines from `begin` to before `end`
    struct Piece {
        uint32_t begin, end;
        uint32_t writer;
        uint32_t reader;               // the farthest from the writer of those on other cores that have read it since
        uint64_t readers;              // their lanes, by the last six bits, the writer's own one too
        uint64_t written_at, read_at;  // bytes that the lanes of writer and reader had touched by then
    };
    using Pieces = std::vector<Piece>;

    struct Span {
        Pieces* pieces;
        size_t first, behind;  // of them
    };

    Pieces* pieces_of(uint32_t owner, Area area);  // null: none
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
