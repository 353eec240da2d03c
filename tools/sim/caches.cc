#include "sim/caches.h"

#include <algorithm>

namespace bn::sim {

namespace {

constexpr uint32_t kNoReader = UINT32_MAX;

uint64_t bit_of(uint32_t lane)
{
    return uint64_t{1} << (lane & 63);
}

}  // namespace

// As long as each place is written only once, the last reader or writer does not depend on the order of threads.
Caches::Caches(const Machine& machine, const Schedule& schedule) : machine_(machine), touched_(machine.lane_count)
{
    auto each_copy = [&](auto&& what) {
        for (uint32_t thread = 0; thread < schedule.thread_count(); thread++) {
            const Schedule::Row& row = schedule.of(thread);
            for (uint32_t i = 0; i < row.count; i++) {
                if (row.events[i].kind == Kind::kCopy)
                    what(thread, row.events[i]);
            }
        }
    };
    each_copy([&](uint32_t thread, const Event& event) {
        note_write(cut(event.to, event.place, event.bytes), is_near(event.to, thread) ? thread : event.to);
    });
    each_copy([&](uint32_t thread, const Event& event) {
        if (is_near(event.from, thread))
            note_read(cut(event.from, event.number, event.bytes), thread);
    });
    for (uint32_t thread = 0; thread < schedule.thread_count(); thread++) {
        if (Pieces* got = pieces_of(thread, Area::kDst))
            note_read({got, 0, got->size()}, thread);
        if (Pieces* given = pieces_of(thread, Area::kSrc))
            note_write({given, 0, given->size()}, thread);
    }
}

Caches::Pieces* Caches::pieces_of(uint32_t owner, Area area)
{
    auto found = memory_.find(uint64_t{owner} << 3 | static_cast<uint64_t>(area));
    return found == memory_.end() ? nullptr : &found->second;
}

// The pieces that make up those lines, split where necessary.  The writer of new pieces is the owner.
Caches::Span Caches::cut(uint32_t owner, uint32_t place, uint64_t bytes)
{
    Pieces& pieces = memory_[uint64_t{owner} << 3 | static_cast<uint64_t>(area_of(place))];
    uint32_t begin = line_of(place);
    uint32_t end = begin + static_cast<uint32_t>((bytes + kPlaceLineBytes - 1) / kPlaceLineBytes);
    auto at = [&](size_t i) { return pieces.begin() + static_cast<std::ptrdiff_t>(i); };
    auto is_before = [&](const Piece& piece) { return piece.end <= begin; };
    auto i = static_cast<size_t>(std::partition_point(pieces.begin(), pieces.end(), is_before) - pieces.begin());
    if (i < pieces.size() && pieces[i].begin < begin) {
        Piece left = pieces[i];
        left.end = pieces[i].begin = begin;
        pieces.insert(at(i++), left);
    }
    size_t first = i;
    for (uint32_t line = begin; line < end; i++) {
        bool is_last = i == pieces.size() || pieces[i].begin >= end;
        if (is_last || pieces[i].begin > line) {
            pieces.insert(at(i), {line, is_last ? end : pieces[i].begin, owner, kNoReader, 0, 0, 0});
        } else if (pieces[i].end > end) {
            Piece left = pieces[i];
            left.end = pieces[i].begin = end;
            pieces.insert(at(i), left);
        }
        line = pieces[i].end;
    }
    return {&pieces, first, i};
}

bool Caches::has(const Piece& piece, uint32_t thread) const
{
    uint32_t lane = machine_.lanes[thread];
    return lane == machine_.lanes[piece.writer] || (piece.readers & bit_of(lane)) != 0;
}

void Caches::note_read(const Span& span, uint32_t thread)
{
    uint64_t& touched = touched_[machine_.lanes[thread]];
    for (size_t i = span.first; i < span.behind; i++) {
        Piece& piece = (*span.pieces)[i];
        touched += uint64_t{piece.end - piece.begin} * kPlaceLineBytes;
        piece.readers |= bit_of(machine_.lanes[thread]);
        if (machine_.lanes[thread] == machine_.lanes[piece.writer])
            continue;
        if (piece.reader == kNoReader ||
            machine_.near_distance(piece.writer, thread) >= machine_.near_distance(piece.writer, piece.reader)) {
            piece.reader = thread;
            piece.read_at = touched;
        }
    }
}

void Caches::note_write(const Span& span, uint32_t thread)
{
    Pieces& pieces = *span.pieces;
    Piece& all = pieces[span.first];
    uint64_t& touched = touched_[machine_.lanes[thread]];
    touched += uint64_t{pieces[span.behind - 1].end - all.begin} * kPlaceLineBytes;
    all = {all.begin, pieces[span.behind - 1].end, thread, kNoReader, 0, touched, 0};
    auto first = pieces.begin() + static_cast<std::ptrdiff_t>(span.first);
    pieces.erase(first + 1, pieces.begin() + static_cast<std::ptrdiff_t>(span.behind));
}

// The part of the data that a core's caches still hold, `since` being what the core had touched when it accessed them
double Caches::part_held(uint32_t thread, uint64_t since) const
{
    return machine_.parameters().part_held(static_cast<double>(touched_[machine_.lanes[thread]] - since));
}

// A line that other caches hold as well must be invalidated there before it can be written.
void Caches::find_target(const Piece& piece, uint32_t thread, double part, Found* found) const
{
    uint32_t lane = machine_.lanes[thread];
    bool is_own = machine_.lanes[piece.writer] == lane;
    bool is_shared = is_own ? piece.reader != kNoReader : piece.readers != 0;
    double held = 0;
    if (is_shared || !is_own) {
        uint32_t other = is_own ? piece.reader : piece.writer;
        held = part * part_held(other, is_own ? piece.read_at : piece.written_at);
        found->targets[is_shared ? kTargetRead : kTargetWritten][machine_.near_distance(thread, other)] += held;
    }
    found->targets[kTargetOwn][kSelf] += part - held;
}

Found Caches::take(uint32_t thread, const Event& event)
{
    Found found;
    Span source = cut(event.from, event.number, event.bytes);
    double lines = (*source.pieces)[source.behind - 1].end - (*source.pieces)[source.first].begin;
    for (size_t i = source.first; i < source.behind; i++) {
        const Piece& piece = (*source.pieces)[i];
        size_t distance = has(piece, thread) ? size_t{kSelf} : machine_.near_distance(piece.writer, thread);
        found.sources[distance] += (piece.end - piece.begin) / lines;
    }
    note_read(source, thread);
    Span target = cut(event.to, event.place, event.bytes);
    for (size_t i = target.first; i < target.behind; i++) {
        const Piece& piece = (*target.pieces)[i];
        find_target(piece, thread, (piece.end - piece.begin) / lines, &found);
    }
    note_write(target, thread);
    return found;
}

}  // namespace bn::sim
