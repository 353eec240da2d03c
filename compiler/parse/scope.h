// scope.h: which names are typedef names at the current point, which is all that the grammar of C needs to know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bn::parse {

class Scopes {
public:
    explicit Scopes(size_t name_count) : is_typedef_(name_count) {}

    bool is_typedef(uint32_t name) const { return is_typedef_[name]; }

    // Sets the meaning of a name in the innermost scope; it hides outer ones until the scope is closed.
    void declare(uint32_t name, bool is_typedef)
    {
        if (is_typedef_[name] == is_typedef)
            return;
        hidden_.push_back(name);
        is_typedef_[name] = is_typedef;
    }

    // Scopes are closed in reverse order; `mark` is the result of open().
    size_t open() const { return hidden_.size(); }
    void close(size_t mark)
    {
        while (hidden_.size() > mark) {
            is_typedef_[hidden_.back()] = !is_typedef_[hidden_.back()];
            hidden_.pop_back();
        }
    }

private:
    std::vector<uint8_t> is_typedef_;
    std::vector<uint32_t> hidden_;  // names whose bit was flipped, in order
};

}  // namespace bn::parse
