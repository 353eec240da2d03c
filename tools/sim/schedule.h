// schedule.h: what each thread does in an operation, step by step, as the engine's own algorithms have it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace bn::sim {

enum class Kind : uint8_t {
    kCopy,     // `bytes` from the memory of thread `from` to that of thread `to`
    kRaise,    // the flag becomes `number`; `bytes` come with it, in one message if it is far
    kAwait,    // until the flag is `number` or more
    kBarrier,  // of all threads
};

enum class Flag : uint8_t {
    kProgress,  // of thread `to`
    kSlot,      // of thread `to`, number `slot`
    kMail,      // of thread `to`, for what thread `from` sends
};

enum class Manner : uint8_t {
    kPlain,       // of a copy; of a flag: nothing is said of copies before it
    kFenced,      // of a flag: what the thread has written to other nodes is there before
    kBehind,      // of a flag: the same, and its data come with it
    kHandedOver,  // of a flag with its data, or a copy before such a one: the receiver sees to it that they have come
};

struct Event {
    Kind kind;
    Flag flag;
    uint8_t slot;
    Manner manner;
    uint32_t number;  // of kCopy: the place that is read
    uint32_t to, from;
    uint32_t place;  // of kCopy: the one that is written
    uint64_t bytes;
};
static_assert(sizeof(Event) == 32);

// A place is a line of 64 bytes in an area of its owner's memory.
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
    Event* next_ = nullptr;                         // in it
    size_t room_ = 0;                               // events that it still takes
    uint64_t event_count_ = 0;
};

}  // namespace bn::sim
