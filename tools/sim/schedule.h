// schedule.h: what each thread does in an operation, step by step, as recorded from the engine's own algorithms.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace bn::sim {

enum class Kind : uint8_t {
    kCopy,     // `bytes` from the memory of thread `from` to that of thread `to`
    kRaise,    // the flag becomes `number`; `bytes` travel with it, in one message if it is far
    kAwait,    // until the flag is `number` or more
    kBarrier,  // of all threads
};

enum class Flag : uint8_t {
    kProgress,  // that of thread `to`
    kSlot,      // that of thread `to`, number `slot`
    kMail,      // that of thread `to`, for what thread `from` sends
};

enum class Manner : uint8_t {
    kPlain,       // a copy; or a flag that is not ordered after earlier copies
    kFenced,      // a flag that is raised after all that the thread has written to other nodes has arrived
    kBehind,      // the same, and the flag's data travel with it
    kHandedOver,  // a flag with its data, or a copy before such a flag; the receiver makes sure that they have arrived
};

struct Event {
    Kind kind;
    Flag flag;
    uint8_t slot;
    Manner manner;
    uint32_t number;  // for kCopy: the place that is read
    uint32_t to, from;
    uint32_t place;  // for kCopy: the place that is written
    uint64_t bytes;
};
static_assert(sizeof(Event) == 32);

// A place is a 64-byte line within an area of its owner's memory.
constexpr int kPlaceLineBits = 29;
constexpr uint32_t kPlaceLineBytes = 64;
enum class Area : uint8_t { kSrc, kDst, kPermutation, kHeap, kRoom, kOwn };

inline uint32_t place_at(Area area, uint64_t offset)
{
    constexpr uint64_t kLines = uint64_t{1} << kPlaceLineBits;
    return static_cast<uint32_t>(area) << kPlaceLineBits |
           static_cast<uint32_t>(offset / kPlaceLineBytes & (kLines - 1));
}
inline Area area_of(uint32_t place)
{
    return static_cast<Area>(place >> kPlaceLineBits);
}
inline uint32_t line_of(uint32_t place)
{
    return place & ((1u << kPlaceLineBits) - 1);
}

// The steps of all threads
class Schedule {
public:
    explicit Schedule(uint32_t thread_count) : rows_(thread_count) {}

    struct Row {
        const Event* events = nullptr;
        uint32_t count = 0;
    };

    uint32_t thread_count() const { return static_cast<uint32_t>(rows_.size()); }
    const Row& of(uint32_t thread) const { return rows_[thread]; }
    uint64_t event_count() const { return event_count_; }

    void set(uint32_t thread, const std::vector<Event>& events);

private:
    static constexpr size_t kChunkEvents = size_t{1} << 18;

    std::vector<Row> rows_;
    std::vector<std::unique_ptr<Event[]>> chunks_;  // the last one is being filled
    Event* next_ = nullptr;                         // in the last chunk
    size_t room_ = 0;                               // events that still fit into it
    uint64_t event_count_ = 0;
};

}  // namespace bn::sim
