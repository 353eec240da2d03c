#include "tune/neighbours.h"

#include "tune/copies.h"

#include <algorithm>
#include <cmath>

namespace bn::tune {

namespace {

constexpr double kAsNear = 1.3;  // largest ratio to the usual time, in either direction

bool is_as_near(double ns, double usual_ns)
{
    return ns <= kAsNear * usual_ns && usual_ns <= kAsNear * ns;
}

}  // namespace

bool Neighbours::look()
{
    double ns = pus_.size() < 2 ? 1 : shared_write_ns(pus_);
    if (ns > 0)
        looks_.push_back(ns);
    return ns > 0;
}

// The median: if two or more states alternate, the one in the middle
double Neighbours::usual_ns() const
{
    std::vector<double> sorted = looks_;
    auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
}

bool Neighbours::are_usual(size_t look) const
{
    double usual = usual_ns();
    return is_as_near(looks_[look], usual) && (look + 1 == looks_.size() || is_as_near(looks_[look + 1], usual));
}

int Neighbours::usual_percent() const
{
    double usual = usual_ns();
    auto count = std::count_if(looks_.begin(), looks_.end(), [&](double ns) { return is_as_near(ns, usual); });
    return static_cast<int>(std::lround(100.0 * static_cast<double>(count) / static_cast<double>(looks_.size())));
}

}  // namespace bn::tune
