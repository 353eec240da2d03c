// own_loop.cc: loops over the iterations of a upc_forall that this thread owns.
//
// Dealt out (affinity_loop.h says when; not at -O0): no iteration tests who owns it.  The loops visit only this
// thread's iterations, with `n` the 64-bit copy of v, and with base pointers for the arrays whose elements are then
// known to be local (own_loop_places.cc).  A loop that counts down counts up over n = -v.  f, k and the step are
// constant or invariant. Step of v and affinity, the C form, and the element that the affinity names:
//
// v++;  &a[v+k], cyclic; v+k
//     for (; row < stop; ++row, n += THREADS) { v = n; body }                                        base[row]
// any;  &a[f*v+k], cyclic; f*v+k
//     turns = bn_own_turns(first unit, f * step);
//     for (left = ...; left > 0; --left, n += step * turns.period, row += turns.rows) { ... }        base[row]
// any;  &a[f*v+k], blocks of B
//     for (each own block) for (n = first; n < stop; n += step) { ... }                              base[f * n + k]
// v++;  &a[v+k], blocks of B, and v used in the body only in a[v+k]
//     the same, with all own blocks as one: `if (there is one)` instead of `for`                     base[n + k]
//     (unless the loop may be called from within another upc_forall)
// v++;  &a[v+k], blocks of B, and a[v+k+d] in the body
//     the same in pieces of blocks, chosen so that for each d all a[v+k+d] are in one block  base of d[n + k + d]
// any;  (f*v+k) / B
//     the same, if v is not negative
// any;  (v+k) * THREADS / B
//     the same, with unit number (v+k) * THREADS
// any;  &a[v], indefinite
//     if (MYTHREAD == 0) for (n = ...) { ... }                                                       base[v]
// any;  an affinity that does not depend on v
//     if (test of the affinity) for (n = ...) { ... }
//
// i++, k += 2 is stepped by i, and k is computed from n in each iteration.
//
// x / B % THREADS is x / B, and (x * THREADS) / (B * THREADS) is x / B.
//
// Where another upc_forall may control (`outer` says whether it does), the loops over blocks visit all blocks in order,
// with base pointers into the block of its owner, and iterations that belong to one thread are executed by all.
//
// Otherwise the loops are emitted next to the general form, which runs when the loop is called from within another
// upc_forall, and in any case when a pointer used by the loop does not point to thread 0 and phase 0, when a
// non-constant step or divisor is not positive, when v would exceed the range of its type or of its copy, or when there
// is no iteration and what is evaluated before the loops may divide by zero.
#include "lower/own_loop.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "lower/independence.h"
#include "lower/restored.h"

namespace bn::lower {

using ast::Kind;
using ast::SimpleStmt;
using namespace sema;
using Owner = AffinityLoop::Owner;

OwnLoop::OwnLoop(const AffinityLoop& loop, const std::string& outer, const Lowerer::Indexed* indexed, Lowerer& lowerer)
    : plan(loop), lowerer_(lowerer), numbers_(loop, lowerer.arena_), outer_(outer), indexed_(indexed),
      index_(lowerer.fresh("n")), end_(lowerer.rope()), body_(lowerer.rope()), base_declarations_(lowerer.rope()),
      row_declarations_(lowerer.rope())
{
    if (plan.owner == Owner::Blocked)
        pieces_ = fresh("blocks");
    else
        turn_ = fresh("row");
}

std::vector<Rope> OwnLoop::conditions()
{
    std::vector<Rope> out = numbers_.conditions();
    if (plan.pointer != nullptr)
        condition_on(*plan.pointer, plan.owner == Owner::OneThread);
    for (const std::string& condition : conditions_)
        out.push_back(rope(condition));
    return out;
}

// What the remark says of the arrays that have base pointers; empty if none has
std::string OwnLoop::based_on() const
{
    std::set<std::string> names;
    for (const Base& base : bases_)
        names.insert("'" + std::string(base.object->name) + "'");
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "; plain pointers access the elements of " : ", ") + name;
    return text;
}

// The 64-bit unit number of n
Rope OwnLoop::unit_number(const std::string& copy)
{
    int64_t factor = plan.copy_factor();
    if (factor == 1 && !plan.times_threads)
        return rope(copy) << offset_text_;
    Rope out = rope();
    if (factor == -1 && !plan.times_threads)
        out << "-" << copy;
    else
        out << numbers_.factor(factor) << " * " << copy;
    return out << offset_text_;
}

// Lowers the body of a loop, with its base pointers
void OwnLoop::based_body(SimpleStmt& stmt)
{
    bool is_forall = stmt.kind == Kind::Forall;
    if (is_forall)
        lowerer_.own_loops_.push_back(this);
    else
        lowerer_.all_blocks_ = this;
    Restored version(lowerer_.version_);
    if (indexed_ != nullptr)
        lowerer_.version_.indexed = indexed_;
    lowerer_.lower(stmt.then);
    if (is_forall)
        lowerer_.own_loops_.pop_back();
    else
        lowerer_.all_blocks_ = nullptr;
}

namespace {

// Whether the sum of steps is computed in the variable's own type, where it overflows only if the program does
bool sums_in_own_type(const Companion& one)
{
    QualType type = one.variable->type;
    auto bytes = [](QualType t) { return size_of(t).value_or(Size{16, false}).bytes; };
    return is_pointer(type) ||
           (!is_unsigned(type) && bytes(type) >= 4 &&
            (one.step == nullptr || (!is_unsigned(one.step->type) && bytes(one.step->type) <= bytes(type))));
}

}  // namespace

// Keeps the first values of the companions.
Rope OwnLoop::companions_begin()
{
    Rope out = rope();
    for (const Companion& one : plan.companions) {
        companion_starts_.push_back(lowerer_.fresh_for(*one.variable));
        out << "const __typeof__(" << one.variable->emitted << ") " << companion_starts_.back() << " = "
            << one.variable->emitted << "; ";
    }
    return out;
}

// Gives the companions their values where the copy of the variable has come from its first value to `copy`:
// k = (T)(first + steps * by).  Those that the loop declares have none after it.
Rope OwnLoop::companions_at(const std::string& copy, bool is_after)
{
    Rope out = rope();
    for (size_t i = 0; i < companion_starts_.size(); ++i) {
        const Companion& one = plan.companions[i];
        if (is_after && one.is_declared)
            continue;
        const char* wide = sums_in_own_type(one) ? "(bn_i64)" : "(bn_u64)";
        Rope steps = rope(wide) << "(" << copy << " - " << start_ << ")" << (step_ != "1" ? " / " + step_ : "");
        if (one.step != nullptr)
            steps << " * " << wide << "(" << one.step << ")";
        const char* sign = one.is_negative ? " - " : " + ";
        out << one.variable->emitted << " = ";
        if (is_pointer(one.variable->type))
            out << companion_starts_[i] << sign << steps << "; ";
        else
            out << "(" << lowerer_.c_value_type(one.variable->type) << ")(" << wide << companion_starts_[i] << sign
                << steps << "); ";
    }
    return out;
}

// What the variable and its companions hold after the loop.  `end` is where it stopped.
Rope OwnLoop::variables_after(const std::string& start, const Rope& end)
{
    Rope last = rope("bn_next_step(") << start << ", " << end << ", " << step_ << ")";
    Rope out = rope();
    if (!plan.companions.empty()) {
        std::string name = fresh("last");
        out << "const bn_i64 " << name << " = " << last << "; " << companions_at(name, true);
        last = rope(name);
    }
    if (!plan.declares_variable)
        out << plan.variable->emitted << " = (" << lowerer_.c_value_type(plan.variable->type) << ")"
            << (plan.counts_down ? "-" : "") << last << "; ";
    return out;
}

Rope OwnLoop::iterations(SimpleStmt& stmt)
{
    const Options& options = lowerer_.options_;
    std::string variable(plan.variable->emitted);
    std::string sign = plan.counts_down ? "-" : "";
    Rope type = lowerer_.c_value_type(plan.variable->type);
    const std::string start = start_ = fresh("start");
    Rope out = rope("const bn_i64 ") << start << " = " << sign << "(bn_i64)" << variable << "; ";
    Rope end = rope("(") << numbers_.end() << ")";
    std::string next;  // one past the last executed iteration; the limit may have dropped below it
    if (plan.limit_may_change && plan.is_seen_after()) {
        next = fresh("next");
        out << "bn_i64 " << next << " = " << start << "; ";
    } else if (!plan.limit_may_change) {
        std::string name = fresh("end");
        out << "const bn_i64 " << name << " = " << numbers_.end() << "; ";
        end = rope(name);
    }
    step_ = plan.step_value == nullptr ? std::to_string(plan.step) : fresh("step");
    if (plan.step_value != nullptr)
        out << "const bn_i64 " << step_ << " = " << numbers_.step() << "; ";
    out << companions_begin();
    out << offset_of();

    is_independent_ =
        options.passes.independent &&
        (lowerer_.is_called_independent(stmt) ||
         has_independent_iterations(plan, stmt.then, lowerer_.tokens_, options.static_threads, options.far_threads));
    based_body(stmt);
    body_ = rope("{ ") << variable << " = (" << type << ")" << sign << index_ << "; ";
    if (!next.empty())
        body_ << next << " = " << index_ << " + " << step_ << "; ";
    if (plan.owner == Owner::Cyclic)  // in other loops next_of steps them, as the back end knows it from C
        body_ << companions_at(index_, false);
    body_ << row_declarations_ << lowerer_.frozen(lowerer_.body_with_pragmas(stmt)) << " } ";
    bool is_joined = stmt.kind == Kind::Forall && joins_blocks(stmt.then);
    end_ = end;
    if (!followers_.empty()) {
        std::string run = fresh("run");
        out << from_run_to_run(run);
        start_ = run + ".n";
        end_ = rope(run + ".stop");
    }
    lowerer_.forget(stmt.then);

    switch (plan.owner) {
    case Owner::Cyclic: out << (plan.copy_factor() == 1 && plan.step == 1 ? own_units() : own_turns()); break;
    case Owner::Blocked: out << own_blocks(is_joined); break;
    case Owner::OneThread: out << own_loop(stmt); break;
    }
    out << (followers_.empty() ? "" : "} ");
    if (plan.is_seen_after())
        out << variables_after(start, next.empty() ? end : rope("bn_max(") << end << ", " << next << ")");
    return out;
}

// "++n" or "n += step", in loops over consecutive iterations, and the same for the companions
Rope OwnLoop::next_of()
{
    Rope out = rope(step_ == "1" ? "++" + index_ : index_ + " += " + step_);
    for (const Companion& one : plan.companions) {
        out << ", " << one.variable->emitted << (one.is_negative ? " -= " : " += ");
        out << (one.step != nullptr ? rope("(") << one.step << ")" : rope("1"));
    }
    return out;
}

// Starts the loop that executes the body; a pragma needs a line of its own.
Rope OwnLoop::for_of()
{
    return rope(is_independent_ ? "\n#pragma GCC ivdep\n" : "") << "for (; ";
}

// The step to the next iteration of this thread.  A loop may end less than that from the greatest number: one that
// compares the index stops there, and one that counts otherwise does not look at what the last step leaves.
Rope OwnLoop::advance(const std::string& distance)
{
    std::string sum = plan.limit_may_change ? "bn_ahead" : "bn_wrapping_sum";
    return rope(index_) << " = " << sum << "(" << index_ << ", " << distance << ")";
}

// The unit of an iteration that need not be executed, so that it must not overflow
Rope OwnLoop::first_unit(const std::string& iteration)
{
    bool is_same = plan.copy_factor() == 1 && !plan.times_threads && offset_text_.empty();
    return is_same ? rope(iteration) : rope("(bn_i64)(") << unit_number("(bn_u64)" + iteration) << ")";
}

// Every THREADS-th unit, in sequence
Rope OwnLoop::own_units()
{
    Rope out = rope("bn_i64 ") << index_ << " = bn_first_cyclic(" << start_ << ", " << first_unit(start_)
                               << "); bn_i64 " << turn_ << " = bn_floor_threads(" << first_unit(index_) << "); "
                               << base_declarations_;
    if (plan.limit_may_change)
        return out << for_of() << index_ << " < " << end_ << "; ++" << turn_ << ", " << advance("bn_threads()") << ") "
                   << body_;
    std::string stop = fresh("stop");  // counted in turns, so that the back end need not know that THREADS is positive
    return out << "const bn_i64 " << stop << " = " << turn_ << " + bn_turns(" << index_ << ", " << end_ << "); "
               << for_of() << turn_ << " < " << stop << "; ++" << turn_ << ", " << advance("bn_threads()") << ") "
               << body_;
}

// Units of cyclic layouts that are not consecutive, or that are visited downwards
Rope OwnLoop::own_turns()
{
    const int threads = lowerer_.options_.static_threads;
    std::string turns = fresh("turns");
    std::string stride = fresh("stride");
    Rope per_step = numbers_.factor(plan.copy_factor()) << " * " << step_;
    std::string distance = step_ + " * " + turns + ".period";
    std::string rows = turns + ".rows";
    if (plan.step_value == nullptr) {  // evaluate known parts here: in C, their products would be of type int
        int64_t units = plan.copy_factor() * plan.step;
        int64_t common = std::gcd(units, int64_t{threads});
        per_step = numbers_.factor(units);
        if (threads > 0) {
            distance = std::to_string(plan.step * (threads / common));
            rows = std::to_string(units / common);
        } else if (units == 1 || units == -1) {
            distance = "bn_threads()";
            rows = std::to_string(units);
        }
    }
    Rope out = rope("const struct bn_turns ")
               << turns << " = bn_own_turns(" << first_unit(start_) << ", " << per_step << "); if (" << turns
               << ".period > 0) { const bn_i64 " << stride << " = " << distance << "; bn_i64 " << index_
               << " = bn_ahead(" << start_ << ", " << turns << ".first * " << step_ << "); bn_i64 " << turn_
               << " = bn_floor_threads(" << first_unit(index_) << "); " << base_declarations_;
    Rope next = advance(stride) << ", " << turn_ << " += " << rows << ") " << body_ << "} ";
    if (plan.limit_may_change)
        return out << for_of() << index_ << " < " << end_ << "; " << next;
    std::string left = fresh("left");
    return out << "bn_i64 " << left << " = bn_steps(" << index_ << ", " << end_ << ", " << stride << "); " << for_of()
               << left << " > 0; --" << left << ", " << next;
}

// Whether the variable is used below `node` other than in the number of the own unit
bool OwnLoop::needs_variable(const ast::Node* node) const
{
    auto needs = [&](const ast::Node* part) { return needs_variable(part); };
    if (auto own = own_places_.find(node); own != own_places_.end())
        return std::any_of(own->second.begin(), own->second.end(), needs);
    if (node->kind == Kind::Ident && static_cast<const Expr*>(node)->symbol == plan.variable)
        return true;
    return std::any_of(node->children.begin(), node->children.end(), needs);
}

// Whether one loop can cover all blocks of this thread, which lie one after the other: the iteration number must not be
// used.
bool OwnLoop::joins_blocks(const ast::Node* body) const
{
    return plan.owner == Owner::Blocked && plan.has_units_in_order() && distances_.empty() && !plan.limit_may_change &&
           plan.companions.empty() && !can_be_reached(*plan.variable, *plan.function) && !needs_variable(body);
}

// The end of a piece.  For whole blocks the expression shows the back end that they are whole: a count that is
// constant, or known to be even, needs no code for a remainder after the vector loop, which would be a fifth of the
// time of such a loop.
Rope OwnLoop::stop_of_piece(bool is_joined)
{
    std::string first = pieces_ + ".n";
    std::string stop = pieces_ + ".stop";
    uint64_t block = plan.block;
    if (!plan.has_whole_blocks || !distances_.empty() || (is_joined && block % 2 != 0))
        return rope(stop);
    if (!is_joined)
        return rope(first) << " + " << block;
    return rope(first) << " + (bn_i64)((bn_u64)(" << stop << " - " << first << ") / " << block << " * " << block << ")";
}

// Blocks that are distributed round-robin among the threads
Rope OwnLoop::own_blocks(bool is_joined)
{
    bool is_plain = plan.has_units_in_order();
    Rope block = plan.block_value != nullptr ? rope("(bn_i64)(") << plan.block_value << ")" : rope() << plan.block;
    Rope out = rope("struct bn_blocks ") << pieces_ << "; ";
    if (!distances_.empty()) {
        out << "struct bn_beside " << near_ << "[] = { ";
        for (const Distance& distance : distances_)
            out << "{ " << distance.text() << ", 0, 0 }, ";
        out << "}; ";
    }
    // If the limit may change, the pieces ignore it.
    Rope last = plan.limit_may_change ? rope("(bn_i64)1 << 62") : end_;
    const char* form = !is_plain ? "_apart" : is_joined ? "_joined" : distances_.empty() ? "" : "_beside";
    bool is_one = is_joined && outer_.empty();  // one piece for all blocks: no loop for the back end to analyse
    out << (is_one ? "" : "for (") << "bn_first_piece" << form << "(&" << pieces_ << ", " << start_ << ", " << last
        << ", " << offset_number_ << ", " << block << ", " << (outer_.empty() ? "0" : outer_);
    if (!is_plain)
        out << ", " << step_ << ", " << numbers_.factor(plan.copy_factor());
    else if (!distances_.empty())
        out << ", " << near_ << ", " << distances_.size();
    Rope stop = stop_of_piece(is_joined);
    out << "); " << (is_one ? "if (" : "") << pieces_ << ".n < "
        << (plan.limit_may_change ? end_ : rope(pieces_) << ".stop");
    out << (is_one ? rope() : rope("; bn_next_piece(&") << pieces_ << ")") << ") { ";
    if (plan.limit_may_change) {
        stop = rope("bn_min(") << end_ << ", " << stop << ")";
    } else {
        std::string name = fresh("stop");
        out << "const bn_i64 " << name << " = " << stop << "; ";
        stop = rope(name);
    }
    return out << base_declarations_ << "bn_i64 " << index_ << " = " << pieces_ << ".n; "
               << companions_at(index_, false) << for_of() << index_ << " < " << stop << "; " << next_of() << ") "
               << body_ << "} ";
}

// One thread executes all iterations or none
Rope OwnLoop::own_loop(SimpleStmt& stmt)
{
    Rope out = rope("if (") << (outer_.empty() ? "" : outer_ + " || ");
    if (plan.is_same_for_all)
        out << lowerer_.affinity_test(stmt.affinity);
    else if (plan.pointer != nullptr)
        out << "bn_here_pts(" << plan.pointer->emitted << ")";
    else
        out << "bn_mythread() == 0";
    return out << ") { " << base_declarations_ << "bn_i64 " << index_ << " = " << start_ << "; "
               << companions_at(index_, false) << "for (; " << index_ << " < " << end_ << "; " << next_of() << ") "
               << body_ << "} ";
}

// " + (bn_i64)(k) * 3": what is neither the variable nor constant
Rope OwnLoop::terms_of(const Affine& form)
{
    Rope out = rope();
    for (const Affine::Term& term : form.terms) {
        Expr* value = const_cast<Expr*>(term.value);
        lowerer_.lower(value);
        out << " + (bn_i64)(" << value << ")";
        if (term.factor != 1)
            out << " * " << (term.factor < 0 ? "(" + std::to_string(term.factor) + ")" : std::to_string(term.factor));
    }
    return out;
}

// Declares the non-constant part of the offset, and notes how "+ offset" is written.
Rope OwnLoop::offset_of()
{
    const Affine& offset = plan.offset;
    Rope out = rope();
    if (plan.owner == Owner::OneThread)
        return out;
    if (offset.terms.empty() && (!plan.times_threads || offset.constant == 0)) {
        offset_number_ = std::to_string(offset.constant);
        if (offset.constant != 0)
            offset_text_ = (offset.constant < 0 ? " - " : " + ") + std::to_string(std::abs(offset.constant));
        return out;
    }
    std::string name = fresh("offset");
    out << "const bn_i64 " << name << " = " << (plan.times_threads ? "(bn_i64)bn_threads() * (" : "")
        << std::to_string(offset.constant) << terms_of(offset);
    offset_number_ = name;
    offset_text_ = " + " + name;
    return out << (plan.times_threads ? "); " : "; ");
}

}  // namespace bn::lower
