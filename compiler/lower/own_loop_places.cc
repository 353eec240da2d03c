// own_loop_places.cc: the elements that the body of a loop over own iterations accesses by base pointers (own_loop.cc).
//
// Where an index follows the variable in runs of iterations (runs.h), the loops go from run to run:
//
// UPC form                                   C form
// a[(v+1) % N] in a loop that is dealt out   struct bn_loop_run r = { start, end };
//                                            for (; r.n < end; r.n = r.stop, r.stop = end) {
//                                                const bn_i64 ahead = bn_run_remainder(&r, r.n + 1, N, 0);
//                                                the loops from r.n to r.stop, with a base pointer for elements at the
//                                                distance `ahead` }
// a[v > 0 ? v - 1 : N - 1]                   ahead = bn_run_choice(&r, r.n, 0, 4, 0) ? -1 : bn_run_single(&r, N - 1);
//
// The functions return how far the index is ahead of v in the run, and shorten the run to where that holds.
#include <algorithm>
#include <cstdlib>

#include "lower/own_loop.h"

namespace bn::lower {

using ast::Expr;
using namespace sema;
using Owner = AffinityLoop::Owner;

void OwnLoop::condition_on(const Symbol& pointer, bool is_one_thread)
{
    std::string name(pointer.emitted);
    if (!is_one_thread)
        conditions_.insert("(" + name + ".thread | " + name + ".phase) == 0");
    else if (&pointer != plan.pointer)
        conditions_.insert("bn_here_pts(" + name + ")");
}

void OwnLoop::condition_on_phase(const Symbol& pointer)
{
    conditions_.insert(std::string(pointer.emitted) + ".phase == 0");
}

// Whether elements at this distance from the element named by the affinity get a base pointer: not if elements of other
// threads may be far, and not if the pieces of a block would be too short to be worth their calls.
bool OwnLoop::has_near(const Distance& distance)
{
    constexpr uint64_t kLeastPiece = 4;
    if (distance.is_own())
        return true;
    if (lowerer_.options_.far_threads)
        return false;
    if (plan.owner == Owner::Cyclic)
        return true;
    if (plan.owner != Owner::Blocked || !plan.has_units_in_order())
        return false;
    bool is_known = std::find(distances_.begin(), distances_.end(), distance) != distances_.end();
    if (!is_known && plan.block < kLeastPiece * (distances_.size() + 2))
        return false;
    if (!is_known)
        distances_.push_back(distance);
    if (near_.empty())
        near_ = fresh("near");
    return true;
}

// Where the base pointer of a loop over cyclic units points.  Units at a constant distance from those of this thread
// all belong to one thread: that of unit MYTHREAD + distance, which is the unit for turn 0.
Rope OwnLoop::cyclic_base(const Element& element, uint64_t unit, const Distance& distance)
{
    std::string object(element.object->emitted);
    if (distance.is_own())
        return rope(element.is_pointer ? object + ".addr" : "(bn_u64)" + object)
               << " + bn_stride((bn_u64)bn_mythread())";
    return rope("bn_add_cyclic(") << (element.is_pointer ? object : "bn_start(" + object + ")")
                                  << ", (bn_i64)bn_mythread() + (" << distance.text() << "), "
                                  << (unit == 1 ? rope() : rope() << unit << " * ")
                                  << lowerer_.element_size(element.element) << ").addr";
}

std::string OwnLoop::base_of(const Element& element, uint64_t unit, const Distance& distance)
{
    for (const Base& base : bases_)
        if (base.object == element.object && base.unit == unit && base.distance == distance)
            return base.name;
    std::string name = lowerer_.fresh_for(*element.object);
    std::string part = pieces_;
    if (!distance.is_own() && plan.owner == Owner::Blocked) {
        auto number = std::find(distances_.begin(), distances_.end(), distance) - distances_.begin();
        part = near_ + "[" + std::to_string(number) + "]";
    }
    Rope address =
        element.is_pointer ? rope(element.object->emitted) << ".addr" : rope("(bn_u64)") << element.object->emitted;
    if (plan.owner == Owner::Cyclic)
        address = cyclic_base(element, unit, distance);
    else if (plan.owner == Owner::Blocked)
        address << " + " << part << ".where + (bn_u64)"
                << (distance.ahead.empty() ? part + ".shift" : "(" + part + ".shift + " + distance.ahead + ")") << " * "
                << (unit == 1 ? rope() : rope() << unit << " * ") << lowerer_.element_size(element.element);
    base_declarations_ << lowerer_.c_declaration(element.element, rope("*const ") << name) << " = ("
                       << lowerer_.c_pointer(element.element) << ")(" << address << "); ";
    if (element.is_pointer)
        condition_on(*element.object, plan.owner == Owner::OneThread);
    bases_.push_back({element.object, unit, distance, name});
    return name;
}

Rope OwnLoop::place(const Element& element, const Expr* lvalue)
{
    LoopView view = plan.view(lowerer_.tokens_, lowerer_.options_.static_threads);
    if (element.is_pointer && !is_invariant_pointer(element, plan))
        return rope();
    if (plan.owner == Owner::OneThread) {
        bool is_there =
            !plan.is_same_for_all && (element.is_pointer || plan.pointer == nullptr);  // arrays start on thread 0
        if (block_size(element.element) != 0 || element.by_threads != 0 || !is_there)
            return rope();
        return rope(base_of(element, 1, {})) << "[" << lowerer_.flat_index(element, 0) << "]";
    }
    std::optional<UnitIndex> where = unit_beside(plan, element, view);
    if (!where && plan.span && !lowerer_.options_.far_threads)
        where = unit_beside(plan, element, plan.view_of_runs(lowerer_.tokens_, lowerer_.options_.static_threads));
    if (!where)
        return rope();
    size_t followers = followers_.size();
    Distance distance{where->offset.constant - plan.offset.constant, follower(where->follower)};
    if (!has_near(distance)) {
        followers_.resize(followers);
        return rope();
    }
    bool is_row = where->unit != 1;
    Rope unit = plan.owner == Owner::Cyclic ? rope(turn_) : unit_number(index_);
    int64_t beside = distance.constant;
    if (beside != 0 && plan.owner == Owner::Blocked)
        unit << (beside < 0 ? " - " : " + ") << std::to_string(std::abs(beside));
    if (distance.is_own() && lvalue != nullptr) {
        std::vector<const Expr*>& within = own_places_[lvalue];
        within.clear();
        for (const IndexPart& part : where->within)
            within.push_back(part.value);
    }
    Rope out = rope(base_of(element, where->unit, distance)) << "[";
    bool is_sum =
        is_row && plan.owner == Owner::Blocked && (beside != 0 || !offset_text_.empty() || plan.copy_factor() != 1);
    out << (is_sum ? "(" : "") << unit << (is_sum ? ")" : "");
    if (is_row)
        out << " * " << where->unit;
    if (!where->within.empty())
        out << " + " << lowerer_.sum_of(where->within);
    return out << "]";
}

// Accesses that are not reached need care: unreached.cc
std::string OwnLoop::row_pointer(const Element& element)
{
    LoopView view = plan.view(lowerer_.tokens_, lowerer_.options_.static_threads);
    std::vector<Expr*> numbers = row_numbers(element);
    bool is_fixed = std::all_of(numbers.begin(), numbers.end(), [&](const Expr* number) {
        return affine_form(number, view) && lowerer_.may_be_unreached(number);
    });
    if (numbers.empty() || !is_fixed || (element.is_pointer && !is_invariant_pointer(element, plan)))
        return "";
    if (element.is_pointer)
        condition_on(*element.object, false);
    if (std::string known = known_row(rows_, element, lowerer_.tokens_); !known.empty())
        return known;
    std::string name = lowerer_.fresh_for(*element.object);
    row_declarations_ << lowerer_.row_declaration(element, name, false);
    rows_.push_back({element.object, numbers, name});
    return name;
}

// The name of the distance of an index from the variable; empty if there is no index
std::string OwnLoop::follower(const Expr* index)
{
    if (index == nullptr)
        return "";
    for (const Follower& one : followers_)
        if (is_same_form(one.index.index, index, lowerer_.tokens_))
            return one.name;
    std::optional<RunIndex> found =
        run_index(index, plan.view_of_runs(lowerer_.tokens_, lowerer_.options_.static_threads));
    followers_.push_back({*found, fresh("ahead")});
    return followers_.back().name;
}

// The head of the loop over the runs, and what its body declares
Rope OwnLoop::from_run_to_run(const std::string& run)
{
    auto value = [&](const Affine& form) { return rope() << std::to_string(form.constant) << terms_of(form); };
    auto distance = [&](const Affine& form) {
        return form.factor == 1 ? value(form) : rope("bn_run_single(&") << run << ", " << value(form) << ")";
    };
    Rope out = rope("struct bn_loop_run ")
               << run << " = { " << start_ << ", " << end_ << " }; for (; " << run << ".n < " << end_ << "; " << run
               << ".n = " << run << ".stop, " << run << ".stop = " << end_ << ") { ";
    for (const Follower& one : followers_) {
        const RunIndex& index = one.index;
        bool is_choice = index.relation != 0;
        out << "const bn_i64 " << one.name << " = " << (is_choice ? "bn_run_choice(&" : "bn_run_remainder(&") << run
            << ", " << run << ".n + " << value(index.left) << ", " << value(index.right) << ", ";
        if (is_choice)
            out << index.relation << ", ";
        out << (index.is_unsigned ? "1)" : "0)");
        if (is_choice)
            out << " ? " << distance(index.chosen) << " : " << distance(index.other);
        out << "; ";
    }
    return lowerer_.frozen(out);  // the operands also occur in the body, which may be lowered twice
}

}  // namespace bn::lower
