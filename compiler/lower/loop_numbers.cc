#include "lower/loop_numbers.h"

#include <algorithm>
#include <cstdlib>

namespace bn::lower {

using namespace sema;
using Owner = AffinityLoop::Owner;

// Under which a step stays within a round of blocks: beyond that, finding the blocks would cost more than the affinity
// test.  The step times the factor must not be larger than block * THREADS; where both unit and round are multiplied by
// THREADS, not larger than the block.
void LoopNumbers::add_block_conditions(std::vector<Rope>& out) const
{
    const auto factor = static_cast<uint64_t>(std::abs(plan_.offset.factor));
    const uint64_t units = static_cast<uint64_t>(plan_.step) * factor;  // 0 if the step is not constant
    Rope block = rope();
    if (plan_.block_value != nullptr)
        block << "(bn_i64)(" << plan_.block_value << ")";
    else
        block << plan_.block;
    if (plan_.step_value != nullptr && plan_.block_value != nullptr)
        out.push_back(rope("(bn_u64)(") << plan_.step_value << ") - 1 < (bn_u64)" << block << " / " << factor);
    if (units > 1 && (plan_.block_value != nullptr || units > plan_.block))
        out.push_back(rope() << block << " > " << units - 1 << (plan_.times_threads ? "" : " / bn_threads()"));
    else if (plan_.block_value != nullptr)
        out.push_back(rope() << block << " > 0");
}

std::vector<Rope> LoopNumbers::conditions() const
{
    constexpr uint64_t kLargestRunTimeStep = uint64_t{1} << 20;  // indices stay far from overflow
    std::vector<Rope> out;
    Rope stop = end();
    Rope start = rope(plan_.counts_down ? "-" : "") << "(bn_i64)" << plan_.variable->emitted;
    const bool is_blocked = plan_.owner == Owner::Blocked;
    if (plan_.step_value != nullptr) {
        uint64_t limit = kLargestRunTimeStep;
        if (is_blocked && plan_.block_value == nullptr)  // within a block, for any number of threads
            limit = std::min(limit, plan_.block / static_cast<uint64_t>(std::abs(plan_.offset.factor)));
        out.push_back(rope("(bn_u64)(") << plan_.step_value << ") - 1 < " << limit);
    }
    if (is_blocked)
        add_block_conditions(out);
    if (plan_.start_may_be_huge)
        out.push_back(is_not_huge(rope(plan_.variable->emitted), is_unsigned(plan_.variable->type)));
    if (plan_.limit_may_be_huge && !plan_.limit_may_change)
        out.push_back(is_not_huge(compared_limit(), plan_.compares_unsigned));
    if (plan_.ends_by_equality)
        out.push_back(rope() << start << " <= " << stop);
    if (plan_.greatest)
        out.push_back(rope() << stop << " + " << step() << " - 1 <= " << std::to_string(*plan_.greatest));
    if (plan_.must_not_be_negative && plan_.counts_down)
        out.push_back(rope() << stop << " <= 1");
    else if (plan_.must_not_be_negative)
        out.push_back(rope() << plan_.variable->emitted << " >= 0");
    return out;
}

// A signed number can only be huge in the direction of counting, which is downwards.
Rope LoopNumbers::is_not_huge(const Rope& number, bool is_unsigned) const
{
    if (is_unsigned)
        return rope("(bn_u64)") << number << " <= (bn_u64)(" << largest() << ")";
    return rope("(bn_i64)") << number << " >= -" << largest();
}

Rope LoopNumbers::largest() const
{
    return rope("(bn_i64)") << std::to_string(plan_.largest()) << (plan_.times_threads ? " / bn_threads()" : "");
}

Rope LoopNumbers::step() const
{
    if (plan_.step_value != nullptr)
        return rope("(bn_i64)(") << plan_.step_value << ")";
    return rope() << static_cast<uint64_t>(plan_.step);
}

Rope LoopNumbers::factor(int64_t value) const
{
    if (plan_.times_threads && value == 1)
        return rope("(bn_i64)bn_threads()");
    Rope out = rope(value < 0 ? "(" : "") << std::to_string(value) << (value < 0 ? ")" : "");
    return plan_.times_threads ? out << " * (bn_i64)bn_threads()" : out;
}

// The limit in the type of the comparison
Rope LoopNumbers::compared_limit() const
{
    Rope out = rope();
    if (plan_.compares_unsigned)
        out << "(__typeof__(" << plan_.variable->emitted << " + (" << plan_.limit << ")))";
    return out << "(" << plan_.limit << ")";
}

// A possibly huge limit is correct where the conditions hold, and otherwise overflows
// without a warning; a limit that may change is clamped to `largest`, which no loop reaches.
Rope LoopNumbers::end() const
{
    std::string plus = plan_.is_inclusive ? " + 1" : "";
    std::string sign = plan_.counts_down ? "-" : "";
    Rope limit = compared_limit();
    if (!plan_.limit_may_be_huge)
        return rope(sign) << "(bn_i64)" << limit << plus;
    if (!plan_.limit_may_change)
        return rope("(bn_i64)(") << sign << "(bn_u64)" << limit << plus << ")";
    Rope out = rope(sign);
    if (plan_.counts_down)
        out << "bn_max(" << limit << ", -" << largest() << ")";
    else
        out << "bn_min_unsigned(" << limit << ", " << largest() << ")";
    return out << plus;
}

}  // namespace bn::lower
