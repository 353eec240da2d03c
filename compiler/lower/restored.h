// restored.h: gives a value back at the end of a scope, on each way out of it.
#pragma once

#include <type_traits>
#include <utility>

namespace bn::lower {

// What the lowering of a part of the program is in, for example a loop: Restored in_loop(loop_, &loop);
template <class T>
class Restored {
public:
    explicit Restored(T& place) : place_(place), before_(place) {}
    Restored(T& place, std::type_identity_t<T> inside) : place_(place), before_(std::exchange(place, std::move(inside)))
    {
    }
    Restored(const Restored&) = delete;
    Restored& operator=(const Restored&) = delete;
    ~Restored() { place_ = std::move(before_); }

private:
    T& place_;
    T before_;
};

}  // namespace bn::lower
