#include "driver/stack.h"

#include <sys/resource.h>

#include <algorithm>

#include "parse/parse.h"

namespace bn::driver {

namespace {

constexpr rlim_t kRest = 1 << 20;  // for all that is not recursion over the tree
constexpr rlim_t kSmall = 2 << 20;
constexpr uint32_t kLeastHeight = 2000;  // fits even a stack of kSmall

}  // namespace

uint32_t grow_stack()
{
    constexpr rlim_t kWanted = rlim_t{parse::kMaxTreeHeight} * parse::kStackPerLevel + kRest;
    rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0)
        return kLeastHeight;
    if (limit.rlim_cur < kWanted) {  // RLIM_INFINITY is the largest value
        rlim_t before = limit.rlim_cur;
        limit.rlim_cur = std::min(kWanted, limit.rlim_max);
        if (setrlimit(RLIMIT_STACK, &limit) != 0)
            limit.rlim_cur = before;
    }
    rlim_t room = std::min(limit.rlim_cur, kWanted);
    if (room < kSmall)
        return static_cast<uint32_t>(kLeastHeight * room / kSmall);
    return std::max(static_cast<uint32_t>((room - kRest) / parse::kStackPerLevel), kLeastHeight);
}

}  // namespace bn::driver
