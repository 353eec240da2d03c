// writes.h: what a thread has written to other nodes without confirmation of arrival yet, as in pgas/remote/flag.c.
#pragma once

#include <cstdint>

namespace bn::sim {

class Writes {
public:
    // Whether all writes must be confirmed before a flag of that thread, near or far, is raised.  Writes to a single
    // far thread arrive before that thread's flag anyway.
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
