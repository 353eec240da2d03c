// addresses.h: the memory of simulated threads, as numbers that no pointer has.
//
// All have bit 62 set, so that the engine takes them for memory of other nodes, whose copies it hands to a mover
// (platform/copy.h).  Bits 40 to 59 are the thread.
#pragma once

#include "coll/team.h"

#include <cstdint>

namespace bn::sim {

constexpr uint64_t kFarBit = uint64_t{1} << 62;
constexpr uint64_t kControlBit = uint64_t{1} << 61;  // lines and rooms of the team
constexpr uint64_t kRoomsBit = uint64_t{1} << 39;    // rooms, one after another; the thread bits are not used
constexpr int kThreadShift = 40;
constexpr uint64_t kStride = uint64_t{1} << kThreadShift;
constexpr uint64_t kThreadMask = (uint64_t{1} << 20) - 1;

// Offsets of a thread's data within its memory
constexpr uint64_t kSrc = 0;
constexpr uint64_t kDst = uint64_t{1} << 38;
constexpr uint64_t kPermutation = uint64_t{2} << 38;
constexpr uint64_t kHeap = uint64_t{3} << 38;
constexpr uint64_t kAreaBytes = uint64_t{1} << 38;

inline bool is_far(uint64_t address)
{
    return (address & kFarBit) != 0;
}
inline bool is_control(uint64_t address)
{
    return (address & (kFarBit | kControlBit)) == (kFarBit | kControlBit);
}
inline bool is_room(uint64_t address)
{
    return is_control(address) && (address & kRoomsBit) != 0;
}
inline uint32_t thread_of(uint64_t address)
{
    if (is_room(address))
        return static_cast<uint32_t>((address & (kRoomsBit - 1)) / sizeof(bn_member_rooms));
    return static_cast<uint32_t>((address >> kThreadShift) & kThreadMask);
}
inline uint64_t offset_of(uint64_t address)
{
    return address & (kStride - 1);
}
inline bool is_permutation(uint64_t address)
{
    return is_far(address) && !is_control(address) && offset_of(address) >= kPermutation && offset_of(address) < kHeap;
}

}  // namespace bn::sim
