// writes.h: what a thread has written to other nodes, and has not been told to be there: as pgas/remote/flag.c has it.
#pragma once

#include <cstdint>

namespace bn::sim {

class Writes {
public:
    // Before a flag of that thread, which is near or far: whether it takes all to be confirmed.  What has gone to the
    // same far thread alone comes before the flag anyway.
    bool must_be_confirmed(uint32_t thread, bool is_far) const { return has_any_ && !(is_far && target_ == thread); }
    bool has_any() const { return has_any_; }

    void note(uint32_t thread)
    {
        target_ = !has_any_ || target_ == thread ? thread : kSeveral;
        has_any_ = true;
    }
    void confirmed() { has_any_ = false; }

private:
    static constexpr uint32_t kSeveral = UINT32_MAX;

    bool has_any_ = false;
    uint32_t target_ = kSeveral;
};

}  // namespace bn::sim
